package dev.policysync.report.view;

import dev.policysync.report.Finding;
import dev.policysync.report.Findings;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/// What the views say of findings beyond what reports say of them: since when each is known,
/// whether it is new, and whose it is.
///
/// @param comparison with an earlier report, where one was given
/// @param owners where a label was named
public record FindingContext(
    ReportHeader reportHeader, Optional<Comparison> comparison, Optional<Owners> owners) {
  /// Of findings that are compared with nothing and belong to nobody.
  public static FindingContext of(ReportHeader reportHeader) {
    return new FindingContext(reportHeader, Optional.empty(), Optional.empty());
  }

  /// When it was first seen, to the second: by the earlier report, else when it was last evaluated,
  /// else now. A report does not say when a finding began: each scan renews its time.
  Instant firstSeen(Finding finding) {
    var now = finding.seen().orElse(reportHeader.at());
    return comparison
        .flatMap(with -> with.firstSeen(finding))
        .filter(before -> before.isBefore(now))
        .or(() -> Optional.of(now).filter(seen -> seen.isBefore(reportHeader.at())))
        .orElse(reportHeader.at())
        .truncatedTo(ChronoUnit.SECONDS);
  }

  /// How long it has been known.
  Duration age(Finding finding) {
    return Duration.between(firstSeen(finding), reportHeader.at().truncatedTo(ChronoUnit.SECONDS));
  }

  /// Whether the earlier report did not have it; empty where there is none.
  Optional<Boolean> isNew(Finding finding) {
    return comparison.map(with -> with.isNew(finding));
  }

  /// How many findings each owner has, or nobody who is known.
  public Map<String, Long> findingsByOwner(Findings findings) {
    try (var stream = findings.stream()) {
      return stream.collect(
          Collectors.groupingBy(
              finding -> owner(finding).orElse(Owners.UNKNOWN), Collectors.counting()));
    }
  }

  /// Whose it is; empty where no label was named, and where the owner is not known.
  Optional<String> owner(Finding finding) {
    return owners.flatMap(of -> of.of(finding.resource()));
  }
}

package dev.policysync.report.view;

import dev.policysync.report.Finding;
import dev.policysync.report.Findings;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/// What the views show about findings beyond the content of reports: when each was first seen,
/// whether it is new, and who owns the resource.
///
/// @param comparison with an earlier report, if one was given
/// @param owners the owners of namespaces, if a label was given
public record FindingContext(
    ReportHeader reportHeader, Optional<Comparison> comparison, Optional<Owners> owners) {
  public static FindingContext of(ReportHeader reportHeader) {
    return new FindingContext(reportHeader, Optional.empty(), Optional.empty());
  }

  /// Returns when the finding was first seen, to the second: according to the earlier report, else
  /// when the resource was last evaluated, else now. A report does not contain when a finding
  /// began, because each scan updates its time.
  Instant firstSeen(Finding finding) {
    var now = finding.seen().orElse(reportHeader.at());
    return comparison
        .flatMap(with -> with.firstSeen(finding))
        .filter(before -> before.isBefore(now))
        .or(() -> Optional.of(now).filter(seen -> seen.isBefore(reportHeader.at())))
        .orElse(reportHeader.at())
        .truncatedTo(ChronoUnit.SECONDS);
  }

  Duration age(Finding finding) {
    return Duration.between(firstSeen(finding), reportHeader.at().truncatedTo(ChronoUnit.SECONDS));
  }

  /// Returns whether the earlier report lacks the finding; empty if there is no earlier report.
  Optional<Boolean> isNew(Finding finding) {
    return comparison.map(with -> with.isNew(finding));
  }

  /// Counts the findings by owner; those without a known owner count under [Owners#UNKNOWN].
  public Map<String, Long> findingsByOwner(Findings findings) {
    try (var stream = findings.stream()) {
      return stream.collect(
          Collectors.groupingBy(
              finding -> owner(finding).orElse(Owners.UNKNOWN), Collectors.counting()));
    }
  }

  /// Returns the owner of the finding's resource; empty if it is unknown or no label was given.
  Optional<String> owner(Finding finding) {
    return owners.flatMap(of -> of.of(finding.resource()));
  }
}

package dev.policysync.policy.kyverno;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The releases of Kyverno that a hazard affects: `before 1.12.7; since 1.13.0, before 1.13.1`.
public record AffectedVersions(List<Range> ranges) {
  public static final AffectedVersions ALL = new AffectedVersions(List.of());

  public AffectedVersions {
    ranges = List.copyOf(ranges);
  }

  /// A range of releases.
  ///
  /// @param since the first affected release; empty if that is the oldest one
  /// @param before the first later release that is not affected; empty if there is none yet
  public record Range(Optional<KyvernoVersion> since, Optional<KyvernoVersion> before) {
    boolean includes(KyvernoVersion version) {
      return since.filter(first -> version.compareTo(first) < 0).isEmpty()
          && before.filter(end -> version.compareTo(end) >= 0).isEmpty();
    }

    @Override
    public String toString() {
      var from = since.map(version -> "since " + version).orElse("");
      var to = before.map(version -> "before " + version).orElse("");
      return from + (from.isEmpty() || to.isEmpty() ? "" : ", ") + to;
    }
  }

  public static AffectedVersions since(String version) {
    return new AffectedVersions(
        List.of(new Range(Optional.of(KyvernoVersion.of(version)), Optional.empty())));
  }

  public static AffectedVersions before(String version) {
    return new AffectedVersions(
        List.of(new Range(Optional.empty(), Optional.of(KyvernoVersion.of(version)))));
  }

  public static AffectedVersions between(String since, String before) {
    return new AffectedVersions(
        List.of(
            new Range(
                Optional.of(KyvernoVersion.of(since)), Optional.of(KyvernoVersion.of(before)))));
  }

  public AffectedVersions or(AffectedVersions others) {
    return new AffectedVersions(Stream.concat(ranges.stream(), others.ranges.stream()).toList());
  }

  public boolean include(KyvernoVersion version) {
    return ranges.isEmpty() || ranges.stream().anyMatch(range -> range.includes(version));
  }

  @Override
  public String toString() {
    return ranges.isEmpty()
        ? "all"
        : ranges.stream().map(Range::toString).collect(Collectors.joining("; "));
  }
}

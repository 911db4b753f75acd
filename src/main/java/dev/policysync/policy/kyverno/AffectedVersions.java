package dev.policysync.policy.kyverno;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The releases of Kyverno that a hazard concerns: `before 1.12.7, 1.13.0 to before 1.13.1`.
public record AffectedVersions(List<Range> ranges) {
  /// Every release that is known.
  public static final AffectedVersions ALL = new AffectedVersions(List.of());

  public AffectedVersions {
    ranges = List.copyOf(ranges);
  }

  /// From one release to another.
  ///
  /// @param since the first that is concerned; empty where it is the oldest
  /// @param before the first that is not; empty where there is none yet
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

  /// That release and all after it.
  public static AffectedVersions since(String version) {
    return new AffectedVersions(
        List.of(new Range(Optional.of(KyvernoVersion.of(version)), Optional.empty())));
  }

  /// All releases before that one.
  public static AffectedVersions before(String version) {
    return new AffectedVersions(
        List.of(new Range(Optional.empty(), Optional.of(KyvernoVersion.of(version)))));
  }

  /// From a release to before another.
  public static AffectedVersions between(String since, String before) {
    return new AffectedVersions(
        List.of(
            new Range(
                Optional.of(KyvernoVersion.of(since)), Optional.of(KyvernoVersion.of(before)))));
  }

  /// These and those.
  public AffectedVersions or(AffectedVersions others) {
    return new AffectedVersions(Stream.concat(ranges.stream(), others.ranges.stream()).toList());
  }

  /// Whether that release is among them.
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

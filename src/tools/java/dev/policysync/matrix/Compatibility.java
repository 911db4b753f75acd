package dev.policysync.matrix;

import static java.util.stream.Collectors.joining;

import java.util.SortedSet;

/// What came of a [CompatibilityRun] in which everything held.
///
/// @param kubernetes what the API server calls itself: `1.33.13`
/// @param applied how many example policies were applied as they are
/// @param examples how many there are
/// @param missingKinds kinds of theirs that the cluster does not serve
/// @param rewritten policies that are written once more, as the API server loses their ownership
public record Compatibility(
    String kubernetes, int applied, int examples, SortedSet<String> missingKinds, int rewritten) {
  /// `30 of 33`.
  public String share() {
    return applied + " of " + examples;
  }

  /// Its row in `docs/compatibility.md`.
  ///
  /// @param kyverno `1.18.2`
  public String row(String kyverno) {
    var missing = missingKinds.stream().map(kind -> "`" + kind + "`").collect(joining(", "));
    return "| %s | %s | %s |".formatted(kyverno, share(), missing.isEmpty() ? "none" : missing);
  }
}

package dev.policysync.remote.cluster.policy;

import dev.policysync.base.Value;
import dev.policysync.plan.LiveStatus.Readiness;
import java.util.List;
import java.util.Locale;

/// The columns of a list that the API server sends as a table: those that `kubectl get` shows, from
/// the kind's CRD. They contain parts of a policy's status, which are not in its metadata.
record TableColumns(List<String> names) {
  static final TableColumns NONE = new TableColumns(List.of());

  private static final String READY = "READY";
  private static final String ADMISSION = "ADMISSION";

  /// @param definitions the table's `columnDefinitions`
  static TableColumns of(Value definitions) {
    return definitions instanceof Value.Sequence(var columns)
        ? new TableColumns(
            columns.stream()
                .map(column ->
                    column instanceof Value.Mapping mapping ? mapping.text("name").orElse("") : "")
                .map(name -> name.toUpperCase(Locale.ROOT))
                .toList())
        : NONE;
  }

  /// Returns a row's readiness. A policy with admission disabled works only in the background, and
  /// Kyverno 1.19 never reports such a ClusterPolicy as ready (its webhook controller counts only
  /// policies that are in a webhook).
  Readiness readiness(List<Value> cells) {
    if (!names.contains(READY) || text(cells, ADMISSION).equals("false")) {
      return Readiness.UNKNOWN;
    }
    return switch (text(cells, READY)) {
      case "true" -> Readiness.READY;
      case "" -> Readiness.UNREPORTED;
      default -> Readiness.NOT_READY;
    };
  }

  /// Returns a cell as text. String columns arrive as text, boolean columns as booleans.
  private String text(List<Value> cells, String column) {
    var at = names.indexOf(column);
    return at < 0 || at >= cells.size()
        ? ""
        : switch (cells.get(at)) {
          case Value.Text(var text) -> text.toLowerCase(Locale.ROOT);
          case Value.Bool(var value) -> Boolean.toString(value);
          default -> "";
        };
  }
}

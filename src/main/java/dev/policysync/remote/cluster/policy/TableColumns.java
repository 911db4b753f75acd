package dev.policysync.remote.cluster.policy;

import dev.policysync.base.Value;
import dev.policysync.plan.LiveStatus.Readiness;
import java.util.List;
import java.util.Locale;

/// The columns of a list that the API server sends as a table: those which `kubectl get` shows,
/// from the kind's CRD. They tell of a policy's status what its metadata does not.
record TableColumns(List<String> names) {
  /// None: the list is no table.
  static final TableColumns NONE = new TableColumns(List.of());

  private static final String READY = "READY";
  private static final String ADMISSION = "ADMISSION";

  /// @param definitions `columnDefinitions` of a table
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

  /// What a row says of its policy. One that is switched off at admission works in the background
  /// alone, and Kyverno 1.19 never calls such a ClusterPolicy ready (its webhook controller counts
  /// only policies that are in a webhook).
  Readiness readiness(List<Value> cells) {
    if (!names.contains(READY) || text(cells, ADMISSION).equals("false")) {
      return Readiness.UNKNOWN;
    }
    return text(cells, READY).equals("true") ? Readiness.READY : Readiness.NOT_READY;
  }

  /// Columns of the type string come as text, those of the type boolean as they are.
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

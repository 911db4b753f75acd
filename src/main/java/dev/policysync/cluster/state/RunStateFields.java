package dev.policysync.cluster.state;

import dev.policysync.json.Value;
import dev.policysync.policy.PolicyId;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/// What the parts of a run state's JSON have in common: policies by kind, so that thousands of them
/// fit, times to the second and whole numbers.
final class RunStateFields {
  private RunStateFields() {}

  static Value.Mapping policies(Collection<PolicyId> ids) {
    var kinds = new TreeMap<String, List<String>>();
    for (var id : ids) {
      kinds.computeIfAbsent(id.kind().qualified(), _ -> new ArrayList<>()).add(id.path());
    }
    var fields = new LinkedHashMap<String, Value>();
    kinds.forEach((kind, paths) -> fields.put(kind, texts(paths)));
    return new Value.Mapping(fields);
  }

  static List<PolicyId> policies(Value.Mapping kinds) {
    var ids = new ArrayList<PolicyId>();
    for (var kind : kinds.fields().keySet()) {
      for (var path : kinds.texts(kind)) {
        PolicyId.ofKey(kind + "/" + path).ifPresent(ids::add);
      }
    }
    return ids;
  }

  static Value.Sequence texts(Collection<String> texts) {
    return new Value.Sequence(texts.stream().<Value>map(Value.Text::new).toList());
  }

  static Value.Text time(Instant time) {
    return new Value.Text(time.truncatedTo(ChronoUnit.SECONDS).toString());
  }

  /// @throws java.time.DateTimeException if there is none
  static Instant time(Value.Mapping fields, String name) {
    return Instant.parse(fields.text(name).orElse(""));
  }

  /// @throws NumberFormatException if it is not a whole number
  static Optional<Integer> number(Value.Mapping fields, String name) {
    return fields.fields().get(name) instanceof Value.Numeric(var literal)
        ? Optional.of(Integer.parseInt(literal))
        : Optional.empty();
  }
}

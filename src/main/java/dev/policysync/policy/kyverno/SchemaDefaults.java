package dev.policysync.policy.kyverno;

import dev.policysync.base.Value;
import java.util.ArrayList;
import java.util.Map;
import java.util.Set;

/// Removes the fields that the API server adds to a policy from its schema's defaults, so that a
/// live object can be compared with the manifest to apply. Patterns, conditions and labels are left
/// unchanged, because the same names have another meaning there.
///
/// Source: the CRDs of Kyverno 1.19.0; the API server's own defaults seen on Kubernetes 1.36.3.
public final class SchemaDefaults {
  private static final Value YES = new Value.Bool(true);
  private static final Value NO = new Value.Bool(false);

  private static final Map<String, Value> USUAL =
      Map.ofEntries(
          Map.entry("skipBackgroundRequests", YES),
          Map.entry("allowExistingViolations", YES),
          Map.entry("generate", NO),
          Map.entry("method", new Value.Text("GET")),
          Map.entry("mutateDigest", YES),
          Map.entry("required", YES),
          Map.entry("useCache", YES),
          Map.entry("verifyDigest", YES),
          Map.entry("signatureAlgorithm", new Value.Text("sha256")),
          Map.entry("matchPolicy", new Value.Text("Equivalent")),
          Map.entry("namespaceSelector", Value.Mapping.EMPTY),
          Map.entry("objectSelector", Value.Mapping.EMPTY),
          Map.entry("scope", new Value.Text("*")));

  private static final Set<String> AS_WRITTEN =
      Set.of(
          "match",
          "exclude",
          "pattern",
          "anyPattern",
          "assert",
          "deny",
          "preconditions",
          "conditions",
          "value",
          "default",
          "matchLabels",
          "annotations");

  private SchemaDefaults() {}

  public static Value.Mapping removeFrom(Value.Mapping object) {
    var left = object;
    for (var field : object.fields().entrySet()) {
      var name = field.getKey();
      if (field.getValue().equals(USUAL.get(name)) || field.getValue() instanceof Value.Null) {
        left = left.without(name);
      } else if (!AS_WRITTEN.contains(name)) {
        left = left.with(name, removeFrom(field.getValue()));
      }
    }
    return left;
  }

  private static Value removeFrom(Value value) {
    return switch (value) {
      case Value.Mapping mapping -> removeFrom(mapping);
      case Value.Sequence(var items) -> {
        var left = new ArrayList<Value>();
        items.forEach(item -> left.add(removeFrom(item)));
        yield new Value.Sequence(left);
      }
      case Value.Text _, Value.Numeric _, Value.Bool _, Value.Null _ -> value;
    };
  }
}

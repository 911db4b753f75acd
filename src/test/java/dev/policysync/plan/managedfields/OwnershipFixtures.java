package dev.policysync.plan.managedfields;

import static dev.policysync.policy.PolicyFixtures.json;
import static dev.policysync.policy.PolicyFixtures.value;

import dev.policysync.base.Value;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Managed fields for tests, in the text form that the API server shows them in.
public final class OwnershipFixtures {
  private OwnershipFixtures() {}

  /// A field set from its `fieldsV1`: `{'f:spec': {'f:rules': {}}}`.
  public static FieldSet fields(String fieldsV1) {
    var root = json(fieldsV1);
    return root.fields().isEmpty() ? FieldSet.NONE : tree(root);
  }

  /// The entry that our own apply makes.
  public static ManagedFields ours(String fieldsV1) {
    return new ManagedFields(
        FieldOwnership.MANAGER, "Apply", "kyverno.io/v1", "", fields(fieldsV1));
  }

  /// The entry of somebody else who wrote by create, update or patch.
  public static ManagedFields updatedBy(String manager, String fieldsV1) {
    return new ManagedFields(manager, "Update", "kyverno.io/v1", "", fields(fieldsV1));
  }

  /// The managed fields after an apply of that manifest and nothing else, with every list atomic
  /// and every mapping granular.
  public static FieldOwnership applied(Value.Mapping manifest) {
    var metadata = manifest.mapping("metadata").without("name").without("namespace");
    var owned = manifest.without("apiVersion").without("kind").with("metadata", metadata);
    return new FieldOwnership(
        List.of(
            new ManagedFields(
                FieldOwnership.MANAGER,
                "Apply",
                manifest.text("apiVersion").orElse(""),
                "",
                new FieldSet(false, below(owned)))));
  }

  private static Map<PathElement, FieldSet> below(Value.Mapping mapping) {
    var children = new LinkedHashMap<PathElement, FieldSet>();
    mapping
        .fields()
        .forEach((name, value) -> {
          var leaf = !(value instanceof Value.Mapping map) || map.fields().isEmpty();
          children.put(
              new PathElement.Field(name),
              leaf ? FieldSet.LEAF : new FieldSet(false, below((Value.Mapping) value)));
        });
    return children;
  }

  private static FieldSet tree(Value.Mapping node) {
    var children = new LinkedHashMap<PathElement, FieldSet>();
    node.fields()
        .forEach((step, below) -> {
          if (!step.equals(".")) {
            children.put(element(step), tree((Value.Mapping) below));
          }
        });
    return new FieldSet(children.isEmpty() || node.fields().containsKey("."), children);
  }

  private static PathElement element(String step) {
    var rest = step.substring(2);
    return switch (step.substring(0, 2)) {
      case "f:" -> new PathElement.Field(rest);
      case "k:" -> new PathElement.Key(json(rest));
      case "v:" -> new PathElement.Item(value(rest));
      case "i:" -> new PathElement.Index(Integer.parseInt(rest));
      default -> throw new IllegalArgumentException(step);
    };
  }
}

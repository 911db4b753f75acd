package dev.policysync.plan;

import dev.policysync.base.Value;
import dev.policysync.policy.OwnershipAnnotations;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;

/// The changes that a write makes to an object.
///
/// @param fields in the order of the newer object
/// @param effect the change of the effect in words, such as `Audit → Enforce`; empty if it stays
///   the same
public record PolicyDiff(List<FieldChange> fields, Optional<String> effect) {
  /// No changes, or unknown changes.
  public static final PolicyDiff NONE = new PolicyDiff(List.of(), Optional.empty());

  public PolicyDiff {
    fields = List.copyOf(fields);
  }

  /// Returns the changes from one object to the other. An object without fields means that there is
  /// no object.
  public static PolicyDiff between(Value.Mapping before, Value.Mapping after) {
    var was = unsigned(before);
    var is = unsigned(after);
    var comparison = new Comparison();
    comparison.compareFields("", was, is);
    return new PolicyDiff(comparison.changes, EnforcementEffect.change(was, is));
  }

  /// Removes the annotation with the digest: it changes with every write and says nothing to
  /// people.
  private static Value.Mapping unsigned(Value.Mapping object) {
    var metadata = object.mapping("metadata");
    var annotations = metadata.mapping("annotations");
    return annotations.field(OwnershipAnnotations.APPLIED).isEmpty()
        ? object
        : object.with(
            "metadata",
            metadata.with("annotations", annotations.without(OwnershipAnnotations.APPLIED)));
  }

  /// Compares two objects field by field. List items are compared by `name` if all have one,
  /// otherwise by index. So an inserted rule is one change and not a change of every rule after it.
  private static final class Comparison {
    private final List<FieldChange> changes = new ArrayList<>();

    private void compare(String path, Optional<Value> before, Optional<Value> after) {
      if (before.equals(after)) {
        return;
      }
      if (before.orElse(null) instanceof Value.Mapping old
          && after.orElse(null) instanceof Value.Mapping fresh) {
        compareFields(path, old, fresh);
      } else if (before.orElse(null) instanceof Value.Sequence(var old)
          && after.orElse(null) instanceof Value.Sequence(var fresh)) {
        compareItems(path, old, fresh);
      } else {
        changes.add(new FieldChange(path, before, after));
      }
    }

    private void compareFields(String path, Value.Mapping before, Value.Mapping after) {
      var names = new LinkedHashSet<>(after.fields().keySet());
      names.addAll(before.fields().keySet());
      for (var name : names) {
        compare(
            below(path, name),
            Optional.ofNullable(before.fields().get(name)),
            Optional.ofNullable(after.fields().get(name)));
      }
    }

    private void compareItems(String path, List<Value> before, List<Value> after) {
      if (named(before) && named(after)) {
        var names = new LinkedHashSet<String>();
        after.forEach(item -> names.add(name(item)));
        before.forEach(item -> names.add(name(item)));
        for (var name : names) {
          compare(path + "[" + name + "]", byName(before, name), byName(after, name));
        }
        compareOrder(path, before, after);
        return;
      }
      for (int i = 0; i < Math.max(before.size(), after.size()); i++) {
        compare(path + "[" + i + "]", at(before, i), at(after, i));
      }
    }

    /// Compares the order of the items, which can change the result of rules even if the items are
    /// equal: each mutation sees the result of the previous ones.
    private void compareOrder(String path, List<Value> before, List<Value> after) {
      var was = namesAlsoIn(after, before);
      var is = namesAlsoIn(before, after);
      if (!was.equals(is)) {
        changes.add(new FieldChange(path + " (order)", Optional.of(was), Optional.of(is)));
      }
    }

    private static Value namesAlsoIn(List<Value> others, List<Value> items) {
      return new Value.Sequence(
          items.stream()
              .map(Comparison::name)
              .filter(name -> byName(others, name).isPresent())
              .<Value>map(Value.Text::new)
              .toList());
    }

    private static boolean named(List<Value> items) {
      return items.stream().allMatch(item -> !name(item).isEmpty())
          && items.stream().map(Comparison::name).distinct().count() == items.size();
    }

    private static String name(Value item) {
      return item instanceof Value.Mapping mapping ? mapping.text("name").orElse("") : "";
    }

    private static Optional<Value> byName(List<Value> items, String name) {
      return items.stream().filter(item -> name(item).equals(name)).findFirst();
    }

    private static Optional<Value> at(List<Value> items, int index) {
      return index < items.size() ? Optional.of(items.get(index)) : Optional.empty();
    }

    private static String below(String path, String name) {
      if (name.indexOf('.') >= 0 || name.indexOf('/') >= 0) {
        return path + "[" + name + "]";
      }
      return path.isEmpty() ? name : path + "." + name;
    }
  }
}

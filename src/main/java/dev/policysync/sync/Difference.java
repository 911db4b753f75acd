package dev.policysync.sync;

import dev.policysync.policy.Value;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;

/// Finds the fields in which two objects differ, in the order of the newer one. List items are
/// compared by their `name` where all have one, else by their place, so that an inserted rule is
/// one change and not a change of every rule behind it.
final class Difference {
  private final List<FieldChange> changes = new ArrayList<>();

  private Difference() {}

  static List<FieldChange> between(PolicyStore.Preview preview) {
    var difference = new Difference();
    difference.compareFields("", preview.before(), preview.after());
    return List.copyOf(difference.changes);
  }

  private void compare(String path, Optional<Value> before, Optional<Value> after) {
    if (before.equals(after)) {
      return;
    }
    if (before.orElse(null) instanceof Value.Mapping old
        && after.orElse(null) instanceof Value.Mapping fresh) {
      compareFields(path + ".", old, fresh);
    } else if (before.orElse(null) instanceof Value.Sequence(var old)
        && after.orElse(null) instanceof Value.Sequence(var fresh)) {
      compareItems(path, old, fresh);
    } else {
      changes.add(new FieldChange(path, before, after));
    }
  }

  private void compareFields(String prefix, Value.Mapping before, Value.Mapping after) {
    var names = new LinkedHashSet<>(after.fields().keySet());
    names.addAll(before.fields().keySet());
    for (var name : names) {
      compare(
          prefix + (plain(name) ? name : "[" + name + "]"),
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
      return;
    }
    for (int i = 0; i < Math.max(before.size(), after.size()); i++) {
      compare(path + "[" + i + "]", at(before, i), at(after, i));
    }
  }

  private static boolean named(List<Value> items) {
    return items.stream().allMatch(item -> !name(item).isEmpty())
        && items.stream().map(Difference::name).distinct().count() == items.size();
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

  private static boolean plain(String name) {
    return name.indexOf('.') < 0 && name.indexOf('/') < 0;
  }
}

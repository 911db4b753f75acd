package dev.policysync.drift;

import dev.policysync.base.CanonicalJson;
import dev.policysync.base.Value;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What one object has otherwise than another, field by field, as people read it and as patches say
/// it.
///
/// @param where `spec.variables[1].name`
/// @param said `"a" → "b"`
record ObjectDiff(String where, String said) {
  private static final int MOST = 160;

  static List<ObjectDiff> between(Value before, Value after) {
    var changes = new ArrayList<ObjectDiff>();
    compare("", before, after, changes);
    return changes;
  }

  private static void compare(String path, Value before, Value after, List<ObjectDiff> changes) {
    if (before.equals(after)) {
      return;
    }
    if (before instanceof Value.Mapping(var was) && after instanceof Value.Mapping(var is)) {
      var names = new LinkedHashSet<>(was.keySet());
      names.addAll(is.keySet());
      for (var name : names) {
        var below = path.isEmpty() ? name : path + "." + name;
        var one = was.get(name);
        var other = is.get(name);
        if (one != null && other != null) {
          compare(below, one, other, changes);
        } else {
          changes.add(new ObjectDiff(below, text(one) + " → " + text(other)));
        }
      }
    } else if (before instanceof Value.Sequence(var was)
        && after instanceof Value.Sequence(var is)
        && was.size() == is.size()) {
      for (int i = 0; i < was.size(); i++) {
        compare(path + "[" + i + "]", was.get(i), is.get(i), changes);
      }
    } else {
      changes.add(new ObjectDiff(path, text(before) + " → " + text(after)));
    }
  }

  private static String text(@Nullable Value value) {
    var text = value == null ? "nothing" : CanonicalJson.write(value);
    return text.length() <= MOST ? text : text.substring(0, MOST) + "…";
  }

  /// A JSON merge patch: null removes, lists are replaced whole.
  static Value.Mapping mergePatch(Value.Mapping before, Value.Mapping after) {
    var patch = new LinkedHashMap<String, Value>();
    before
        .fields()
        .keySet()
        .forEach(name -> {
          if (!after.fields().containsKey(name)) {
            patch.put(name, Value.Null.NULL);
          }
        });
    after
        .fields()
        .forEach((name, is) -> {
          var was = before.fields().get(name);
          if (was instanceof Value.Mapping one && is instanceof Value.Mapping other) {
            var below = mergePatch(one, other);
            if (!below.fields().isEmpty()) {
              patch.put(name, below);
            }
          } else if (!is.equals(was)) {
            patch.put(name, is);
          }
        });
    return new Value.Mapping(patch);
  }

  /// A JSON patch, a text since it is a list: each operation as deep as mappings go.
  static String jsonPatch(Value.Mapping before, Value.Mapping after) {
    var operations = new ArrayList<Value>();
    operations("", before, after, operations);
    return CanonicalJson.write(new Value.Sequence(operations));
  }

  private static void operations(
      String pointer, Value.Mapping before, Value.Mapping after, List<Value> operations) {
    before
        .fields()
        .keySet()
        .forEach(name -> {
          if (!after.fields().containsKey(name)) {
            operations.add(operation("remove", pointer, name, Value.Null.NULL));
          }
        });
    after
        .fields()
        .forEach((name, is) -> {
          var was = before.fields().get(name);
          if (was instanceof Value.Mapping one && is instanceof Value.Mapping other) {
            operations(pointer + "/" + escaped(name), one, other, operations);
          } else if (!is.equals(was)) {
            operations.add(operation("add", pointer, name, is));
          }
        });
  }

  private static Value operation(String op, String pointer, String name, Value value) {
    return new Value.Mapping(
        Map.of(
            "op", new Value.Text(op),
            "path", new Value.Text(pointer + "/" + escaped(name)),
            "value", value));
  }

  private static String escaped(String name) {
    return name.replace("~", "~0").replace("/", "~1");
  }

  @Override
  public String toString() {
    return where + ": " + said;
  }
}

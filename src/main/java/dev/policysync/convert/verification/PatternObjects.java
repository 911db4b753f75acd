package dev.policysync.convert.verification;

import dev.policysync.base.Value;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.regex.Pattern;

/// Builds objects in the shape of a pattern. A leaf is a scalar of the pattern, counted in its
/// order, or a map or a list in it, which may be missing or of another type, too.
final class PatternObjects {
  private static final Pattern ANCHOR = Pattern.compile("([+<=X^])?\\((.+)\\)", Pattern.DOTALL);
  private static final int MANY = 100_000;

  /// Chooses the value of the next leaf, and how many items a list has.
  private interface Choice {
    Optional<Value> of(Value pattern, Optional<Value> satisfying);

    default int items() {
      return 1;
    }
  }

  private PatternObjects() {}

  static int leaves(Value pattern) {
    var none = new Focused(-1, -1);
    build(pattern, none);
    return none.at;
  }

  /// Returns one object for each value of that leaf, and one without it; the other leaves are
  /// satisfied.
  static List<Value> withLeaf(Value pattern, int leaf) {
    var objects = new ArrayList<Value>();
    for (int value = -1; value < MANY; value++) {
      var focused = new Focused(leaf, value);
      var object = build(pattern, focused);
      if (focused.exhausted) {
        return objects;
      }
      object.ifPresent(objects::add);
    }
    return objects;
  }

  private static final class Focused implements Choice {
    private final int leaf;
    private final int value;
    private int at;
    private boolean exhausted;

    private Focused(int leaf, int value) {
      this.leaf = leaf;
      this.value = value;
    }

    @Override
    public Optional<Value> of(Value pattern, Optional<Value> satisfying) {
      if (at++ != leaf) {
        return satisfying;
      }
      var values = LeafValues.of(pattern);
      exhausted = value >= values.size();
      return value < 0 || exhausted ? Optional.empty() : Optional.of(values.get(value));
    }
  }

  /// Returns a random object in which most leaves are satisfied.
  static Value random(Value pattern, Random random) {
    var choice =
        new Choice() {
          @Override
          public Optional<Value> of(Value leaf, Optional<Value> satisfying) {
            if (random.nextInt(10) < 7) {
              return satisfying;
            }
            var values = LeafValues.of(leaf);
            var one = random.nextInt(values.size() + 8);
            return one < values.size() ? Optional.of(values.get(one)) : Optional.empty();
          }

          @Override
          public int items() {
            return List.of(0, 1, 1, 2, 3).get(random.nextInt(5));
          }
        };
    return build(pattern, choice).orElse(Value.Mapping.EMPTY);
  }

  private static Optional<Value> build(Value pattern, Choice choice) {
    return switch (pattern) {
      case Value.Mapping(var fields) -> {
        var object = new LinkedHashMap<String, Value>();
        fields.forEach((key, below) -> {
          var anchor = ANCHOR.matcher(key);
          var anchored = anchor.matches();
          var name = anchored ? anchor.group(2) : key;
          (anchored && "X".equals(anchor.group(1))
                  ? choice.of(below, Optional.empty())
                  : build(below, choice))
              .ifPresent(value -> object.put(name, value));
        });
        yield choice.of(pattern, Optional.of(new Value.Mapping(object)));
      }
      case Value.Sequence(var items) -> {
        var list = new ArrayList<Value>();
        for (var item : items) {
          for (int i = choice.items(); i > 0; i--) {
            build(item, choice).ifPresent(list::add);
          }
        }
        yield choice.of(pattern, Optional.of(new Value.Sequence(list)));
      }
      default -> choice.of(pattern, Optional.of(LeafValues.of(pattern).getFirst()));
    };
  }

  /// The values for a leaf of a pattern: some that satisfy it, some that do not, and some of
  /// another type or without content.
  private static final class LeafValues {
    private static final Pattern NUMBER = Pattern.compile("-?\\d{1,12}");
    private static final List<Value> ODD =
        ((Value.Sequence)
                PodField.parsed(
                    """
                    [null, "", "zz", "0", "-1", "5m", "1h", "-3h", "0s", "604800s", "2Gi", "0.5",
                     "true", 0, 1, -1, 70000, 1.5, true, false, {}, {"a": "b"}, [], [null], ["zz"]]
                    """))
            .items();

    /// Returns all values to try for that scalar; the first satisfies it in most cases.
    static List<Value> of(Value scalar) {
      var values = new LinkedHashSet<Value>();
      switch (scalar) {
        case Value.Text(var text) -> ofText(text, values);
        case Value.Numeric(var literal) -> {
          values.add(scalar);
          values.add(new Value.Text(literal));
          values.add(new Value.Text("00" + literal));
          values.add(new Value.Text(literal + ".0"));
          values.add(new Value.Text("+" + literal));
        }
        case Value.Bool(var value) -> {
          values.add(scalar);
          values.add(new Value.Bool(!value));
          values.add(new Value.Text(Boolean.toString(value)));
        }
        default -> values.add(scalar);
      }
      var lists = new ArrayList<Value>();
      values.forEach(value -> lists.add(new Value.Sequence(List.of(value))));
      values.addAll(lists);
      values.add(new Value.Sequence(List.of(values.iterator().next(), new Value.Text("zz"))));
      values.addAll(ODD);
      return List.copyOf(values);
    }

    private static void ofText(String text, Set<Value> values) {
      var parts = text.split("[|&]", -1);
      for (var part : parts) {
        numbers(part.strip(), values);
      }
      for (var part : parts) {
        var operand = operand(part);
        if (!part.strip().startsWith("!")) {
          for (var filling : List.of("a/b:c", "x", "")) {
            values.add(new Value.Text(operand.replace("*", filling).replace('?', 'y')));
          }
        }
      }
      values.add(new Value.Text("another"));
      for (var part : parts) {
        var operand = operand(part);
        values.add(new Value.Text(operand.replace("*", "x").replace('?', 'y')));
        values.add(new Value.Text(operand + "q"));
        values.add(new Value.Text("q" + operand));
      }
      values.add(new Value.Text(text));
    }

    /// Adds values near a bound, first one that satisfies the comparison.
    private static void numbers(String part, Set<Value> values) {
      for (var bound : operand(part).split("!?-", -1)) {
        if (NUMBER.matcher(bound).matches()) {
          var number = Long.parseLong(bound);
          var first = part.startsWith("<") || part.contains("!-") ? number - 1 : number;
          var near = part.startsWith(">") || part.startsWith("!") ? number + 1 : first;
          for (var value : List.of(near, number, number + 1, number - 1)) {
            values.add(Value.Numeric.of(value));
            values.add(new Value.Text(Long.toString(value)));
          }
        }
      }
    }

    private static String operand(String part) {
      return part.strip().replaceAll("^(>=|<=|>|<|!)\\s*", "");
    }
  }
}

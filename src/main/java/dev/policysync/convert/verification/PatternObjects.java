package dev.policysync.convert.verification;

import dev.policysync.base.Value;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.regex.Pattern;

/// Builds objects in the shape of a pattern. A leaf is a scalar of the pattern, counted in its
/// order, or a map or a list in it, which may be missing or of another type, too.
final class PatternObjects {
  private static final Pattern ANCHOR = Pattern.compile("([+<=X^])?\\((.+)\\)", Pattern.DOTALL);
  private static final int MANY = 100_000;

  /// Chooses the value of the next leaf.
  private interface Choice {
    Optional<Value> of(Value pattern, Optional<Value> satisfying);

    int items();
  }

  private final Choice choice;

  private PatternObjects(Choice choice) {
    this.choice = choice;
  }

  static int leaves(Value pattern) {
    var counted = new int[1];
    build(
        pattern,
        new Choice() {
          @Override
          public Optional<Value> of(Value leaf, Optional<Value> satisfying) {
            counted[0]++;
            return satisfying;
          }

          @Override
          public int items() {
            return 1;
          }
        });
    return counted[0];
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

    @Override
    public int items() {
      return 1;
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
    return new PatternObjects(choice).built(pattern);
  }

  private Optional<Value> built(Value pattern) {
    return switch (pattern) {
      case Value.Mapping(var fields) -> {
        var object = new LinkedHashMap<String, Value>();
        fields.forEach((key, below) -> {
          var anchor = ANCHOR.matcher(key);
          var anchored = anchor.matches();
          var name = anchored ? anchor.group(2) : key;
          (anchored && "X".equals(anchor.group(1))
                  ? choice.of(below, Optional.empty())
                  : built(below))
              .ifPresent(value -> object.put(name, value));
        });
        yield choice.of(pattern, Optional.of(new Value.Mapping(object)));
      }
      case Value.Sequence(var items) -> {
        var list = new ArrayList<Value>();
        for (var item : items) {
          for (int i = choice.items(); i > 0; i--) {
            built(item).ifPresent(list::add);
          }
        }
        yield choice.of(pattern, Optional.of(new Value.Sequence(list)));
      }
      default -> choice.of(pattern, Optional.of(LeafValues.of(pattern).getFirst()));
    };
  }
}

package dev.policysync.convert.condition;

import dev.policysync.convert.expression.Cel;
import java.util.List;

/// What becomes of conditions: they hold, they cannot be evaluated, or, where neither is true, they
/// do not hold. Both are never true at once.
public record Outcome(Cel holds, Cel fails) {
  static final Outcome HOLDS = new Outcome(Cel.TRUE, Cel.FALSE);

  /// Kyverno looks at one after the other, until one does not hold.
  static Outcome all(List<Outcome> outcomes) {
    var holds = Cel.TRUE;
    var fails = Cel.FALSE;
    for (var outcome : outcomes.reversed()) {
      fails = outcome.fails.or(outcome.holds.and(fails));
      holds = outcome.holds.and(holds);
    }
    return new Outcome(holds, fails);
  }

  /// Kyverno looks at one after the other, until one holds.
  static Outcome any(List<Outcome> outcomes) {
    var holds = Cel.FALSE;
    var fails = Cel.FALSE;
    for (var outcome : outcomes.reversed()) {
      fails = outcome.fails.or(outcome.holds.not().and(fails));
      holds = outcome.holds.or(outcome.fails.not().and(holds));
    }
    return new Outcome(holds, fails);
  }

  /// Both, the second one whatever the first one says.
  Outcome and(Outcome other) {
    return new Outcome(
        holds.and(other.holds).and(fails.or(other.fails).not()), fails.or(other.fails));
  }
}

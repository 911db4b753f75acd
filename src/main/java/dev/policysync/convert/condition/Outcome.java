package dev.policysync.convert.condition;

import dev.policysync.convert.expression.Cel;
import java.util.List;

/// The outcome of conditions: they hold, they cannot be evaluated (`fails`), or, if neither is
/// true, they do not hold. `holds` and `fails` are never true at once.
public record Outcome(Cel holds, Cel fails) {
  static final Outcome HOLDS = new Outcome(Cel.TRUE, Cel.FALSE);

  /// Joins outcomes by `all`: Kyverno evaluates them in order, until one does not hold.
  static Outcome all(List<Outcome> outcomes) {
    var holds = Cel.TRUE;
    var fails = Cel.FALSE;
    for (var outcome : outcomes.reversed()) {
      fails = outcome.fails.or(outcome.holds.and(fails));
      holds = outcome.holds.and(holds);
    }
    return new Outcome(holds, fails);
  }

  /// Joins outcomes by `any`: Kyverno evaluates them in order, until one holds.
  static Outcome any(List<Outcome> outcomes) {
    var holds = Cel.FALSE;
    var fails = Cel.FALSE;
    for (var outcome : outcomes.reversed()) {
      fails = outcome.fails.or(outcome.holds.not().and(fails));
      holds = outcome.holds.or(outcome.fails.not().and(holds));
    }
    return new Outcome(holds, fails);
  }

  /// Joins two outcomes that both have to hold; the second is evaluated whatever the first one
  /// says.
  Outcome and(Outcome other) {
    return new Outcome(
        holds.and(other.holds).and(fails.or(other.fails).not()), fails.or(other.fails));
  }
}

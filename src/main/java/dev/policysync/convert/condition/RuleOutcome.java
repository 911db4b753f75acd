package dev.policysync.convert.condition;

import dev.policysync.convert.expression.Cel;
import java.util.Optional;

/// The outcome of a rule: it is skipped, it fails, it cannot be evaluated (`errors`), or, if none
/// is true, it passes.
///
/// @param results the expression that the others call `results`, if they use it
public record RuleOutcome(Cel skips, Cel fails, Cel errors, Optional<String> results) {
  /// The name of the expression that the others share.
  public static final String RESULTS = "results";

  public static RuleOutcome of(Cel skips, Cel fails, Cel errors) {
    return new RuleOutcome(skips, fails, errors, Optional.empty());
  }

  /// Binds `results` in the expression, if the expression uses it.
  public Cel bound(Cel expression) {
    return results.isEmpty() || !expression.text().contains(RESULTS)
        ? expression
        : Cel.call("cel.bind(" + RESULTS + ", " + results.get() + ", " + expression + ")");
  }

  public RuleOutcome withVariable() {
    return new RuleOutcome(skips, fails, errors, results.map(_ -> "variables." + RESULTS));
  }
}

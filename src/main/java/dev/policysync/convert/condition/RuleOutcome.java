package dev.policysync.convert.condition;

import dev.policysync.convert.expression.Cel;
import java.util.Optional;

/// What becomes of a rule's judgement: it is skipped, it fails, it cannot be evaluated, or, where
/// none is true, it passes.
///
/// @param results what the others call `results`, if they do
public record RuleOutcome(Cel skips, Cel fails, Cel errors, Optional<String> results) {
  /// The name of what they have in common.
  public static final String RESULTS = "results";

  /// One without results.
  public static RuleOutcome of(Cel skips, Cel fails, Cel errors) {
    return new RuleOutcome(skips, fails, errors, Optional.empty());
  }

  /// The expression with the results bound, if there are any.
  public Cel bound(Cel expression) {
    return results.isEmpty() || !expression.text().contains(RESULTS)
        ? expression
        : Cel.call("cel.bind(" + RESULTS + ", " + results.get() + ", " + expression.text() + ")");
  }

  /// The same, where they are a variable of the policy.
  public RuleOutcome withVariable() {
    return new RuleOutcome(skips, fails, errors, results.map(_ -> "variables." + RESULTS));
  }
}

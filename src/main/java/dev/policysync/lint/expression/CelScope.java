package dev.policysync.lint.expression;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The declarations that the expressions of one policy share: those of its kind, and the types of
/// its variables.
public final class CelScope {
  private final CelEnvironment environment;
  private final Map<String, CelDeclaredType> variables = new HashMap<>();

  public CelScope(CelEnvironment environment) {
    this.environment = environment;
  }

  /// The result of checking an expression.
  ///
  /// @param type the type: `bool`, `list(string)`; `dyn` if CEL knows it only when the expression
  ///   is evaluated; empty if it is not known here
  public record Checked(Optional<String> type, List<Cel.Problem> problems) {
    public Checked {
      problems = List.copyOf(problems);
    }
  }

  /// Checks an expression; an expression that does not parse has no type and no problems.
  public Checked check(String expression) {
    return CelGrammar.tree(expression)
        .map(tree -> {
          var checker = new CelChecker(environment, tree.getSource().getPositionsMap(), variables);
          var type = checker.check(tree.getExpr(), Map.of());
          return new Checked(
              Optional.of(type.toString()).filter(_ -> !type.isUnknown()), checker.problems());
        })
        .orElse(new Checked(Optional.empty(), List.of()));
  }

  /// Adds a variable of the policy.
  public void define(String name, String expression) {
    CelGrammar.tree(expression)
        .ifPresent(tree ->
            variables.put(
                name,
                new CelChecker(environment, tree.getSource().getPositionsMap(), variables)
                    .check(tree.getExpr(), Map.of())));
  }
}

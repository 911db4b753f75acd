package dev.policysync.lint.expression;

import java.util.Optional;
import software.amazon.smithy.jmespath.JmespathException;
import software.amazon.smithy.jmespath.JmespathExpression;

/// The grammar of JMESPath (<https://jmespath.org/specification.html>). Whether a function exists
/// is not looked at, as Kyverno does not when a policy is created.
public final class JmesPath {
  private JmesPath() {}

  /// What is wrong with an expression, if it does not parse: `Expected ']', but found EOF`.
  public static Optional<String> problem(String expression) {
    if (expression.isEmpty()) {
      return Optional.of("it is empty");
    }
    try {
      JmespathExpression.parse(expression);
      return Optional.empty();
    } catch (JmespathException e) {
      var message = String.valueOf(e.getMessage());
      // Go's parser, which Kyverno has, does without the commas between items.
      return message.contains("','") && !message.contains("found EOF")
          ? Optional.empty()
          : Optional.of(message.substring(message.indexOf(": ") + 1).strip());
    }
  }
}

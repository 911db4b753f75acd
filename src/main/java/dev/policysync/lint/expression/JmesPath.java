package dev.policysync.lint.expression;

import java.util.Optional;
import software.amazon.smithy.jmespath.JmespathException;
import software.amazon.smithy.jmespath.JmespathExpression;

/// Checks the grammar of JMESPath (<https://jmespath.org/specification.html>). Whether a function
/// exists is not checked; Kyverno does not check it either when a policy is created.
public final class JmesPath {
  private JmesPath() {}

  /// Returns why an expression does not parse: `Expected ']', but found EOF`. Empty if it parses.
  public static Optional<String> problem(String expression) {
    if (expression.isEmpty()) {
      return Optional.of("it is empty");
    }
    try {
      JmespathExpression.parse(expression);
      return Optional.empty();
    } catch (JmespathException e) {
      var message = String.valueOf(e.getMessage());
      // Kyverno's parser, which is in Go, does not require commas between items.
      return message.contains("','") && !message.contains("found EOF")
          ? Optional.empty()
          : Optional.of(message.substring(message.indexOf(": ") + 1).strip());
    }
  }
}

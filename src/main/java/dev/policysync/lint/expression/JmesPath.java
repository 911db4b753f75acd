package dev.policysync.lint.expression;

import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import software.amazon.smithy.jmespath.JmespathException;
import software.amazon.smithy.jmespath.JmespathExpression;

/// Checks the grammar of JMESPath (<https://jmespath.org/specification.html>). Whether a function
/// exists is not checked; Kyverno does not check it either when a policy is created.
public final class JmesPath {
  /// Texts in any quotes, in which a word before a parenthesis is not a call.
  private static final Pattern QUOTED =
      Pattern.compile("'(\\\\.|[^'\\\\])*'|\"(\\\\.|[^\"\\\\])*\"|`(\\\\.|[^`\\\\])*`");

  private static final Pattern CALL = Pattern.compile("([A-Za-z_][A-Za-z0-9_]*)\\(");

  private JmesPath() {}

  /// Returns the names of the functions that an expression calls.
  public static Set<String> functions(String expression) {
    return CALL.matcher(QUOTED.matcher(expression).replaceAll(" "))
        .results()
        .map(call -> call.group(1))
        .collect(Collectors.toCollection(TreeSet::new));
  }

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

package dev.policysync.lint.expression;

import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.CelIssue;
import dev.cel.common.CelOptions;
import dev.cel.common.CelSourceLocation;
import dev.cel.common.CelValidationException;
import dev.cel.parser.CelParser;
import dev.cel.parser.CelParserImpl;
import dev.cel.parser.CelStandardMacro;
import java.util.Optional;
import java.util.regex.Pattern;

/// Parses CEL with the syntax that Kubernetes adds: optional fields (`.?`) and names in
/// back-quotes. Describes in plain words what the generated parser reports by token.
final class CelGrammar {
  private static final CelParser PARSER =
      CelParserImpl.newBuilder()
          .setStandardMacros(CelStandardMacro.STANDARD_MACROS)
          .setOptions(
              CelOptions.current()
                  .enableOptionalSyntax(true)
                  .enableQuotedIdentifierSyntax(true)
                  .build())
          .build();

  private static final Pattern UNEXPECTED =
      Pattern.compile("(?:extraneous|mismatched) input '(.*?)' expecting .*", Pattern.DOTALL);
  private static final Pattern MISSING = Pattern.compile("missing '(.*)' at .*", Pattern.DOTALL);
  private static final Pattern STUCK =
      Pattern.compile("no viable alternative at input '(.*)'", Pattern.DOTALL);
  private static final Pattern NO_TOKEN =
      Pattern.compile("token recognition error at: '(.*)'", Pattern.DOTALL);

  private CelGrammar() {}

  /// Returns the syntax tree of an expression; empty if it does not parse.
  static Optional<CelAbstractSyntaxTree> tree(String expression) {
    try {
      return Optional.of(PARSER.parse(expression).getAst());
    } catch (CelValidationException _) {
      return Optional.empty();
    }
  }

  static Cel read(String expression) {
    try {
      CelAbstractSyntaxTree tree = PARSER.parse(expression).getAst();
      return CelFacts.of(tree.getExpr());
    } catch (CelValidationException e) {
      var first = e.getErrors().getFirst();
      return new Cel.Invalid(index(expression, first.getSourceLocation()), reason(first));
    }
  }

  /// Returns the index of a location in the text. Lines count from 1, columns from 0 in code
  /// points. An error without a location gets the index 0.
  private static int index(String expression, CelSourceLocation location) {
    int begin = 0;
    for (int line = 1; line < location.getLine(); line++) {
      begin = expression.indexOf('\n', begin) + 1;
    }
    int rest = expression.codePointCount(begin, expression.length());
    return expression.offsetByCodePoints(begin, Math.clamp(location.getColumn(), 0, rest));
  }

  private static String reason(CelIssue issue) {
    var message = issue.getMessage();
    var unexpected = UNEXPECTED.matcher(message);
    if (unexpected.matches()) {
      return unexpected.group(1).equals("<EOF>")
          ? "unexpected end"
          : "\"" + unexpected.group(1) + "\" is unexpected here";
    }
    var missing = MISSING.matcher(message);
    if (missing.matches()) {
      return "a \"" + missing.group(1) + "\" is missing here";
    }
    var stuck = STUCK.matcher(message);
    if (stuck.matches()) {
      return "syntax error at \"" + stuck.group(1) + "\"";
    }
    var token = NO_TOKEN.matcher(message);
    if (token.matches()) {
      var text = token.group(1).strip();
      return text.startsWith("'") || text.startsWith("\"")
          ? "unclosed quote"
          : "\"" + text + "\" is not valid in CEL";
    }
    return message;
  }
}

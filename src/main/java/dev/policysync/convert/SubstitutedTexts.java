package dev.policysync.convert;

import dev.policysync.base.Value;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import software.amazon.smithy.jmespath.ast.LiteralExpression;

/// The variables in quotes in an expression: `regex_match('^a', '{{ request.object.spec.name }}')`.
/// Kyverno replaces each with its value, as JSON if it is not a string, and parses the whole.
///
/// Source: Kyverno 1.19.0, `substituteVariablesIfAny`, and the lexer of go-jmespath.
///
/// @param expression the expression with a mark in the place of each variable
/// @param terms the values of the variables
/// @param missing tests whether one of the variables cannot be evaluated
/// @param misread tests whether one of the values would end its quotes, so that the rest means
///   something else
/// @param between the text from the first variable to the last one, as CEL
/// @param around the texts before and after `between`
record SubstitutedTexts(
    String expression,
    List<Term> terms,
    Cel missing,
    Cel misread,
    String between,
    List<String> around) {
  private static final String VARIABLE = "\\{\\{((?:\\{[^{}]*+\\}|[^{}]++)*+)\\}\\}";
  private static final Pattern QUOTED = Pattern.compile("(?<!\\\\)'" + VARIABLE + "'");
  private static final Pattern NAME =
      Pattern.compile("request\\.(?:object\\.metadata\\.(?:name|namespace|uid)|namespace)");
  private static final String MARK = "\uE000";
  private static final Pattern IN_BRACES = Pattern.compile("\\{[^{}]*" + MARK + "[^{}]*\\}");

  /// Matches texts with braces in pairs only. Kyverno does not take a text with other braces for a
  /// variable.
  private static final String IN_PAIRS = "\"^(\\\\{[^{}]*\\\\}|[^{}])*$\"";

  private static final SubstitutedTexts NONE =
      new SubstitutedTexts("", List.of(), Cel.FALSE, Cel.FALSE, "", List.of());

  /// Finds the variables in quotes in an expression that is a variable itself.
  static SubstitutedTexts in(String expression, Roots roots, Bindings bindings, Value at) {
    if (!expression.contains("{{")) {
      return NONE.with(expression);
    }
    var terms = new ArrayList<Term>();
    var missing = Cel.FALSE;
    var misread = Cel.FALSE;
    var marked = new StringBuilder();
    var between = new StringBuilder();
    var around = new ArrayList<String>();
    int from = 0;
    var matcher = QUOTED.matcher(expression);
    while (matcher.find()) {
      var term = JmesPathTranslation.of(variable(matcher.group(1), at), roots, bindings, at);
      var text = bindings.bind(term.asText().text());
      missing = missing.or(term.error());
      misread =
          misread
              .or(Cel.call(text + ".contains(\"'\")"))
              .or(Cel.call(text + ".endsWith(\"\\\\\")"));
      var before = expression.substring(from, matcher.start() + 1);
      if (terms.isEmpty()) {
        around.add(before);
      } else {
        between.append(" + ").append(Cel.quoted(before)).append(" + ");
      }
      between.append(text);
      from = matcher.end() - 1;
      matcher.appendReplacement(marked, "'" + MARK + terms.size() + "'");
      terms.add(Term.of(text, Set.of(JsonType.STRING)));
    }
    matcher.appendTail(marked);
    around.add(expression.substring(from));
    // A literal may contain the mark as an escape.
    if (expression.contains(MARK)
        || expression.contains("\\u")
        || marked.indexOf("{{") >= 0
        || IN_BRACES.matcher(marked).find()) {
      throw unquoted(at);
    }
    return new SubstitutedTexts(
        marked.toString(), List.copyOf(terms), missing, misread, between.toString(), around);
  }

  /// Finds the variables in quotes in an expression about another document. Only names of the
  /// object are accepted, as they have no braces.
  static SubstitutedTexts ofNames(String expression, Roots roots, Bindings bindings, Value at) {
    var other =
        QUOTED
            .matcher(expression)
            .results()
            .anyMatch(found -> !NAME.matcher(found.group(1).strip()).matches());
    if (other) {
      throw Untranslatable.value(
          at,
          "a variable in JMESPath that is not the name, namespace or uid of the object in quotes",
          "compare with the value itself in CEL");
    }
    return in(expression, roots, bindings, at);
  }

  private SubstitutedTexts with(String other) {
    return new SubstitutedTexts(other, terms, missing, misread, between, around);
  }

  /// Replaces each variable in quotes with as many other characters.
  static String masked(String text) {
    return QUOTED
        .matcher(text)
        .replaceAll(found -> "'" + "_".repeat(found.group().length() - 2) + "'");
  }

  private static String variable(String written, Value at) {
    var variable = written.strip();
    if (variable.startsWith("-") || variable.contains("@") || variable.isEmpty()) {
      throw unquoted(at);
    }
    return variable;
  }

  private static Untranslatable unquoted(Value at) {
    return Untranslatable.value(
        at,
        "a variable in JMESPath that is no text in quotes",
        "compare with the value itself in CEL");
  }

  /// Returns the value for a literal that is a mark.
  Optional<Term> of(LiteralExpression literal, Value at) {
    for (int i = 0; i < terms.size(); i++) {
      if (literal.isStringValue() && literal.expectStringValue().equals(MARK + i)) {
        return Optional.of(terms.get(i));
      }
    }
    name(String.valueOf(literal.getValue()), at);
    return Optional.empty();
  }

  /// Returns the name of a field, and refuses a name that contains a mark.
  String name(String field, Value at) {
    if (!terms.isEmpty() && field.contains(MARK)) {
      throw unquoted(at);
    }
    return field;
  }

  /// Returns the value of the expression, with the errors of the variables in it.
  Term read(Term term) {
    return terms.isEmpty()
        ? term
        : term.withErrors(term.missing(), missing.or(misread).or(term.fails()));
  }

  /// Returns the value of an expression that is a variable only if its braces are in pairs. If they
  /// are not, the value is the substituted text itself.
  Term readOrWritten(Term term, Bindings bindings) {
    if (terms.isEmpty()) {
      return term;
    }
    var variable = Cel.call("(" + between + ").matches(" + IN_PAIRS + ")");
    var doubled =
        Cel.call("(" + between + ").contains(\"{{\")")
            .or(Cel.call("(" + between + ").contains(\"}}\")"));
    var text =
        Cel.quoted("{{" + around.getFirst())
            + " + "
            + between
            + " + "
            + Cel.quoted(around.getLast() + "}}");
    var kinds = EnumSet.of(JsonType.STRING);
    kinds.addAll(term.kinds());
    var value = Cel.call("dyn(" + term.text() + ")").where(variable, Cel.call("dyn(" + text + ")"));
    var fails = misread.or(term.error()).where(variable, doubled);
    var traits = EnumSet.noneOf(Term.Trait.class);
    if (term.isComposed()) {
      traits.add(Term.Trait.COMPOSED);
    }
    if (term.isFinal()) {
      traits.add(Term.Trait.FINAL);
    }
    return Term.of(bindings.bind(value.text()), kinds)
        .withErrors(Cel.FALSE, missing.or(fails))
        .with(traits);
  }
}

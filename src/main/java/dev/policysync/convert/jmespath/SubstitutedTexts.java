package dev.policysync.convert.jmespath;

import dev.policysync.convert.expression.Cel;
import dev.policysync.convert.expression.Untranslatable;
import dev.policysync.json.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import software.amazon.smithy.jmespath.ast.LiteralExpression;

/// Texts of the request in an expression about something else: `items[?metadata.uid != '{{
/// request.object.metadata.uid }}']`. Kyverno puts the value there and reads the whole, so that a
/// quote in it would end the text. So only what is certainly a text is taken, and only where
/// [#PLAIN] knows it.
///
/// @param expression with a mark in each one's place
/// @param terms what they stand for
/// @param fails whether one of them is none
record SubstitutedTexts(String expression, List<Term> terms, Cel fails) {
  static final SubstitutedTexts NONE = new SubstitutedTexts("", List.of(), Cel.FALSE);

  private static final Pattern QUOTED =
      Pattern.compile(
          "'\\{\\{\\s*(request\\.object\\.metadata\\.(?:name|namespace|uid))\\s*\\}\\}'");
  private static final String MARK = "\uE000";
  private static final String PLAIN = "\"^[-A-Za-z0-9_.:/@]*$\"";

  static SubstitutedTexts in(String expression, Roots roots, Bindings bindings, Value at) {
    var terms = new ArrayList<Term>();
    var fails = Cel.FALSE;
    var marked = new StringBuilder();
    var matcher = QUOTED.matcher(expression);
    while (matcher.find()) {
      var term = JmesPathTranslation.of(matcher.group(1), roots, bindings, at);
      var plain = isPlain(term);
      terms.add(
          Term.of(
              bindings.bind(Cel.call(term.text()).where(plain, Cel.call("\"\"")).text()),
              Set.of(Kind.STRING)));
      fails = fails.or(term.error()).or(plain.not());
      matcher.appendReplacement(marked, "'" + MARK + (terms.size() - 1) + "'");
    }
    matcher.appendTail(marked);
    if (mayMention(expression, MARK) || marked.indexOf("{{") >= 0) {
      throw Untranslatable.value(
          at,
          "a variable in JMESPath that is not the name, namespace or uid of the object in quotes",
          "compare with the value itself in CEL");
    }
    return new SubstitutedTexts(marked.toString(), List.copyOf(terms), fails);
  }

  private static Cel isPlain(Term term) {
    return term.is(Kind.STRING).and(Cel.call(term.text() + ".matches(" + PLAIN + ")"));
  }

  /// Whether it is written there, or as an escape, which a literal in JSON may have.
  private static boolean mayMention(String expression, String mark) {
    return expression.contains(mark) || expression.contains("\\u");
  }

  /// The text that a literal stands for.
  Optional<Term> of(LiteralExpression literal) {
    if (!literal.isStringValue()) {
      return Optional.empty();
    }
    for (int i = 0; i < terms.size(); i++) {
      if (literal.expectStringValue().equals(MARK + i)) {
        return Optional.of(terms.get(i));
      }
    }
    return Optional.empty();
  }
}

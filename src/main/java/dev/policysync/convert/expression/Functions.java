package dev.policysync.convert.expression;

import dev.policysync.base.Value;
import dev.policysync.convert.expression.Term.Trait;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;

/// Translates functions of JMESPath and of Kyverno that have a counterpart in CEL. An argument of
/// another type is an error.
///
/// Source: functions.go of github.com/kyverno/go-jmespath and of pkg/engine/jmespath.
final class Functions {
  private static final String NO_COUNTERPART = "JMESPath without an exact counterpart";
  private static final String ADVICE = "write the condition in CEL";
  private static final Pattern LITERAL = Pattern.compile("\".*\"", Pattern.DOTALL);

  /// Matches syntax of regular expressions that Java or Perl has and RE2 lacks.
  private static final Pattern NO_RE2 = Pattern.compile("\\(\\?[=!<>]|\\\\[1-9]|[*+?}]\\+");

  private final Bindings bindings;
  private final Value at;

  Functions(Bindings bindings, Value at) {
    this.bindings = bindings;
    this.at = at;
  }

  /// Translates a function call. A missing field is null to the function.
  Term of(String name, List<Term> arguments) {
    var fails = Cel.any(arguments.stream().map(Term::fails).toList());
    var term =
        switch (name + "/" + arguments.size()) {
          case "length/1" -> length(arguments.getFirst());
          case "keys/1" -> {
            var map = arguments.getFirst();
            var plain = map.origin().filter(Origin::hasPlainKeys).isPresent();
            yield ofMap(map, ".map(k, k)", plain || map.isFinal()).with(Set.of(Trait.OF_SCALARS));
          }
          case "values/1" -> {
            var map = arguments.getFirst();
            yield ofMap(map, ".map(k, " + map.text() + "[k])", map.isFinal());
          }
          case "contains/2" -> contains(arguments.get(0), text(name, arguments.get(1)));
          case "starts_with/2" -> ofTexts(arguments.get(0), "startsWith", arguments.get(1));
          case "ends_with/2" -> ofTexts(arguments.get(0), "endsWith", arguments.get(1));
          case "not_null/2" -> notNull(arguments.get(0), arguments.get(1));
          case "split/2" -> split(arguments.get(0), literal(name, arguments.get(1)));
          // Two letters outside ASCII have a counterpart in ASCII.
          case "to_upper/1" ->
              cased(
                  arguments.get(0),
                  ".replace(\"\u0131\", \"I\").replace(\"\u017f\", \"S\").upperAscii()");
          case "to_lower/1" ->
              cased(
                  arguments.get(0),
                  ".replace(\"\u212a\", \"k\").replace(\"\u0130\", \"i\").lowerAscii()");
          case "to_array/1" -> array(arguments.getFirst());
          case "to_string/1" -> string(arguments.getFirst());
          case "regex_match/2" -> regex(literal(name, arguments.get(0)), arguments.get(1));
          case "pattern_match/2" -> glob(literal(name, arguments.get(0)), arguments.get(1));
          default -> throw Untranslatable.named(at, NO_COUNTERPART, name + "()", ADVICE);
        };
    return term.withErrors(Cel.FALSE, fails.or(term.fails()));
  }

  private Term length(Term of) {
    return where(of.is(Kind.STRING, Kind.LIST, Kind.MAP), "size(" + of.text() + ")", Kind.NUMBER);
  }

  private Term ofMap(Term map, String list, boolean braceless) {
    return where(map.is(Kind.MAP), map.text() + list, Kind.LIST)
        .with(Set.of(Trait.UNORDERED))
        .with(Projections.ofItems(map, braceless));
  }

  private Term contains(Term in, String part) {
    var inText = Cel.call(in.text() + ".contains(" + part + ")");
    var inList = Cel.comparison(part + " in " + in.text());
    return where(
        in.is(Kind.STRING, Kind.LIST),
        (in.mayBe(Kind.LIST) ? inText.where(in.is(Kind.STRING), inList) : inText).text(),
        Kind.BOOL);
  }

  private Term ofTexts(Term text, String test, Term part) {
    return where(
        text.is(Kind.STRING).and(part.is(Kind.STRING)),
        text.text() + "." + test + "(" + part.text() + ")",
        Kind.BOOL);
  }

  private Term notNull(Term first, Term second) {
    return first.orElse(second.withoutMissing(second.fails()), bindings);
  }

  private Term split(Term text, String separator) {
    if (separator.equals("\"\"")) {
      throw refused("split() without a separator");
    }
    if (LITERAL.matcher(text.text()).matches()) {
      throw refused("split() of a text that is always the same");
    }
    return where(text.is(Kind.STRING), text.text() + ".split(" + separator + ")", Kind.LIST)
        .with(Projections.ofItems(text, text.isBraceless()))
        .with(Set.of(Trait.OF_SCALARS));
  }

  private Term cased(Term text, String call) {
    return where(text.is(Kind.STRING), text.text() + call, Kind.STRING).with(ofText(text));
  }

  private Term array(Term of) {
    var list = Cel.call(of.text()).where(of.is(Kind.LIST), Cel.call("[dyn(" + of.text() + ")]"));
    return Term.of(bindings.bind(list.text()), Set.of(Kind.LIST))
        .with(Projections.ofItems(of, of.isBraceless()))
        .withOrigin(of.origin());
  }

  private Term string(Term of) {
    return Term.of(bindings.bind(of.asText().text()), Set.of(Kind.STRING)).with(ofText(of));
  }

  /// Returns the traits that a string made of that term certainly has.
  private static Set<Trait> ofText(Term text) {
    return text.isBraceless() ? Set.of(Trait.BRACELESS) : Set.of();
  }

  private Term regex(String regex, Term of) {
    if (NO_RE2.matcher(regex).find()) {
      throw refused("a regular expression that RE2 does not know");
    }
    return ofWritten(of, text -> Cel.call(text + ".matches(" + regex + ")"));
  }

  private Term glob(String quoted, Term of) {
    if (quoted.contains("\\")) {
      throw refused("pattern_match() with special characters");
    }
    var glob = quoted.substring(1, quoted.length() - 1);
    return ofWritten(of, text -> GlobTest.matches(text, glob));
  }

  /// Tests a string, or a fraction as a string: whole numbers are not numbers to these functions.
  private Term ofWritten(Term of, Function<String, Cel> test) {
    var isText = of.is(Kind.STRING);
    var fraction =
        of.mayBe(Kind.NUMBER) ? Cel.comparison("type(" + of.text() + ") == double") : Cel.FALSE;
    var written = of.mayBe(Kind.NUMBER) ? "string(" + of.text() + ")" : of.text();
    return where(isText.or(fraction), test.apply(written).text(), Kind.BOOL);
  }

  private Term where(Cel condition, String value, Kind kind) {
    if (condition.equals(Cel.TRUE)) {
      return Term.of(bindings.bind(value), Set.of(kind));
    }
    var text = "(" + condition + ") ? dyn(" + value + ") : dyn(null)";
    return Term.of(bindings.bind(text), EnumSet.of(kind, Kind.NULL))
        .withErrors(Cel.FALSE, condition.not());
  }

  private String text(String function, Term argument) {
    return argument.kinds().equals(Set.of(Kind.STRING))
        ? argument.text()
        : literal(function, argument);
  }

  private String literal(String function, Term argument) {
    if (!LITERAL.matcher(argument.text()).matches()) {
      throw refused(function + "() of two values of the object");
    }
    return argument.text();
  }

  private Untranslatable refused(String what) {
    return Untranslatable.value(at, NO_COUNTERPART + ": " + what, ADVICE);
  }
}

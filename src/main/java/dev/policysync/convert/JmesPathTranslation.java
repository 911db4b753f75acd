package dev.policysync.convert;

import dev.policysync.base.Value;
import dev.policysync.convert.Term.Trait;
import dev.policysync.policy.kyverno.Glob;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import software.amazon.smithy.jmespath.JmespathException;
import software.amazon.smithy.jmespath.JmespathExpression;
import software.amazon.smithy.jmespath.ast.AndExpression;
import software.amazon.smithy.jmespath.ast.ComparatorExpression;
import software.amazon.smithy.jmespath.ast.CurrentExpression;
import software.amazon.smithy.jmespath.ast.FieldExpression;
import software.amazon.smithy.jmespath.ast.FilterProjectionExpression;
import software.amazon.smithy.jmespath.ast.FlattenExpression;
import software.amazon.smithy.jmespath.ast.FunctionExpression;
import software.amazon.smithy.jmespath.ast.IndexExpression;
import software.amazon.smithy.jmespath.ast.LiteralExpression;
import software.amazon.smithy.jmespath.ast.MultiSelectListExpression;
import software.amazon.smithy.jmespath.ast.NotExpression;
import software.amazon.smithy.jmespath.ast.ObjectProjectionExpression;
import software.amazon.smithy.jmespath.ast.OrExpression;
import software.amazon.smithy.jmespath.ast.ProjectionExpression;
import software.amazon.smithy.jmespath.ast.Subexpression;

/// Translates a JMESPath expression into CEL.
///
/// Source: the interpreter of github.com/kyverno/go-jmespath, which Kyverno 1.19.0 uses, node by
/// node.
final class JmesPathTranslation {
  /// The deepest nesting that is translated: each level of an expression takes several frames of
  /// Java's stack, and of the CEL parser's.
  private static final int DEEPEST = 32;

  private static final String NO_COUNTERPART = "JMESPath without an exact counterpart";
  private static final String ADVICE = "write the condition in CEL";
  private static final Pattern LITERAL = Pattern.compile("\".*\"", Pattern.DOTALL);

  /// Matches syntax of regular expressions that Java or Perl has and RE2 lacks.
  private static final Pattern NO_RE2 = Pattern.compile("\\(\\?[=!<>]|\\\\[1-9]|[*+?}]\\+");

  private final Roots roots;
  private final Bindings bindings;
  private final Value at;
  private final SubstitutedTexts texts;
  private int depth;

  private JmesPathTranslation(Roots roots, Bindings bindings, Value at, SubstitutedTexts texts) {
    this.roots = roots;
    this.bindings = bindings;
    this.at = at;
    this.texts = texts;
  }

  /// Translates an expression. The text of the term refers to the bindings.
  ///
  /// @param at the value to blame if there is no translation
  /// @throws Untranslatable if there is no exact translation
  static Term of(String expression, Roots roots, Bindings bindings, Value at) {
    var texts = SubstitutedTexts.in(expression, roots, bindings, at);
    var translation = new JmesPathTranslation(roots, bindings, at, texts);
    var term = translation.parsed(texts.expression(), Optional.empty());
    var withVariables =
        term.withErrors(term.missing(), term.fails().or(roots.fails(expression, bindings, at)));
    return texts.readOrWritten(withVariables, bindings);
  }

  /// Translates an expression about a document, in which `'{{ … }}'` stands for a name of the
  /// object.
  ///
  /// @param document the value at which the expression begins
  static Term ofDocument(
      String expression, Term document, Roots roots, Bindings bindings, Value at) {
    var texts = SubstitutedTexts.ofNames(expression, roots, bindings, at);
    var translation = new JmesPathTranslation(roots, bindings, at, texts);
    return texts.read(translation.parsed(texts.expression(), Optional.of(document)));
  }

  /// Replaces the variables in the expression with other characters, as many as before.
  static String masked(String expression) {
    return SubstitutedTexts.masked(expression);
  }

  private Term parsed(String expression, Optional<Term> document) {
    try {
      return of(JmespathExpression.parse(expression), document).resolved(bindings);
    } catch (JmespathException _) {
      throw Untranslatable.value(at, "JMESPath that cannot be read", "write the condition in CEL");
    } catch (StackOverflowError _) {
      throw nestedTooDeeply(at);
    }
  }

  private static Untranslatable nestedTooDeeply(Value at) {
    return Untranslatable.value(
        at,
        "JMESPath that is nested more than " + DEEPEST + " levels deep",
        "use several conditions, or write it in CEL");
  }

  private Term resolved(JmespathExpression node, Optional<Term> current) {
    return of(node, current).resolved(bindings);
  }

  private Term of(JmespathExpression node, Optional<Term> current) {
    if (depth == DEEPEST) {
      throw nestedTooDeeply(at);
    }
    depth++;
    try {
      return translated(node, current);
    } finally {
      depth--;
    }
  }

  private Term translated(JmespathExpression node, Optional<Term> current) {
    return switch (node) {
      case FieldExpression field -> field(texts.name(field.getName(), at), current);
      case CurrentExpression _ -> current.orElseThrow(() -> refused("@ at the beginning"));
      case LiteralExpression literal -> texts.of(literal, at).orElseGet(() -> literal(literal));
      case Subexpression sub -> sub(sub, current);
      case OrExpression or -> or(resolved(or.getLeft(), current), or.getRight(), current);
      case AndExpression and -> and(resolved(and.getLeft(), current), and.getRight(), current);
      case NotExpression not -> {
        var negated = resolved(not.getExpression(), current);
        yield Term.of(bindings.bind(negated.truthy().not().text()), Set.of(JsonType.BOOL))
            .withErrors(Cel.FALSE, negated.fails());
      }
      case ComparatorExpression comparator -> compared(comparator, current);
      case FunctionExpression function ->
          called(
              function.getName(),
              function.getArguments().stream()
                  .map(argument -> resolved(argument, current))
                  .toList());
      case IndexExpression index ->
          index(current.orElseThrow(() -> refused("an index at the beginning")), index.getIndex());
      case MultiSelectListExpression list -> multiSelect(list, current);
      case FlattenExpression flatten -> flattened(resolved(flatten.getExpression(), current));
      case FilterProjectionExpression filter -> filtered(filter, current);
      case ObjectProjectionExpression values -> valuesProjected(values, current);
      case ProjectionExpression projection ->
          projected(resolved(projection.getLeft(), current), projection.getRight());
      default -> throw refused(node.getClass().getSimpleName().replace("Expression", ""));
    };
  }

  private Term field(String name, Optional<Term> current) {
    if (current.isEmpty()) {
      return roots.named(name, bindings, at);
    }
    return current.get().traits().contains(Trait.REQUEST)
        ? roots.ofRequest(name, at)
        : current.get().field(name);
  }

  /// Translates a dot or a pipe. A dot passes on that a field is missing; a pipe reads null there,
  /// on both of its sides.
  private Term sub(Subexpression sub, Optional<Term> current) {
    var left = of(sub.getLeft(), current);
    if (!sub.isPipe() && sub.getRight() instanceof FieldExpression field) {
      return field(texts.name(field.getName(), at), Optional.of(left));
    }
    var resolved = left.resolved(bindings);
    var missing = sub.isPipe() ? Cel.FALSE : resolved.missing();
    var right =
        of(sub.getRight(), Optional.of(resolved.withErrors(Cel.FALSE, Cel.FALSE)))
            .resolved(bindings);
    return right.withErrors(
        sub.isPipe() ? Cel.FALSE : missing.or(right.missing()),
        resolved.fails().or(missing.not().and(right.fails())));
  }

  private Term or(Term left, JmespathExpression node, Optional<Term> current) {
    var truthy = left.truthy();
    if (truthy.equals(Cel.TRUE)) {
      return left.withErrors(Cel.FALSE, left.fails());
    }
    var right = resolved(node, current);
    var kinds = EnumSet.copyOf(right.kinds());
    left.kinds().stream().filter(kind -> kind != JsonType.NULL).forEach(kinds::add);
    var traits = EnumSet.noneOf(Trait.class);
    right.traits().stream()
        .filter(trait -> trait == Trait.NOT_EMPTY || left.traits().contains(trait))
        .forEach(traits::add);
    if (left.traits().contains(Trait.UNORDERED)) {
      traits.add(Trait.UNORDERED);
    }
    traits.removeAll(List.of(Trait.SCALAR, Trait.BRACELESS, Trait.COMPOSED, Trait.FINAL));
    traits.addAll(left.commonTraits(right));
    var either = "(" + truthy + ") ? dyn(" + left.text() + ") : dyn(" + right.text() + ")";
    return new Term(
        bindings.bind(either),
        List.of(),
        kinds,
        traits,
        Cel.FALSE,
        left.fails().or(truthy.not().and(right.fails())),
        right.isBraceless() ? left.origin() : Optional.empty());
  }

  private Term and(Term left, JmespathExpression node, Optional<Term> current) {
    var right = resolved(node, current);
    var kinds = EnumSet.copyOf(left.kinds());
    kinds.addAll(right.kinds());
    var both = "(" + left.truthy() + ") ? dyn(" + right.text() + ") : dyn(" + left.text() + ")";
    var goesOn = left.truthy();
    return Term.of(bindings.bind(both), kinds)
        .withErrors(goesOn.and(right.missing()), left.fails().or(goesOn.and(right.fails())))
        .with(left.commonTraits(right));
  }

  private Term compared(ComparatorExpression comparator, Optional<Term> current) {
    var operator = comparator.getComparator().toString();
    for (var side : List.of(comparator.getLeft(), comparator.getRight())) {
      if ((side instanceof LiteralExpression literal && literal.isNumberValue())
          || side instanceof FunctionExpression) {
        throw refused("a comparison of numbers");
      }
    }
    if (!operator.equals("==") && !operator.equals("!=")) {
      throw refused("a comparison of numbers");
    }
    var left = resolved(comparator.getLeft(), current);
    var right = resolved(comparator.getRight(), current);
    if (left.traits().contains(Trait.UNORDERED) || right.traits().contains(Trait.UNORDERED)) {
      throw refused("a comparison of lists in no certain order");
    }
    return Term.of(
            bindings.bind("dyn(" + left.text() + ") " + operator + " dyn(" + right.text() + ")"),
            Set.of(JsonType.BOOL))
        .withErrors(Cel.FALSE, left.fails().or(right.fails()));
  }

  private Term index(Term list, int index) {
    var of = list.resolved(bindings);
    if (of.traits().contains(Trait.UNORDERED)) {
      throw refused("an index of a list in no certain order");
    }
    var size = "size(" + of.text() + ")";
    var inRange = Cel.comparison(index < 0 ? size + " >= " + -index : size + " > " + index);
    var item = of.text() + "[" + (index < 0 ? size + " - " + -index : index) + "]";
    return of.item(
            bindings.bind(
                Cel.call(item)
                    .where(of.is(JsonType.LIST).and(inRange), Cel.call("dyn(null)"))
                    .text()))
        .withErrors(of.missing(), of.fails());
  }

  private Term multiSelect(MultiSelectListExpression list, Optional<Term> current) {
    var of = current.orElseThrow(() -> refused("a list at the beginning")).resolved(bindings);
    var items = new ArrayList<String>();
    var origins = new HashSet<Optional<Origin>>();
    var traits = EnumSet.of(Trait.COMPOSED, Trait.BRACELESS);
    var fails = of.fails();
    for (var node : list.getExpressions()) {
      var item = resolved(node, Optional.of(of));
      items.add("dyn(" + item.text() + ")");
      fails = fails.or(item.fails());
      origins.add(item.origin());
      if (!item.isBraceless()) {
        traits.remove(Trait.BRACELESS);
      }
    }
    var selected = "[" + String.join(", ", items) + "]";
    return list(selected, of.is(JsonType.NULL).not(), of.mayBe(JsonType.NULL))
        .withErrors(of.missing(), fails)
        .with(traits)
        .withOrigin(origins.size() == 1 ? origins.iterator().next() : Optional.empty());
  }

  /// Translates `[]`, for which any error on its left is null.
  private Term flattened(Term list) {
    return list(list.text() + ".flatten()", list.is(JsonType.LIST), list.kinds().size() > 1)
        .with(list.traitsOfItems(list.isFinal()))
        .withOrigin(list.origin());
  }

  /// Translates `.*`, the values of a map, in no certain order; null if the term is not a map. Only
  /// fields may follow: Kyverno also evaluates the rest on one null for each value, and a field of
  /// null is null, too.
  private Term valuesProjected(ObjectProjectionExpression values, Optional<Term> current) {
    if (!isPath(values.getRight())) {
      throw refused("anything but fields after .*");
    }
    var map = resolved(values.getLeft(), current).withErrors(Cel.FALSE, Cel.FALSE);
    var list =
        list(
                map.text() + ".map(k, " + map.text() + "[k])",
                map.is(JsonType.MAP),
                !map.is(JsonType.MAP).equals(Cel.TRUE))
            .with(Set.of(Trait.UNORDERED))
            .with(map.traitsOfItems(map.isFinal()));
    return projected(list, values.getRight());
  }

  private static boolean isPath(JmespathExpression node) {
    return switch (node) {
      case CurrentExpression _, FieldExpression _, IndexExpression _ -> true;
      case Subexpression sub -> isPath(sub.getLeft()) && isPath(sub.getRight());
      default -> false;
    };
  }

  /// Translates an expression for each item of a list, without nulls; null if the term is not a
  /// list.
  private Term projected(Term list, JmespathExpression right) {
    var inner = bindings.inner();
    var item = bindings.fresh("e");
    var result = inScope(inner).resolved(right, Optional.of(list.item(item)));
    var mapped =
        result.text().equals(item)
            ? list.text()
            : list.text() + ".map(" + item + ", " + inner.wrap(result.text()) + ")";
    var some = result.mayBe(JsonType.NULL) ? mapped + ".filter(r, r != null)" : mapped;
    return ofItems(list, some, result.fails(), item, inner)
        .with(result.traitsOfItems(result.isBraceless()))
        .with(result.isScalar() ? Set.of(Trait.OF_SCALARS) : Set.of())
        .withOrigin(result.origin());
  }

  /// Translates `[?…]`, the items for which the expression counts as true.
  private Term filtered(FilterProjectionExpression filter, Optional<Term> current) {
    var list = resolved(filter.getLeft(), current).withErrors(Cel.FALSE, Cel.FALSE);
    var inner = bindings.inner();
    var item = bindings.fresh("e");
    var kept = inScope(inner).resolved(filter.getComparison(), Optional.of(list.item(item)));
    var some = list.text() + ".filter(" + item + ", " + inner.wrap(kept.truthy()) + ")";
    return projected(
        ofItems(list, some, kept.fails(), item, inner)
            .with(list.traitsOfItems(list.isFinal()))
            .withOrigin(list.origin()),
        filter.getRight());
  }

  /// Returns a list that is made of another one item by item.
  ///
  /// @param fails tests whether the expression about an item is an error
  /// @param inner the bindings of that expression, which are bound anew for each item
  private Term ofItems(Term list, String made, Cel fails, String item, Bindings inner) {
    var isList = list.is(JsonType.LIST);
    var failsSomewhere =
        fails.equals(Cel.FALSE)
            ? Cel.FALSE
            : isList.and(
                Cel.call(list.text() + ".exists(" + item + ", " + inner.wrap(fails) + ")"));
    var exists = isList.and(failsSomewhere.not());
    var ofItems = list(made, exists, !exists.equals(Cel.TRUE));
    var unordered = list.traits().contains(Trait.UNORDERED);
    return ofItems
        .withErrors(Cel.FALSE, list.fails().or(failsSomewhere))
        .with(unordered ? Set.of(Trait.UNORDERED) : Set.of());
  }

  /// Returns the list if the condition holds, else null.
  private Term list(String list, Cel condition, boolean mayBeNull) {
    var text = Cel.call(list).where(condition, Cel.call("dyn(null)")).text();
    return Term.of(
        bindings.bind(text),
        mayBeNull ? EnumSet.of(JsonType.LIST, JsonType.NULL) : EnumSet.of(JsonType.LIST));
  }

  private JmesPathTranslation inScope(Bindings inner) {
    return new JmesPathTranslation(roots, inner, at, texts);
  }

  private Term literal(LiteralExpression literal) {
    var value = LiteralExpression.unwrap(literal);
    var traits = EnumSet.noneOf(Trait.class);
    if (value instanceof String text && !text.isEmpty()) {
      traits.add(Trait.NOT_EMPTY);
    }
    if (value instanceof String text && !Glob.isPattern(text)) {
      traits.add(Trait.PLAIN);
    }
    if ((!(value instanceof Map) && !String.valueOf(value).contains("{"))
        || (value instanceof Map<?, ?> map && map.isEmpty())) {
      traits.add(Trait.BRACELESS);
    }
    return Term.of(literalText(value), Set.of(kindOf(value)), traits.toArray(Trait[]::new));
  }

  private static JsonType kindOf(Object value) {
    return switch (value) {
      case null -> JsonType.NULL;
      case String _ -> JsonType.STRING;
      case Boolean _ -> JsonType.BOOL;
      case Number _ -> JsonType.NUMBER;
      case List<?> _ -> JsonType.LIST;
      default -> JsonType.MAP;
    };
  }

  private String literalText(Object value) {
    return switch (value) {
      case null -> "dyn(null)";
      case String text -> Cel.quoted(text);
      case Boolean bool -> bool.toString();
      case Number number when number.doubleValue() == number.intValue() ->
          Integer.toString(number.intValue());
      case List<?> list -> {
        var items = new ArrayList<String>();
        list.forEach(item -> items.add("dyn(" + literalText(item) + ")"));
        yield "[" + String.join(", ", items) + "]";
      }
      case Map<?, ?> map when map.isEmpty() -> "{}";
      default -> throw refused("a literal map or fraction");
    };
  }

  /// Translates a call of a function of JMESPath or of Kyverno that has a counterpart in CEL. A
  /// missing field is null to the function; an argument of another type is an error.
  ///
  /// Source: functions.go of github.com/kyverno/go-jmespath and of pkg/engine/jmespath.
  private Term called(String name, List<Term> arguments) {
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
    return where(
        of.is(JsonType.STRING, JsonType.LIST, JsonType.MAP),
        "size(" + of.text() + ")",
        JsonType.NUMBER);
  }

  private Term ofMap(Term map, String list, boolean braceless) {
    return where(map.is(JsonType.MAP), map.text() + list, JsonType.LIST)
        .with(Set.of(Trait.UNORDERED))
        .with(map.traitsOfItems(braceless));
  }

  private Term contains(Term in, String part) {
    var inText = Cel.call(in.text() + ".contains(" + part + ")");
    var inList = Cel.comparison(part + " in " + in.text());
    return where(
        in.is(JsonType.STRING, JsonType.LIST),
        (in.mayBe(JsonType.LIST) ? inText.where(in.is(JsonType.STRING), inList) : inText).text(),
        JsonType.BOOL);
  }

  private Term ofTexts(Term text, String test, Term part) {
    return where(
        text.is(JsonType.STRING).and(part.is(JsonType.STRING)),
        text.text() + "." + test + "(" + part.text() + ")",
        JsonType.BOOL);
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
    return where(text.is(JsonType.STRING), text.text() + ".split(" + separator + ")", JsonType.LIST)
        .with(text.traitsOfItems(text.isBraceless()))
        .with(Set.of(Trait.OF_SCALARS));
  }

  private Term cased(Term text, String call) {
    return where(text.is(JsonType.STRING), text.text() + call, JsonType.STRING).with(ofText(text));
  }

  private Term array(Term of) {
    var list =
        Cel.call(of.text()).where(of.is(JsonType.LIST), Cel.call("[dyn(" + of.text() + ")]"));
    return Term.of(bindings.bind(list.text()), Set.of(JsonType.LIST))
        .with(of.traitsOfItems(of.isBraceless()))
        .withOrigin(of.origin());
  }

  private Term string(Term of) {
    return Term.of(bindings.bind(of.asText().text()), Set.of(JsonType.STRING)).with(ofText(of));
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
    var isText = of.is(JsonType.STRING);
    var fraction =
        of.mayBe(JsonType.NUMBER) ? Cel.comparison("type(" + of.text() + ") == double") : Cel.FALSE;
    var written = of.mayBe(JsonType.NUMBER) ? "string(" + of.text() + ")" : of.text();
    return where(isText.or(fraction), test.apply(written).text(), JsonType.BOOL);
  }

  private Term where(Cel condition, String value, JsonType kind) {
    if (condition.equals(Cel.TRUE)) {
      return Term.of(bindings.bind(value), Set.of(kind));
    }
    var text = "(" + condition + ") ? dyn(" + value + ") : dyn(null)";
    return Term.of(bindings.bind(text), EnumSet.of(kind, JsonType.NULL))
        .withErrors(Cel.FALSE, condition.not());
  }

  private String text(String function, Term argument) {
    return argument.kinds().equals(Set.of(JsonType.STRING))
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

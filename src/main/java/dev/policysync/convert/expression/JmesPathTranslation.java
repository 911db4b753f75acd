package dev.policysync.convert.expression;

import dev.policysync.base.Value;
import dev.policysync.convert.expression.Term.Trait;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
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
public final class JmesPathTranslation {
  /// The deepest nesting that is translated: each level of an expression takes several frames of
  /// Java's stack, and of the CEL parser's.
  private static final int DEEPEST = 32;

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
  public static Term of(String expression, Roots roots, Bindings bindings, Value at) {
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
  public static Term ofDocument(
      String expression, Term document, Roots roots, Bindings bindings, Value at) {
    var texts = SubstitutedTexts.ofNames(expression, roots, bindings, at);
    var translation = new JmesPathTranslation(roots, bindings, at, texts);
    return texts.read(translation.parsed(texts.expression(), Optional.of(document)));
  }

  /// Replaces the variables in the expression with other characters, as many as before.
  public static String masked(String expression) {
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
      case LiteralExpression literal ->
          texts.of(literal, at).orElseGet(() -> Literals.of(literal, at));
      case Subexpression sub -> sub(sub, current);
      case OrExpression or -> or(resolved(or.getLeft(), current), or.getRight(), current);
      case AndExpression and -> and(resolved(and.getLeft(), current), and.getRight(), current);
      case NotExpression not -> {
        var negated = resolved(not.getExpression(), current);
        yield Term.of(bindings.bind(negated.truthy().not().text()), Set.of(Kind.BOOL))
            .withErrors(Cel.FALSE, negated.fails());
      }
      case ComparatorExpression comparator -> compared(comparator, current);
      case FunctionExpression function ->
          new Functions(bindings, at)
              .of(
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
    left.kinds().stream().filter(kind -> kind != Kind.NULL).forEach(kinds::add);
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
            Set.of(Kind.BOOL))
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
                Cel.call(item).where(of.is(Kind.LIST).and(inRange), Cel.call("dyn(null)")).text()))
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
    return new Projections(bindings)
        .list(selected, of.is(Kind.NULL).not(), of.mayBe(Kind.NULL))
        .withErrors(of.missing(), fails)
        .with(traits)
        .withOrigin(origins.size() == 1 ? origins.iterator().next() : Optional.empty());
  }

  /// Translates `[]`, for which any error on its left is null.
  private Term flattened(Term list) {
    return new Projections(bindings)
        .list(list.text() + ".flatten()", list.is(Kind.LIST), list.kinds().size() > 1)
        .with(Projections.ofItems(list, list.isFinal()))
        .withOrigin(list.origin());
  }

  private Term projected(Term list, JmespathExpression right) {
    return new Projections(bindings)
        .projected(list, (item, inner) -> inScope(inner).resolved(right, Optional.of(item)));
  }

  /// Translates `.*`, the values of a map. Only fields may follow: Kyverno also evaluates the rest
  /// on one null for each value, and a field of null is null, too.
  private Term valuesProjected(ObjectProjectionExpression values, Optional<Term> current) {
    if (!isPath(values.getRight())) {
      throw refused("anything but fields after .*");
    }
    var map = resolved(values.getLeft(), current).withErrors(Cel.FALSE, Cel.FALSE);
    return projected(new Projections(bindings).values(map), values.getRight());
  }

  private static boolean isPath(JmespathExpression node) {
    return switch (node) {
      case CurrentExpression _, FieldExpression _, IndexExpression _ -> true;
      case Subexpression sub -> isPath(sub.getLeft()) && isPath(sub.getRight());
      default -> false;
    };
  }

  private Term filtered(FilterProjectionExpression filter, Optional<Term> current) {
    var list = resolved(filter.getLeft(), current).withErrors(Cel.FALSE, Cel.FALSE);
    var kept =
        new Projections(bindings)
            .filtered(
                list,
                (item, inner) ->
                    inScope(inner).resolved(filter.getComparison(), Optional.of(item)));
    return projected(kept, filter.getRight());
  }

  private JmesPathTranslation inScope(Bindings inner) {
    return new JmesPathTranslation(roots, inner, at, texts);
  }

  private Untranslatable refused(String what) {
    return Untranslatable.value(
        at, "JMESPath without an exact counterpart: " + what, "write the condition in CEL");
  }
}

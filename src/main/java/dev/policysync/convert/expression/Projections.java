package dev.policysync.convert.expression;

import java.util.EnumSet;
import java.util.Set;

/// Translates lists that are made of lists: `[]`, `[?…]`, and expressions about each item.
final class Projections {
  private final Bindings bindings;

  /// An expression about an item, whose bindings are bound anew for each item.
  interface OfItem {
    Term of(Term item, Bindings inner);
  }

  Projections(Bindings bindings) {
    this.bindings = bindings;
  }

  /// Returns the list if the condition holds, else null.
  Term list(String list, Cel condition, boolean mayBeNull) {
    var text = Cel.call(list).where(condition, Cel.call("dyn(null)")).text();
    return Term.of(
        bindings.bind(text), mayBeNull ? EnumSet.of(Kind.LIST, Kind.NULL) : EnumSet.of(Kind.LIST));
  }

  /// Returns the values of a map, in no certain order; null if the term is not a map.
  Term values(Term map) {
    var values = map.text() + ".map(k, " + map.text() + "[k])";
    var list = list(values, map.is(Kind.MAP), !map.is(Kind.MAP).equals(Cel.TRUE));
    return list.withErrors(Cel.FALSE, map.fails())
        .with(Set.of(Term.Trait.UNORDERED))
        .with(ofItems(map, map.isFinal()));
  }

  /// Returns what is certain of a list that is made of this one.
  ///
  /// @param braceless whether no string in an item has braces
  static Set<Term.Trait> ofItems(Term list, boolean braceless) {
    var traits = EnumSet.of(Term.Trait.COMPOSED);
    if (braceless) {
      traits.add(Term.Trait.BRACELESS);
    }
    if (list.traits().contains(Term.Trait.OF_SCALARS)) {
      traits.add(Term.Trait.OF_SCALARS);
    }
    return traits;
  }

  /// Returns the results of an expression for each item, without nulls; null if the term is not a
  /// list.
  Term projected(Term list, OfItem ofItem) {
    var inner = bindings.inner();
    var item = bindings.fresh("e");
    var result = ofItem.of(list.item(item), inner);
    var mapped =
        result.text().equals(item)
            ? list.text()
            : list.text() + ".map(" + item + ", " + inner.wrap(result.text()) + ")";
    var some = result.mayBe(Kind.NULL) ? mapped + ".filter(r, r != null)" : mapped;
    return of(list, some, result.fails(), item, inner)
        .with(ofItems(result, result.isBraceless()))
        .with(result.isScalar() ? Set.of(Term.Trait.OF_SCALARS) : Set.of())
        .withOrigin(result.origin());
  }

  /// Returns the items for which the expression counts as true.
  Term filtered(Term list, OfItem ofItem) {
    var inner = bindings.inner();
    var item = bindings.fresh("e");
    var kept = ofItem.of(list.item(item), inner);
    var some = list.text() + ".filter(" + item + ", " + inner.wrap(kept.truthy()) + ")";
    return of(list, some, kept.fails(), item, inner)
        .with(ofItems(list, list.isFinal()))
        .withOrigin(list.origin());
  }

  private Term of(Term list, String some, Cel fails, String item, Bindings inner) {
    var isList = list.is(Kind.LIST);
    var failsSomewhere =
        fails.equals(Cel.FALSE)
            ? Cel.FALSE
            : isList.and(
                Cel.call(list.text() + ".exists(" + item + ", " + inner.wrap(fails) + ")"));
    var made = failsSomewhere.equals(Cel.FALSE) ? isList : isList.and(failsSomewhere.not());
    var projected = list(some, made, !made.equals(Cel.TRUE));
    var traits =
        list.traits().contains(Term.Trait.UNORDERED)
            ? Set.of(Term.Trait.UNORDERED)
            : Set.<Term.Trait>of();
    return projected.withErrors(Cel.FALSE, list.fails().or(failsSomewhere)).with(traits);
  }
}

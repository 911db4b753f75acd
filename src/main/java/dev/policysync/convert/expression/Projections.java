package dev.policysync.convert.expression;

import java.util.EnumSet;
import java.util.Set;

/// Lists made of lists: `[]`, `[?…]`, and what is asked of each item.
final class Projections {
  private final Bindings bindings;

  /// What is made of an item; what it binds is bound for each item anew.
  interface OfItem {
    Term of(Term item, Bindings inner);
  }

  Projections(Bindings bindings) {
    this.bindings = bindings;
  }

  /// That list where the condition holds, null elsewhere.
  Term list(String list, Cel condition, boolean mayBeNull) {
    var text = Cel.call(list).where(condition, Cel.call("dyn(null)")).text();
    return Term.of(
        bindings.bind(text), mayBeNull ? EnumSet.of(Kind.LIST, Kind.NULL) : EnumSet.of(Kind.LIST));
  }

  /// The values of a map, in no certain order; null where it is none.
  Term values(Term map) {
    var values = map.text() + ".map(k, " + map.text() + "[k])";
    var list = list(values, map.is(Kind.MAP), !map.is(Kind.MAP).equals(Cel.TRUE));
    return list.withErrors(Cel.FALSE, map.fails())
        .with(Set.of(Term.Trait.UNORDERED))
        .with(ofItems(map, map.isFinal()));
  }

  /// What is sure of a list that is made of that one.
  ///
  /// @param braceless whether no text in an item has braces
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

  /// What each item gives, apart from null; null where it is no list.
  Term projected(Term list, OfItem ofItem) {
    var inner = bindings.inner();
    var item = bindings.fresh("e");
    var result = ofItem.of(list.item(item), inner);
    var mapped =
        result.text().equals(item)
            ? list.text()
            : list.text() + ".map(" + item + ", " + inner.around(result.text()) + ")";
    var some = result.mayBe(Kind.NULL) ? mapped + ".filter(r, r != null)" : mapped;
    return of(list, some, result.fails(), item, inner)
        .with(ofItems(result, result.isBraceless()))
        .with(result.isScalar() ? Set.of(Term.Trait.OF_SCALARS) : Set.of())
        .at(result.origin());
  }

  /// The items for which that counts as true.
  Term filtered(Term list, OfItem ofItem) {
    var inner = bindings.inner();
    var item = bindings.fresh("e");
    var kept = ofItem.of(list.item(item), inner);
    var some = list.text() + ".filter(" + item + ", " + inner.around(kept.truthy()) + ")";
    return of(list, some, kept.fails(), item, inner)
        .with(ofItems(list, list.isFinal()))
        .at(list.origin());
  }

  private Term of(Term list, String some, Cel fails, String item, Bindings inner) {
    var isList = list.is(Kind.LIST);
    var failsSomewhere =
        fails.equals(Cel.FALSE)
            ? Cel.FALSE
            : isList.and(
                Cel.call(list.text() + ".exists(" + item + ", " + inner.around(fails) + ")"));
    var made = failsSomewhere.equals(Cel.FALSE) ? isList : isList.and(failsSomewhere.not());
    var projected = list(some, made, !made.equals(Cel.TRUE));
    var traits =
        list.traits().contains(Term.Trait.UNORDERED)
            ? Set.of(Term.Trait.UNORDERED)
            : Set.<Term.Trait>of();
    return projected.withErrors(Cel.FALSE, list.fails().or(failsSomewhere)).with(traits);
  }
}

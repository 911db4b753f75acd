package dev.policysync.convert;

import dev.policysync.base.Value;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// The value of a JMESPath expression. Its text never fails to evaluate: it is null where Kyverno
/// has no value or an error.
///
/// Kyverno distinguishes two errors: a map that lacks a field (`NotFoundError`), which most parts
/// of an expression read as null, and all others, which end the evaluation. Source: the interpreter
/// of github.com/kyverno/go-jmespath.
///
/// @param text a CEL expression that is short enough to be repeated: `v1`, `object`, `"app"`
/// @param steps the fields below the text that are not looked up yet
/// @param kinds the kinds that the value may have, once no step is left
/// @param missing tests whether a map lacks the field
/// @param fails tests whether there is another error
/// @param origin the field of an object from which the value comes, if it is known
record Term(
    String text,
    List<String> steps,
    Set<JsonType> kinds,
    Set<Trait> traits,
    Cel missing,
    Cel fails,
    Optional<Origin> origin) {
  /// Traits that the fields of a value inherit.
  private static final Set<Trait> INHERITED = Set.of(Trait.SCALAR, Trait.BRACELESS);

  /// A property of a value beside its kind.
  enum Trait {
    /// The value is not empty, and so true as a condition.
    NOT_EMPTY,
    /// A string without wildcards.
    PLAIN,
    /// A list in no certain order.
    UNORDERED,
    /// The request as a whole, which has another shape in CEL.
    REQUEST,
    /// The value is not a list or a map in any object that an API server admits.
    SCALAR,
    /// No string in the value has braces, in any object that an API server admits.
    BRACELESS,
    /// The value is a list or a map without braces in it, or neither.
    FINAL,
    /// A list that the expression makes: of fields of other items, of parts of a string.
    COMPOSED,
    /// A list in which no item is a list or a map.
    OF_SCALARS
  }

  Term {
    steps = List.copyOf(steps);
    kinds = Set.copyOf(kinds);
    traits = Set.copyOf(traits);
  }

  /// Returns a term whose value certainly exists.
  static Term of(String text, Set<JsonType> kinds, Trait... traits) {
    return new Term(text, List.of(), kinds, Set.of(traits), Cel.FALSE, Cel.FALSE, Optional.empty());
  }

  static Term unknown(String text) {
    return of(text, EnumSet.allOf(JsonType.class));
  }

  Term withErrors(Cel missing, Cel fails) {
    return new Term(text, steps, kinds, traits, missing, fails, origin);
  }

  Term with(Collection<Trait> more) {
    var all = EnumSet.noneOf(Trait.class);
    all.addAll(more);
    all.addAll(traits);
    return new Term(text, steps, kinds, all, missing, fails, origin);
  }

  /// Returns the term with an origin and its traits. If the expression makes a list, the origin is
  /// that of the items.
  Term withOrigin(Optional<Origin> place) {
    var all = EnumSet.noneOf(Trait.class);
    place.ifPresent(known -> all.addAll(known.traits()));
    if (isComposed()) {
      all.remove(Trait.SCALAR);
    }
    all.addAll(traits);
    return new Term(text, steps, kinds, all, missing, fails, place);
  }

  Term braceless() {
    return with(Set.of(Trait.BRACELESS));
  }

  /// Returns an item of the list. Nothing is known of the item but what the list's traits say.
  Term item(String item) {
    var items = unknown(item).withOrigin(origin);
    var certain = EnumSet.noneOf(Trait.class);
    if (isFinal()) {
      certain.add(Trait.BRACELESS);
    }
    if (traits.contains(Trait.OF_SCALARS)) {
      certain.add(Trait.SCALAR);
    }
    return items.with(certain);
  }

  /// Returns whether no string in the value has braces.
  boolean isBraceless() {
    return traits.contains(Trait.BRACELESS)
        || kinds.stream().allMatch(Set.of(JsonType.NULL, JsonType.BOOL, JsonType.NUMBER)::contains);
  }

  /// Returns whether the value is not a list or a map in which a string has braces. Kyverno 1.19.0
  /// looks for variables in the lists and maps that a variable stands for, but not in a string
  /// (`TraverseJSON`).
  boolean isFinal() {
    return isBraceless() || isScalar() || traits.contains(Trait.FINAL);
  }

  boolean isScalar() {
    return traits.contains(Trait.SCALAR) || !(mayBe(JsonType.LIST) || mayBe(JsonType.MAP));
  }

  boolean isComposed() {
    return traits.contains(Trait.COMPOSED);
  }

  /// Returns what is certain of a list that is made of this value.
  ///
  /// @param braceless whether no string in an item has braces
  Set<Trait> traitsOfItems(boolean braceless) {
    var certain = EnumSet.of(Trait.COMPOSED);
    if (braceless) {
      certain.add(Trait.BRACELESS);
    }
    if (traits.contains(Trait.OF_SCALARS)) {
      certain.add(Trait.OF_SCALARS);
    }
    return certain;
  }

  /// Returns what is certain of a value that is either this one or the other one.
  Set<Trait> commonTraits(Term other) {
    var either = EnumSet.noneOf(Trait.class);
    if (isBraceless() && other.isBraceless()) {
      either.add(Trait.BRACELESS);
    }
    if (isFinal() && other.isFinal()) {
      either.add(Trait.FINAL);
    }
    if (isComposed() || other.isComposed()) {
      either.add(Trait.COMPOSED);
    }
    return either;
  }

  /// Returns the term as never missing, with these errors instead.
  Term withoutMissing(Cel fails) {
    return withErrors(Cel.FALSE, fails);
  }

  /// Returns a term with the other value where this one is null or cannot be evaluated.
  Term orElse(Term other, Bindings bindings) {
    var some = EnumSet.copyOf(other.kinds);
    kinds.stream().filter(kind -> kind != JsonType.NULL).forEach(some::add);
    var either = "(" + is(JsonType.NULL) + ") ? dyn(" + other.text + ") : dyn(" + text + ")";
    return Term.of(bindings.bind(either), some)
        .withErrors(Cel.FALSE, other.error())
        .with(commonTraits(other));
  }

  /// Returns the field of that name, or null if the value is not a map.
  Term field(String name) {
    if (steps.isEmpty() && !mayBe(JsonType.MAP) && !traits.contains(Trait.REQUEST)) {
      return of("dyn(null)", Set.of(JsonType.NULL)).withErrors(missing, fails);
    }
    var further = new ArrayList<>(steps);
    further.add(name);
    var inherited = EnumSet.noneOf(Trait.class);
    traits.stream().filter(INHERITED::contains).forEach(inherited::add);
    return new Term(
        text,
        further,
        EnumSet.allOf(JsonType.class),
        inherited,
        missing,
        fails,
        origin.map(place -> place.field(name)));
  }

  /// Looks up all fields that are not looked up yet.
  Term resolved(Bindings bindings) {
    if (traits.contains(Trait.REQUEST)) {
      throw Untranslatable.value(
          new Value.Text("request"), "the request as a whole", "name the field that is meant");
    }
    if (steps.isEmpty()) {
      return this;
    }
    var place = new Place(text, 0);
    var present = new ArrayList<Cel>();
    var absent = new ArrayList<Cel[]>();
    for (var step : steps) {
      var isMap = place.is(Place.Type.MAP);
      var has = place.has(step);
      present.add(isMap);
      present.add(has);
      absent.add(new Cel[] {isMap, has.not()});
      place = place.field(step);
    }
    var lacks = Cel.FALSE;
    for (var step : absent.reversed()) {
      lacks = step[0].and(step[1].or(lacks));
    }
    var value = Cel.call(place.text()).where(Cel.all(present), Cel.call("dyn(null)"));
    return unknown(bindings.bind(value.text()))
        .withErrors(missing.or(lacks), fails)
        .with(traits)
        .withOrigin(origin);
  }

  boolean mayBe(JsonType kind) {
    return kinds.contains(kind);
  }

  Cel is(JsonType... wanted) {
    var any = List.of(wanted).stream().filter(this::mayBe).toList();
    if (any.size() == kinds.size()) {
      return Cel.TRUE;
    }
    return Cel.any(any.stream().map(kind -> kind.test(text)).toList());
  }

  /// Returns the value as a string: a value of another kind becomes JSON.
  Cel asText() {
    var json = Cel.call("json.marshal(dyn(" + text + "))");
    return Cel.call(text)
        .where(is(JsonType.STRING), Cel.call("\"null\"").where(is(JsonType.NULL), json));
  }

  /// Tests whether the value counts as true: it is not null, false or empty.
  Cel truthy() {
    if (traits.contains(Trait.NOT_EMPTY)) {
      return Cel.TRUE;
    }
    if (kinds.equals(Set.of(JsonType.BOOL))) {
      return Cel.call(text);
    }
    var empty = new ArrayList<Cel>();
    for (var kind :
        List.of(JsonType.NULL, JsonType.BOOL, JsonType.STRING, JsonType.LIST, JsonType.MAP)) {
      if (mayBe(kind)) {
        empty.add(
            Cel.comparison(
                text
                    + switch (kind) {
                      case NULL -> " != null";
                      case BOOL -> " != false";
                      case STRING -> " != \"\"";
                      case LIST -> " != []";
                      case MAP, NUMBER -> " != {}";
                    }));
      }
    }
    return Cel.all(empty);
  }

  /// Tests whether evaluating the term is an error, which a missing field is unless something reads
  /// it as null.
  Cel error() {
    return missing.or(fails);
  }
}

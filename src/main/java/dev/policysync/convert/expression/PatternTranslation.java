package dev.policysync.convert.expression;

import dev.policysync.base.Value;
import java.util.List;

/// Translates a pattern into CEL, element by element.
///
/// Source: Kyverno 1.19.0, `validateResourceElement`, `validateArray` and `validateArrayOfMaps` in
/// pkg/engine/validate: a map needs a map; a list of one map is a pattern for every item; a scalar
/// is a pattern for the value, or for every item where the resource has a list.
public final class PatternTranslation {
  private PatternTranslation() {}

  /// Returns the verdict of the pattern on the value at a place that exists.
  ///
  /// @throws Untranslatable if there is no exact translation
  public static Judgement of(Value pattern, Place place) {
    return switch (pattern) {
      case Value.Mapping mapping -> MapPattern.of(mapping, place).only(place.is(Place.Type.MAP));
      case Value.Sequence list -> items(list, place).only(place.is(Place.Type.LIST));
      default -> Judgement.of(anywhere(pattern, place));
    };
  }

  /// Returns the verdict of `anyPattern`. A pattern with a number is refused: the number has a
  /// fraction for Kyverno, and equals strings such as `10.0`.
  public static Judgement ofAny(List<Value> patterns, Place place) {
    patterns.forEach(PatternTranslation::checkNumbers);
    return Judgement.anyOf(patterns.stream().map(pattern -> of(pattern, place)).toList());
  }

  private static void checkNumbers(Value pattern) {
    switch (pattern) {
      case Value.Mapping(var fields) -> fields.values().forEach(PatternTranslation::checkNumbers);
      case Value.Sequence(var items) -> items.forEach(PatternTranslation::checkNumbers);
      case Value.Numeric number ->
          throw Untranslatable.value(
              number, "a number in an anyPattern", "quote it: it is compared as a quantity then");
      default -> {}
    }
  }

  /// Returns the verdict of the pattern on a field that may be missing, which is null to Kyverno.
  ///
  /// @param name the name of the field in the map at that place
  static Judgement ofField(Value pattern, Place map, String name) {
    var present = map.has(name);
    var place = map.field(name);
    if (pattern.equals(new Value.Text("*"))) {
      return Judgement.of(present.and(Cel.comparison(place + " != null")));
    }
    var judgement = of(pattern, place);
    return ScalarPattern.matchesNull(pattern)
        ? Judgement.of(present.not().or(judgement.passes()))
        : judgement.only(present);
  }

  /// Translates a list, whose pattern applies to every item. A list of several patterns is refused:
  /// the first one decides, and Kyverno never looks at the others.
  private static Judgement items(Value.Sequence list, Place place) {
    if (list.items().size() != 1) {
      throw Untranslatable.value(
          list,
          list.items().isEmpty() ? "an empty list in a pattern" : "a list of several patterns",
          "Kyverno compares every item with the first pattern only; write what each item must be"
              + " with all() or exists()");
    }
    var item = place.item();
    return switch (list.items().getFirst()) {
      case Value.Mapping mapping -> ofItems(of(mapping, item), place);
      case Value.Sequence inner ->
          throw Untranslatable.value(
              inner, "a list in a list in a pattern", "write it with all() in CEL");
      case Value scalar -> Judgement.of(place.all(ScalarPattern.matches(scalar, item)));
    };
  }

  /// Returns the verdict on a list: one item that fails makes the list fail; if all items are
  /// skipped, so is the list.
  private static Judgement ofItems(Judgement ofItem, Place list) {
    if (ofItem.skips().equals(Cel.FALSE)) {
      return Judgement.of(list.all(ofItem.passes()));
    }
    var empty = Cel.comparison("size(" + list + ") == 0");
    return new Judgement(
        list.all(ofItem.holds()).and(empty.or(list.exists(ofItem.passes()))),
        Cel.comparison("size(" + list + ") > 0").and(list.all(ofItem.skips())));
  }

  private static Cel anywhere(Value scalar, Place place) {
    var everyItem = place.all(ScalarPattern.matches(scalar, place.item()));
    return ScalarPattern.matches(scalar, place).or(place.is(Place.Type.LIST).and(everyItem));
  }

  static boolean hasAnchor(Value pattern, AnchoredKey.Anchor... anchors) {
    return switch (pattern) {
      case Value.Mapping mapping ->
          mapping.fields().entrySet().stream()
              .anyMatch(field ->
                  List.of(anchors).contains(AnchoredKey.of(mapping, field.getKey()).anchor())
                      || hasAnchor(field.getValue(), anchors));
      case Value.Sequence list -> list.items().stream().anyMatch(item -> hasAnchor(item, anchors));
      default -> false;
    };
  }
}

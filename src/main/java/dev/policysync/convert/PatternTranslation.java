package dev.policysync.convert;

import dev.policysync.base.Value;
import dev.policysync.policy.kyverno.Glob;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/// Translates a pattern into CEL, element by element.
///
/// Source: Kyverno 1.19.0, `validateResourceElement`, `validateArray` and `validateArrayOfMaps` in
/// pkg/engine/validate: a map needs a map; a list of one map is a pattern for every item; a scalar
/// is a pattern for the value, or for every item where the resource has a list.
final class PatternTranslation {
  /// The anchors that a key may have.
  private static final Set<Anchor> ANCHORS = EnumSet.complementOf(EnumSet.of(Anchor.NONE));

  /// The meaning of a key's anchor. Source: `resource.Handle` of Kyverno's package anchor.
  enum Anchor {
    /// `image`: the value has to match.
    NONE,
    /// `(image)`: the rule applies to this map only if the field exists and its value matches.
    CONDITION,
    /// `<(image)`: the rule does not apply to this map if the field exists and does not match.
    GLOBAL,
    /// `=(image)`: the value has to match if the field exists.
    EQUALITY,
    /// `X(image)`: the field must not exist.
    NEGATION,
    /// `^(containers)`: at least one item of the list has to match, if the list exists.
    EXISTENCE
  }

  private PatternTranslation() {}

  /// Returns the verdict of the pattern on the value at a place that exists.
  ///
  /// @throws Untranslatable if there is no exact translation
  static Judgement of(Value pattern, Place place) {
    return switch (pattern) {
      case Value.Mapping mapping -> map(mapping, place).only(place.is(Place.Type.MAP));
      case Value.Sequence list -> items(list, place).only(place.is(Place.Type.LIST));
      default -> Judgement.of(anywhere(pattern, place));
    };
  }

  /// Returns the verdict of `pattern` or `anyPattern`.
  ///
  /// @param holder the `validate` of a rule, or a `foreach`
  /// @param path the path from the place to what the patterns are about
  static Judgement of(Value.Mapping holder, List<String> path, Place place) {
    return holder
        .field("pattern")
        .map(pattern -> of(below(path, pattern), place))
        .orElseGet(() ->
            ofAny(
                holder.items("anyPattern").stream().map(one -> below(path, one)).toList(), place));
  }

  private static Value below(List<String> path, Value pattern) {
    var whole = pattern;
    for (var step : path.reversed()) {
      whole = Value.Mapping.EMPTY.with(step, whole);
    }
    return whole;
  }

  /// Returns the verdict of `anyPattern`. A pattern with a number is refused: the number has a
  /// fraction for Kyverno, and equals strings such as `10.0`.
  private static Judgement ofAny(List<Value> patterns, Place place) {
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

  /// Returns whether the pattern has an anchor with which Kyverno makes a failure an error if the
  /// field is missing.
  static boolean mayMissField(Value pattern) {
    return hasAnchor(pattern, Set.of(Anchor.CONDITION, Anchor.NEGATION, Anchor.EXISTENCE));
  }

  private static boolean hasAnchor(Value pattern, Set<Anchor> anchors) {
    return switch (pattern) {
      case Value.Mapping mapping ->
          mapping.fields().entrySet().stream()
              .anyMatch(field ->
                  anchors.contains(Key.of(mapping, field.getKey()).anchor())
                      || hasAnchor(field.getValue(), anchors));
      case Value.Sequence list -> list.items().stream().anyMatch(item -> hasAnchor(item, anchors));
      default -> false;
    };
  }

  /// A key of a pattern: `image`, or with an anchor, `=(image)`.
  ///
  /// @param map the map that has the key
  /// @param written the key as it stands in the pattern, by which Kyverno sorts keys
  /// @param name the name of the field in the resource
  private record Key(Value.Mapping map, String written, Anchor anchor, String name) {
    private static final Pattern FORM = Pattern.compile("([+<=X^])?\\((.+)\\)", Pattern.DOTALL);

    static Key of(Value.Mapping map, String written) {
      if (Glob.isPattern(written)) {
        throw Untranslatable.field(
            map,
            written,
            "a wildcard in a key",
            "test each key in CEL, e.g. object.metadata.labels.exists(key,"
                + " key.startsWith(\"app\"))");
      }
      var matcher = FORM.matcher(written);
      if (!matcher.matches()) {
        if (!written.equals(written.strip())) {
          throw Untranslatable.field(map, written, "a key with spaces around", "remove them");
        }
        return new Key(map, written, Anchor.NONE, written);
      }
      var anchor =
          switch (matcher.group(1)) {
            case null -> Anchor.CONDITION;
            case "<" -> Anchor.GLOBAL;
            case "=" -> Anchor.EQUALITY;
            case "X" -> Anchor.NEGATION;
            case "^" -> Anchor.EXISTENCE;
            default ->
                throw Untranslatable.field(
                    map,
                    written,
                    "an anchor of mutations, +()",
                    "it has no meaning in a pattern that validates; remove it");
          };
      return new Key(map, written, anchor, matcher.group(2));
    }

    Value pattern() {
      return map.fields().getOrDefault(written, Value.Null.NULL);
    }

    Judgement judge(Place ofMap) {
      return PatternTranslation.of(pattern(), ofMap.field(name));
    }

    Untranslatable refused(String construct, String advice) {
      return Untranslatable.field(map, written, construct, advice);
    }
  }

  /// Translates a map of a pattern.
  ///
  /// Source: Kyverno 1.19.0, `validateMap` in pkg/engine/validate and the handlers of
  /// pkg/engine/anchor. Anchors come first, in the order of their texts, `()` before `=()`, `X()`
  /// and `^()`: if one `()` does not hold, the map is skipped, whatever the others say. `=()` that
  /// are skipped themselves skip the map only if it has no other of these anchors. Then come the
  /// other keys, first those with an anchor somewhere below, in reverse order: the first that does
  /// not pass decides.
  private static Judgement map(Value.Mapping pattern, Place place) {
    var keys =
        pattern.fields().keySet().stream().sorted().map(key -> Key.of(pattern, key)).toList();
    pattern.fields().keySet().forEach(key -> checkMetadata(Key.of(pattern, key)));
    keys.forEach(PatternTranslation::checkExistence);
    return Judgement.inOrder(List.of(anchors(keys, place), rest(keys, place)));
  }

  private static List<Key> of(Anchor anchor, List<Key> keys) {
    return keys.stream().filter(key -> key.anchor == anchor).toList();
  }

  private static Judgement anchors(List<Key> keys, Place place) {
    var conditions =
        Cel.all(
            of(Anchor.CONDITION, keys).stream()
                .map(key -> place.has(key.name).and(key.judge(place).passes))
                .toList());
    var equalities = of(Anchor.EQUALITY, keys).stream().map(key -> equality(key, place)).toList();
    var others = new ArrayList<Cel>();
    of(Anchor.NEGATION, keys).forEach(key -> others.add(place.has(key.name).not()));
    of(Anchor.EXISTENCE, keys).forEach(key -> others.add(existence(key, place)));
    var alone = of(Anchor.CONDITION, keys).isEmpty() && others.isEmpty() && !equalities.isEmpty();
    var skipped = alone ? Cel.all(equalities.stream().map(Judgement::skips).toList()) : Cel.FALSE;
    var holds = Cel.all(equalities.stream().map(Judgement::holds).toList()).and(Cel.all(others));
    return new Judgement(conditions.and(holds).and(skipped.not()), conditions.not().or(skipped));
  }

  private static Judgement equality(Key key, Place place) {
    if (hasAnchor(key.pattern(), Set.of(Anchor.GLOBAL))) {
      throw key.refused("a global anchor, <(), below =()", "write both in CEL");
    }
    var present = place.has(key.name);
    var judgement = key.judge(place);
    return new Judgement(present.not().or(judgement.passes), present.and(judgement.skips));
  }

  private static Cel existence(Key key, Place place) {
    var construct = "an anchor ^() without a list";
    var advice = "write a list of maps below it";
    if (!(key.pattern() instanceof Value.Sequence(var patterns)) || patterns.isEmpty()) {
      throw key.refused(construct, advice);
    }
    var list = place.field(key.name);
    var found = new ArrayList<Cel>();
    found.add(list.is(Place.Type.LIST));
    for (var item : patterns) {
      if (!(item instanceof Value.Mapping)) {
        throw Untranslatable.value(item, construct, advice);
      }
      found.add(list.exists(of(item, list.item()).passes));
    }
    return place.has(key.name).not().or(Cel.all(found));
  }

  private static Judgement rest(List<Key> keys, Place place) {
    var order = new ArrayList<Key>();
    for (var key : keys) {
      if (key.anchor == Anchor.NONE || key.anchor == Anchor.GLOBAL) {
        var first = key.anchor == Anchor.GLOBAL || hasAnchor(key.pattern(), ANCHORS);
        order.add(first ? 0 : order.size(), key);
      }
    }
    return Judgement.inOrder(
        order.stream()
            .map(key ->
                key.anchor == Anchor.NONE
                    ? ofField(key.pattern(), place, key.name)
                    : global(key, place))
            .toList());
  }

  private static Judgement global(Key key, Place place) {
    var present = place.has(key.name);
    var passes = key.judge(place).passes;
    return new Judgement(present.not().or(passes), present.and(passes.not()));
  }

  /// Refuses a pattern for a label or an annotation that is not a string: Kyverno drops such
  /// patterns silently (`getValueAsStringMap`).
  private static void checkMetadata(Key key) {
    if (!key.name.equals("metadata") || !(key.pattern() instanceof Value.Mapping metadata)) {
      return;
    }
    for (var written : metadata.fields().keySet()) {
      var field = Key.of(metadata, written);
      if (Set.of("labels", "annotations").contains(field.name)
          && field.pattern() instanceof Value.Mapping texts) {
        texts
            .fields()
            .forEach((name, text) -> {
              if (!(text instanceof Value.Text)) {
                throw Untranslatable.field(
                    texts,
                    name,
                    "a label or annotation that is no string in a pattern",
                    "Kyverno ignores it; quote it, or remove it");
              }
            });
      }
    }
  }

  /// Refuses `^()` beside other conditions: if its list is missing and something else fails,
  /// Kyverno answers with an error instead of a failure (`KeysAreMissing`).
  private static void checkExistence(Key key) {
    if (key.anchor == Anchor.EXISTENCE
        && (key.map.fields().size() > 1 || hasAnchor(key.pattern(), ANCHORS))) {
      throw key.refused("an anchor ^() beside other conditions", "write one rule for each of them");
    }
  }

  /// The verdict of a pattern on a value: it passes, it is skipped because the condition of an
  /// anchor does not hold, or, if neither is true, it fails. `passes` and `skips` are never true at
  /// once.
  record Judgement(Cel passes, Cel skips) {
    static final Judgement FAILS = new Judgement(Cel.FALSE, Cel.FALSE);

    static Judgement of(Cel passes) {
      return new Judgement(passes, Cel.FALSE);
    }

    /// Restricts the judgement: where the condition does not hold, the pattern fails.
    Judgement only(Cel condition) {
      return new Judgement(condition.and(passes), condition.and(skips));
    }

    /// Tests that the pattern does not fail.
    Cel holds() {
      return passes.or(skips);
    }

    /// Joins judgements in order: the first that does not pass decides.
    static Judgement inOrder(List<Judgement> judgements) {
      var skips = Cel.FALSE;
      for (var judgement : judgements.reversed()) {
        skips = judgement.skips.or(judgement.passes.and(skips));
      }
      return new Judgement(Cel.all(judgements.stream().map(Judgement::passes).toList()), skips);
    }

    /// Joins the patterns of `anyPattern`: they pass if one passes, and are skipped if all are.
    static Judgement anyOf(List<Judgement> judgements) {
      return new Judgement(
          Cel.any(judgements.stream().map(Judgement::passes).toList()),
          Cel.all(judgements.stream().map(Judgement::skips).toList()));
    }
  }
}

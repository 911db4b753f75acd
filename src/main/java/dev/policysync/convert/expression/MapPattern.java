package dev.policysync.convert.expression;

import dev.policysync.base.Value;
import dev.policysync.convert.expression.AnchoredKey.Anchor;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/// Translates a map of a pattern.
///
/// Source: Kyverno 1.19.0, `validateMap` in pkg/engine/validate and the handlers of
/// pkg/engine/anchor. Anchors come first, in the order of their texts, `()` before `=()`, `X()` and
/// `^()`: if one `()` does not hold, the map is skipped, whatever the others say. `=()` that are
/// skipped themselves skip the map only if it has no other of these anchors. Then come the other
/// keys, first those with an anchor somewhere below, in reverse order: the first that does not pass
/// decides.
final class MapPattern {
  private final Value.Mapping pattern;
  private final Place place;
  private final Map<Anchor, List<AnchoredKey>> keys = new EnumMap<>(Anchor.class);

  private MapPattern(Value.Mapping pattern, Place place) {
    this.pattern = pattern;
    this.place = place;
    for (var anchor : Anchor.values()) {
      keys.put(anchor, new ArrayList<>());
    }
    pattern.fields().keySet().stream()
        .sorted()
        .map(written -> AnchoredKey.of(pattern, written))
        .forEach(key -> of(key.anchor()).add(key));
  }

  static Judgement of(Value.Mapping pattern, Place place) {
    var translation = new MapPattern(pattern, place);
    translation.checkMetadata();
    translation.checkExistence();
    return Judgement.inOrder(List.of(translation.anchors(), translation.rest()));
  }

  private List<AnchoredKey> of(Anchor anchor) {
    return keys.getOrDefault(anchor, List.of());
  }

  private Judgement anchors() {
    var conditions =
        Cel.all(
            of(Anchor.CONDITION).stream()
                .map(key -> place.has(key.name()).and(value(key).passes()))
                .toList());
    var equalities = of(Anchor.EQUALITY).stream().map(this::equality).toList();
    var others = new ArrayList<Cel>();
    of(Anchor.NEGATION).forEach(key -> others.add(place.has(key.name()).not()));
    of(Anchor.EXISTENCE).forEach(key -> others.add(existence(key)));
    var alone = of(Anchor.CONDITION).isEmpty() && others.isEmpty() && !equalities.isEmpty();
    var skipped = alone ? Cel.all(equalities.stream().map(Judgement::skips).toList()) : Cel.FALSE;
    var holds = Cel.all(equalities.stream().map(Judgement::holds).toList()).and(Cel.all(others));
    return new Judgement(conditions.and(holds).and(skipped.not()), conditions.not().or(skipped));
  }

  private Judgement equality(AnchoredKey key) {
    if (PatternTranslation.hasAnchor(value(key.written()), Anchor.GLOBAL)) {
      throw Untranslatable.field(
          pattern, key.written(), "a global anchor, <(), below =()", "write both in CEL");
    }
    var present = place.has(key.name());
    var judgement = value(key);
    return new Judgement(present.not().or(judgement.passes()), present.and(judgement.skips()));
  }

  private Cel existence(AnchoredKey key) {
    if (!(value(key.written()) instanceof Value.Sequence(var patterns)) || patterns.isEmpty()) {
      throw Untranslatable.field(
          pattern, key.written(), "an anchor ^() without a list", "write a list of maps below it");
    }
    var list = place.field(key.name());
    var found = new ArrayList<Cel>();
    found.add(list.is(Place.Type.LIST));
    for (var item : patterns) {
      if (!(item instanceof Value.Mapping)) {
        throw Untranslatable.value(
            item, "an anchor ^() without a list", "write a list of maps below it");
      }
      found.add(list.exists(PatternTranslation.of(item, list.item()).passes()));
    }
    return place.has(key.name()).not().or(Cel.all(found));
  }

  private Judgement rest() {
    var order = new ArrayList<AnchoredKey>();
    var plain = new ArrayList<>(of(Anchor.NONE));
    plain.addAll(of(Anchor.GLOBAL));
    plain.sort(Comparator.comparing(AnchoredKey::written));
    for (var key : plain) {
      var first =
          key.anchor() == Anchor.GLOBAL
              || PatternTranslation.hasAnchor(value(key.written()), Anchor.ALL);
      order.add(first ? 0 : order.size(), key);
    }
    return Judgement.inOrder(order.stream().map(this::plain).toList());
  }

  private Judgement plain(AnchoredKey key) {
    if (key.anchor() == Anchor.NONE) {
      return PatternTranslation.ofField(value(key.written()), place, key.name());
    }
    var present = place.has(key.name());
    var passes = value(key).passes();
    return new Judgement(present.not().or(passes), present.and(passes.not()));
  }

  private Judgement value(AnchoredKey key) {
    return PatternTranslation.of(value(key.written()), place.field(key.name()));
  }

  private Value value(String written) {
    return pattern.fields().getOrDefault(written, Value.Null.NULL);
  }

  /// Refuses a pattern for a label or an annotation that is not a string: Kyverno drops such
  /// patterns silently (`getValueAsStringMap`).
  private void checkMetadata() {
    for (var key : pattern.fields().keySet()) {
      if (AnchoredKey.of(pattern, key).name().equals("metadata")
          && value(key) instanceof Value.Mapping metadata) {
        metadata
            .fields()
            .forEach((name, texts) -> {
              var field = AnchoredKey.of(metadata, name).name();
              if ((field.equals("labels") || field.equals("annotations"))
                  && texts instanceof Value.Mapping mapping) {
                checkTexts(mapping);
              }
            });
      }
    }
  }

  private static void checkTexts(Value.Mapping mapping) {
    mapping
        .fields()
        .forEach((name, text) -> {
          if (!(text instanceof Value.Text)) {
            throw Untranslatable.field(
                mapping,
                name,
                "a label or annotation that is no string in a pattern",
                "Kyverno ignores it; quote it, or remove it");
          }
        });
  }

  /// Refuses `^()` beside other conditions: if its list is missing and something else fails,
  /// Kyverno answers with an error instead of a failure (`KeysAreMissing`).
  private void checkExistence() {
    for (var key : of(Anchor.EXISTENCE)) {
      if (pattern.fields().size() > 1
          || PatternTranslation.hasAnchor(value(key.written()), Anchor.ALL)) {
        throw Untranslatable.field(
            pattern,
            key.written(),
            "an anchor ^() beside other conditions",
            "write one rule for each of them");
      }
    }
  }
}

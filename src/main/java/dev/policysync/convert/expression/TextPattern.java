package dev.policysync.convert.expression;

import dev.policysync.base.Value;
import java.util.ArrayList;
import java.util.List;

/// A string of a pattern: `!*:latest`, `>=1024`, `10-20 | 80`, `?*`.
///
/// Source: Kyverno 1.19.0, `validateStringPatterns` in pkg/engine/pattern: `|` separates
/// alternatives, and `&` the conditions of each; a string that equals the whole pattern passes,
/// too.
final class TextPattern {
  private final String text;
  private final List<List<Comparison>> alternatives = new ArrayList<>();

  private TextPattern(String text) {
    this.text = text;
  }

  static TextPattern of(Value.Text pattern) {
    var text = pattern.text();
    if (text.contains("{{") || text.contains("$(")) {
      throw Untranslatable.value(
          pattern,
          "a variable or reference in a pattern",
          "compare with the value itself in CEL, e.g. object.metadata.name");
    }
    var read = new TextPattern(text);
    for (var alternative : text.split("\\|", -1)) {
      var conditions = new ArrayList<Comparison>();
      for (var condition : trimmed(alternative).split("&", -1)) {
        conditions.add(Comparison.of(trimmed(condition), pattern));
      }
      read.alternatives.add(conditions);
    }
    return read;
  }

  boolean matchesNull() {
    return alternatives.stream()
        .anyMatch(conditions -> conditions.stream().allMatch(Comparison::matchesNull));
  }

  /// Tests whether the pattern accepts the scalar at the place; null is left to [#matchesNull].
  Cel matches(Place place) {
    var any = new ArrayList<Cel>();
    for (var conditions : alternatives) {
      any.add(Cel.all(conditions.stream().map(condition -> condition.matches(place)).toList()));
    }
    var whole = place.is(Quoted.text(text));
    return isPlain() ? Cel.any(any) : Cel.any(any).or(whole);
  }

  /// Returns whether the parts of the pattern accept a string that equals the whole pattern.
  private boolean isPlain() {
    return alternatives.size() == 1
        && alternatives.getFirst().size() == 1
        && alternatives.getFirst().getFirst().accepts(text);
  }

  /// Removes spaces only, as Go's `strings.Trim(condition, " ")` does.
  private static String trimmed(String text) {
    return text.replaceAll("^ +| +$", "");
  }
}

package dev.policysync.convert.expression;

import dev.policysync.base.Value;
import dev.policysync.policy.kyverno.Glob;
import java.util.regex.Pattern;

/// A key of a pattern: `image`, or with an anchor, `=(image)`.
///
/// @param written the key as it stands in the pattern, by which Kyverno sorts keys
/// @param name the name of the field in the resource
record AnchoredKey(String written, Anchor anchor, String name) {
  private static final Pattern FORM = Pattern.compile("([+<=X^])?\\((.+)\\)", Pattern.DOTALL);

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
    EXISTENCE;

    /// All values that are anchors, so without `NONE`.
    static final Anchor[] ALL = {CONDITION, GLOBAL, EQUALITY, NEGATION, EXISTENCE};
  }

  static AnchoredKey of(Value.Mapping pattern, String written) {
    if (Glob.isPattern(written)) {
      throw Untranslatable.field(
          pattern,
          written,
          "a wildcard in a key",
          "test each key in CEL, e.g. object.metadata.labels.exists(key, key.startsWith(\"app\"))");
    }
    var matcher = FORM.matcher(written);
    if (!matcher.matches()) {
      if (!written.equals(written.strip())) {
        throw Untranslatable.field(pattern, written, "a key with spaces around", "remove them");
      }
      return new AnchoredKey(written, Anchor.NONE, written);
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
                  pattern,
                  written,
                  "an anchor of mutations, +()",
                  "it has no meaning in a pattern that validates; remove it");
        };
    return new AnchoredKey(written, anchor, matcher.group(2));
  }
}

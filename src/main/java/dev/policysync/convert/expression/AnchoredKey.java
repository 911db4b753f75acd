package dev.policysync.convert.expression;

import dev.policysync.base.Value;
import dev.policysync.policy.kyverno.Glob;
import java.util.regex.Pattern;

/// A key of a pattern: `image`, or one in an anchor, `=(image)`.
///
/// @param written as it stands in the pattern, by which Kyverno orders them
/// @param name of the field in the resource
record AnchoredKey(String written, Anchor anchor, String name) {
  private static final Pattern FORM = Pattern.compile("([+<=X^])?\\((.+)\\)", Pattern.DOTALL);

  /// What an anchor means; `resource.Handle` of Kyverno's package anchor.
  enum Anchor {
    /// `image`: the value has to match.
    NONE,
    /// `(image)`: the rule is about this map only if the value is there and matches.
    CONDITION,
    /// `<(image)`: the rule is not about this map if the value is there and does not match.
    GLOBAL,
    /// `=(image)`: the value has to match if it is there.
    EQUALITY,
    /// `X(image)`: the field must not be there.
    NEGATION,
    /// `^(containers)`: one item of the list at least has to match, if the list is there.
    EXISTENCE;

    /// Those that are anchors.
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

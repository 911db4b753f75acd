package dev.policysync.base.yaml;

import dev.policysync.base.Value;
import java.util.regex.Pattern;
import org.yaml.snakeyaml.DumperOptions.ScalarStyle;
import org.yaml.snakeyaml.events.Event;
import org.yaml.snakeyaml.events.ScalarEvent;

/// Reads scalars as values and as keys. Rejects scalars that SnakeYAML accepts but Go's reader
/// rejects or reads differently.
final class ScalarReader {
  private static final Pattern INDENTED = Pattern.compile("[|>][+-]?[1-9][+-]?\\s*(#.*)?$");

  private final SectionText section;

  ScalarReader(SectionText section) {
    this.section = section;
  }

  Value value(ScalarEvent event) throws YamlProblem {
    return scalar(event)
        .value()
        .orElseThrow(() ->
            new YamlProblem(
                "infinity or NaN, which JSON does not support; quote it if it is text",
                place(event)));
  }

  /// Reads a scalar that is written where a key is expected.
  String key(ScalarEvent event) throws YamlProblem {
    if (hasColonBeforeBracket(event)) {
      throw new YamlProblem(
          "a colon directly before a bracket or comma; add a space after it or quote the text",
          place(event));
    }
    return aliasedKey(event, place(event));
  }

  /// Reads a scalar that an alias at `location` puts where a key is expected.
  String aliasedKey(ScalarEvent event, Location location) throws YamlProblem {
    return scalar(event)
        .key()
        .orElseThrow(
            () -> new YamlProblem("null or an out-of-range number as a key; quote it", location));
  }

  private Scalar scalar(ScalarEvent event) throws YamlProblem {
    var text = event.getValue();
    if (event.getScalarStyle() == ScalarStyle.DOUBLE_QUOTED && hasHalfCharacter(text)) {
      throw new YamlProblem(
          "an escape (\\u) in quoted text is an unpaired surrogate; write both halves",
          place(event));
    }
    if (beginsWithTab(event)
        && !INDENTED.matcher(section.restOfLine(event.getStartMark())).find()) {
      throw new YamlProblem(
          "the first line of a block scalar starts with a tab; use spaces", place(event));
    }
    if (event.getTag() == null) {
      return event.getImplicit().canOmitTagInPlainScalar()
          ? PlainScalar.read(text)
          : new Scalar.Str(text);
    }
    return TaggedScalar.read(event.getTag(), text)
        .orElseThrow(() ->
            new YamlProblem(
                "a value does not match its tag (e.g. !!int, !!bool, !!binary)", place(event)));
  }

  /// Returns whether a key without quotes is followed by a colon and a bracket or comma, as in
  /// `[a:]` or `{a:[1]}`. Go's reader takes the colon as part of the text; SnakeYAML takes it as
  /// the end of the key.
  private boolean hasColonBeforeBracket(ScalarEvent key) {
    return key.isPlain()
        && section.codePoint(key.getEndMark(), 0) == ':'
        && ",[]{}".indexOf(section.codePoint(key.getEndMark(), 1)) >= 0;
  }

  private static boolean beginsWithTab(ScalarEvent event) {
    var text = event.getValue();
    int i = 0;
    while (i < text.length() && text.charAt(i) == '\n') {
      i++;
    }
    return text.startsWith("\t", i) && (event.isLiteral() || event.isFolded());
  }

  private static boolean hasHalfCharacter(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (Character.isSurrogate(text.charAt(i))) {
        var whole =
            Character.isHighSurrogate(text.charAt(i))
                && i + 1 < text.length()
                && Character.isLowSurrogate(text.charAt(i + 1));
        if (!whole) {
          return true;
        }
        i++;
      }
    }
    return false;
  }

  private Location place(Event event) {
    return section.place(event.getStartMark());
  }
}

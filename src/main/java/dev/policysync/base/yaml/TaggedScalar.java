package dev.policysync.base.yaml;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.policysync.base.yaml.Scalar.Flag;
import dev.policysync.base.yaml.Scalar.Fraction;
import dev.policysync.base.yaml.Scalar.Huge;
import dev.policysync.base.yaml.Scalar.Nothing;
import dev.policysync.base.yaml.Scalar.Str;
import dev.policysync.base.yaml.Scalar.Whole;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.Base64;
import java.util.Optional;

/// Reads a scalar with a tag as Go's YAML reader does. A tag that is not one of YAML's own makes
/// the scalar a string, as do `!` and `!!str`.
final class TaggedScalar {
  private static final String YAML_TAG = "tag:yaml.org,2002:";

  private TaggedScalar() {}

  /// Returns the meaning of a scalar; empty if the tag contradicts the text (`!!int x`).
  public static Optional<Scalar> read(String tag, String text) {
    return tag.startsWith(YAML_TAG)
        ? standard(tag.substring(YAML_TAG.length()), text)
        : Optional.of(new Str(text));
  }

  private static Optional<Scalar> standard(String tag, String text) {
    return switch (tag) {
      case "binary" -> binary(text);
      case "timestamp" ->
          Timestamp.isTimestamp(text) ? Optional.of(new Str(text)) : Optional.empty();
      case "null" -> Optional.of(PlainScalar.read(text)).filter(Nothing.class::isInstance);
      case "bool" -> Optional.of(PlainScalar.read(text)).filter(Flag.class::isInstance);
      case "int" ->
          Optional.of(PlainScalar.read(text)).filter(s -> s instanceof Whole || s instanceof Huge);
      case "float" ->
          switch (PlainScalar.read(text)) {
            case Fraction fraction -> Optional.of(fraction);
            case Whole(var number) -> Optional.of(new Fraction(number));
            default -> Optional.empty();
          };
      default -> Optional.of(new Str(text));
    };
  }

  /// Decodes padded Base64 of a text; line breaks are ignored.
  private static Optional<Scalar> binary(String text) {
    var digits = text.replace("\n", "").replace("\r", "");
    if (digits.length() % 4 != 0) {
      return Optional.empty();
    }
    try {
      var bytes = Base64.getDecoder().decode(digits.getBytes(ISO_8859_1));
      return Optional.of(new Str(UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString()));
    } catch (IllegalArgumentException | CharacterCodingException e) {
      return Optional.empty();
    }
  }
}

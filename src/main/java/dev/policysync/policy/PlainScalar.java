package dev.policysync.policy;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.policysync.policy.Scalar.Flag;
import dev.policysync.policy.Scalar.Fraction;
import dev.policysync.policy.Scalar.Huge;
import dev.policysync.policy.Scalar.Nothing;
import dev.policysync.policy.Scalar.Str;
import dev.policysync.policy.Scalar.Whole;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.yaml.snakeyaml.events.ScalarEvent;

/// Resolves scalars as sigs.k8s.io/yaml 1.6.0 does: YAML 1.1 with Go's numbers, tags of our own
/// being text. The whole table, with Go's answers, is in the tests.
final class ScalarReader {
  private static final String YAML_TAG = "tag:yaml.org,2002:";
  private static final Map<String, Scalar> WORDS = words();

  private ScalarReader() {}

  /// What a scalar stands for; empty where its tag contradicts it (`!!int x`).
  static Optional<Scalar> read(ScalarEvent event) {
    var text = event.getValue();
    var tag = event.getTag();
    if (tag == null) {
      return Optional.of(
          event.getImplicit().canOmitTagInPlainScalar() ? plain(text) : new Str(text));
    }
    return tag.startsWith(YAML_TAG)
        ? tagged(tag.substring(YAML_TAG.length()), text)
        : Optional.of(new Str(text));
  }

  /// What a text without quotes and tag stands for.
  static Scalar plain(String text) {
    if (text.isEmpty()) {
      return new Nothing();
    }
    var first = text.charAt(0);
    var number =
        switch (first) {
          case '.' -> NumberText.readFromDot(text);
          case '+', '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9' -> NumberText.read(text);
          default -> Optional.<Scalar>empty();
        };
    return number.or(() -> Optional.ofNullable(WORDS.get(text))).orElseGet(() -> new Str(text));
  }

  private static Optional<Scalar> tagged(String tag, String text) {
    return switch (tag) {
      case "binary" -> binary(text);
      case "timestamp" -> Timestamp.reads(text) ? Optional.of(new Str(text)) : Optional.empty();
      case "null" -> Optional.of(plain(text)).filter(Nothing.class::isInstance);
      case "bool" -> Optional.of(plain(text)).filter(Flag.class::isInstance);
      case "int" -> Optional.of(plain(text)).filter(s -> s instanceof Whole || s instanceof Huge);
      case "float" ->
          switch (plain(text)) {
            case Fraction fraction -> Optional.of(fraction);
            case Whole(var number) -> Optional.of(new Fraction(number));
            default -> Optional.empty();
          };
      default -> Optional.of(new Str(text));
    };
  }

  /// Base64 of a text: padded, on one line.
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

  private static Map<String, Scalar> words() {
    var words = new HashMap<String, Scalar>();
    put(words, new Flag(true), "y Y yes Yes YES true True TRUE on On ON");
    put(words, new Flag(false), "n N no No NO false False FALSE off Off OFF");
    put(words, new Nothing(), "~ null Null NULL");
    put(words, new Fraction(Double.NaN), ".nan .NaN .NAN");
    put(words, new Fraction(Double.POSITIVE_INFINITY), ".inf .Inf .INF +.inf +.Inf +.INF");
    put(words, new Fraction(Double.NEGATIVE_INFINITY), "-.inf -.Inf -.INF");
    return Map.copyOf(words);
  }

  private static void put(Map<String, Scalar> words, Scalar meaning, String spellings) {
    for (var word : spellings.split(" ", -1)) {
      words.put(word, meaning);
    }
  }
}

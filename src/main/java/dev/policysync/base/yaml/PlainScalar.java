package dev.policysync.base.yaml;

import dev.policysync.base.yaml.Scalar.Flag;
import dev.policysync.base.yaml.Scalar.Fraction;
import dev.policysync.base.yaml.Scalar.Nothing;
import dev.policysync.base.yaml.Scalar.Str;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// Reads a scalar without quotes and tag as Go's YAML reader does.
final class PlainScalar {
  private static final Map<String, Scalar> WORDS = words();

  private PlainScalar() {}

  /// Returns the word or number that a text stands for, or else the text itself.
  public static Scalar read(String text) {
    if (text.isEmpty()) {
      return new Nothing();
    }
    var number =
        switch (text.charAt(0)) {
          case '.' -> NumberText.readFromDot(text);
          case '+', '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9' -> NumberText.read(text);
          default -> Optional.<Scalar>empty();
        };
    if (number.isPresent()) {
      return number.get();
    }
    var word = WORDS.get(text);
    return word == null ? new Str(text) : word;
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

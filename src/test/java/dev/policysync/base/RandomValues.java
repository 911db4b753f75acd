package dev.policysync.base;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Random;

/// Values of every kind, with the texts and numbers that YAML readers trip over.
public final class RandomValues {
  private static final String[] TRICKY =
      """
      y|n|on|No|1e3|0o7|08|0x1F|1_000|12:30:45|2024-01-01|2024-01-01T10:00:00Z|.5|+1|-|--- a|---|...|~|null||true
      |=|<<|*a|&b|!c|%d|@e|`f|a: b|a :b|a #b|#c|[x]|{{ x }}|a, b|'q'|"q"|? a|?|- a|-a|:a|:|a:|> x|0|1.5e10|.inf|\\\
      """
          .replace("\n", "")
          .split("\\|", -1);
  private static final String[] LINES = {
    "a\nb",
    "a\n",
    "\na",
    "\n\n",
    "a\n\n",
    "  a\n b",
    " a",
    "a ",
    "a\n ",
    "a \nb",
    "\ta",
    "a\tb",
    "a\n\tb",
    "\r",
    "a\r\nb",
    "\n  a\nb",
    "x\n\n\n",
    "#\n#",
    "|",
    "\u0085",
    "a\u2028b",
    "\uFEFF",
    "\u00A0",
    "\u0000",
    "\u007F",
    "é",
    "😀",
    "-----BEGIN PUBLIC KEY-----\nabc\n-----END PUBLIC KEY-----\n"
  };
  private static final String CHARACTERS = "ab \n:-#'\"1.,{}[]e_\t";

  private final Random random;

  public RandomValues(Random random) {
    this.random = random;
  }

  /// A value with at most `depth` levels of nesting.
  public Value next(int depth) {
    return switch (random.nextInt(depth == 0 ? 5 : 8)) {
      case 0 -> new Value.Bool(random.nextBoolean());
      case 1 -> Value.Null.NULL;
      case 2 -> number();
      case 3, 4 -> new Value.Text(text());
      case 5 -> sequence(depth);
      default -> mapping(depth);
    };
  }

  private Value number() {
    if (random.nextBoolean()) {
      return Value.Numeric.of(BigInteger.valueOf(random.nextLong() >> random.nextInt(64)));
    }
    return Value.Numeric.of(random.nextGaussian() * Math.pow(10, random.nextInt(60) - 30.0));
  }

  private Value sequence(int depth) {
    var items = new ArrayList<Value>();
    for (int i = random.nextInt(4); i > 0; i--) {
      items.add(next(depth - 1));
    }
    return new Value.Sequence(items);
  }

  private Value mapping(int depth) {
    var fields = new LinkedHashMap<String, Value>();
    for (int i = random.nextInt(5); i > 0; i--) {
      fields.put(text(), next(depth - 1));
    }
    return new Value.Mapping(fields);
  }

  private String text() {
    return switch (random.nextInt(4)) {
      case 0 -> TRICKY[random.nextInt(TRICKY.length)];
      case 1 -> LINES[random.nextInt(LINES.length)];
      case 2 -> "name-" + random.nextInt(100);
      default -> {
        var text = new StringBuilder();
        for (int i = random.nextInt(12); i > 0; i--) {
          text.append(CHARACTERS.charAt(random.nextInt(CHARACTERS.length())));
        }
        yield text.toString();
      }
    };
  }
}

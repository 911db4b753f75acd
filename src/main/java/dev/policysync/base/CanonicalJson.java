package dev.policysync.base;

import java.util.TreeMap;

/// Writes a [Value] as JSON in one canonical form: sorted keys, no white space, escaped control
/// characters. Equal values give equal text, so the text can be hashed, and the API server accepts
/// it as the body of an apply. The API server reads that body as YAML: it would turn U+0085, U+2028
/// and U+2029 into spaces, because they end a line in YAML, and it rejects other control characters
/// beyond ASCII.
public final class CanonicalJson {
  private static final char[] HEX = "0123456789abcdef".toCharArray();

  private CanonicalJson() {}

  public static String write(Value value) {
    var json = new StringBuilder(1024);
    append(json, value);
    return json.toString();
  }

  private static void append(StringBuilder json, Value value) {
    switch (value) {
      case Value.Mapping(var fields) -> {
        var separator = '{';
        for (var field : new TreeMap<>(fields).entrySet()) {
          json.append(separator);
          quote(json, field.getKey());
          json.append(':');
          append(json, field.getValue());
          separator = ',';
        }
        json.append(fields.isEmpty() ? "{}" : "}");
      }
      case Value.Sequence(var items) -> {
        var separator = '[';
        for (var item : items) {
          json.append(separator);
          append(json, item);
          separator = ',';
        }
        json.append(items.isEmpty() ? "[]" : "]");
      }
      case Value.Text(var text) -> quote(json, text);
      case Value.Numeric(var literal) -> json.append(literal);
      case Value.Bool(var flag) -> json.append(flag);
      case Value.Null() -> json.append("null");
    }
  }

  private static void quote(StringBuilder json, String text) {
    json.append('"');
    for (int i = 0; i < text.length(); i++) {
      var c = text.charAt(i);
      switch (c) {
        case '"' -> json.append("\\\"");
        case '\\' -> json.append("\\\\");
        case '\n' -> json.append("\\n");
        case '\r' -> json.append("\\r");
        case '\t' -> json.append("\\t");
        case '\u2028' -> json.append("\\u2028");
        case '\u2029' -> json.append("\\u2029");
        default -> {
          if (c < 0x20 || (c >= 0x7f && c <= 0x9f)) {
            json.append("\\u00").append(HEX[c >> 4]).append(HEX[c & 0xf]);
          } else {
            json.append(c);
          }
        }
      }
    }
    json.append('"');
  }
}

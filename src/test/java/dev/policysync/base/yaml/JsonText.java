package dev.policysync.base.yaml;

import dev.policysync.base.Value;
import java.util.ArrayList;
import java.util.LinkedHashMap;

/// Reads JSON as Go writes it, independently of the YAML reader under test. Numbers keep the
/// literal.
final class JsonText {
  private final String text;
  private int at;

  private JsonText(String text) {
    this.text = text;
  }

  static Value read(String json) {
    var reader = new JsonText(json.strip());
    var value = reader.value();
    if (reader.at != reader.text.length()) {
      throw new IllegalArgumentException("more than one value in " + json);
    }
    return value;
  }

  private Value value() {
    skipSpace();
    return switch (text.charAt(at)) {
      case '{' -> mapping();
      case '[' -> sequence();
      case '"' -> new Value.Text(string());
      default -> literal();
    };
  }

  private Value mapping() {
    var fields = new LinkedHashMap<String, Value>();
    at++;
    while (text.charAt(at) != '}') {
      skipSpace();
      var name = string();
      at++;
      fields.put(name, value());
      skipComma();
    }
    at++;
    return new Value.Mapping(fields);
  }

  private Value sequence() {
    var items = new ArrayList<Value>();
    at++;
    while (text.charAt(at) != ']') {
      items.add(value());
      skipComma();
    }
    at++;
    return new Value.Sequence(items);
  }

  private void skipSpace() {
    while (text.charAt(at) == ' ') {
      at++;
    }
  }

  private void skipComma() {
    at += text.charAt(at) == ',' ? 1 : 0;
  }

  private String string() {
    var string = new StringBuilder();
    at++;
    while (text.charAt(at) != '"') {
      string.append(text.charAt(at) == '\\' ? escaped() : text.charAt(at));
      at++;
    }
    at++;
    return string.toString();
  }

  private char escaped() {
    at++;
    var c = text.charAt(at);
    return switch (c) {
      case 'b' -> '\b';
      case 'f' -> '\f';
      case 'n' -> '\n';
      case 'r' -> '\r';
      case 't' -> '\t';
      case 'u' -> {
        at += 4;
        yield (char) Integer.parseInt(text.substring(at - 3, at + 1), 16);
      }
      default -> c;
    };
  }

  private Value literal() {
    int end = at;
    while (end < text.length() && ",]}".indexOf(text.charAt(end)) < 0) {
      end++;
    }
    var literal = text.substring(at, end);
    at = end;
    return switch (literal) {
      case "true", "false" -> new Value.Bool(Boolean.parseBoolean(literal));
      case "null" -> Value.Null.NULL;
      default -> new Value.Numeric(literal);
    };
  }
}

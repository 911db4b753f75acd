package dev.policysync.cluster;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.policysync.yaml.Value;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringWriter;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;

/// Reads the API server's JSON into [Value]s, by tokens: neither Jackson's object mapper nor the
/// Kubernetes client's model registry is loaded for it.
final class Json {
  private static final JsonFactory FACTORY = new JsonFactory();

  private static final String NO_FIELD = "";

  private Json() {}

  static Value.Mapping object(InputStream json) throws IOException {
    try (var parser = FACTORY.createParser(json)) {
      parser.nextToken();
      return next(parser) instanceof Value.Mapping mapping ? mapping : Value.Mapping.EMPTY;
    }
  }

  static Value parse(String json) throws IOException {
    try (var parser = FACTORY.createParser(json)) {
      parser.nextToken();
      return next(parser);
    }
  }

  static JsonParser parser(InputStream json) throws IOException {
    return FACTORY.createParser(json);
  }

  /// The value that begins at the parser's present token; afterwards that is the value's last one.
  static Value next(JsonParser parser) throws IOException {
    return next(parser, NO_FIELD);
  }

  /// The same, but what the fields of that name hold is left as its JSON text: for what is read by
  /// the thousand and seldom looked into.
  static Value next(JsonParser parser, String leftAsText) throws IOException {
    var token = parser.currentToken();
    if (token == null) {
      throw endedTooSoon();
    }
    return switch (token) {
      case START_OBJECT -> {
        var fields = new LinkedHashMap<String, Value>();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
          var name = parser.currentName();
          parser.nextToken();
          fields.put(
              name,
              leftAsText.equals(name) ? new Value.Text(text(parser)) : next(parser, leftAsText));
        }
        yield new Value.Mapping(fields);
      }
      case START_ARRAY -> {
        var items = new ArrayList<Value>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
          items.add(next(parser, leftAsText));
        }
        yield new Value.Sequence(items);
      }
      case VALUE_STRING -> new Value.Text(parser.getText());
      case VALUE_NUMBER_INT -> Value.Numeric.of(new BigInteger(parser.getText()));
      case VALUE_NUMBER_FLOAT -> Value.Numeric.of(parser.getDoubleValue());
      case VALUE_TRUE -> new Value.Bool(true);
      case VALUE_FALSE -> new Value.Bool(false);
      case VALUE_NULL -> Value.Null.NULL;
      default -> throw new Unreachable.Explained("unexpected JSON token " + token);
    };
  }

  private static String text(JsonParser parser) throws IOException {
    if (parser.currentToken() == null) {
      throw endedTooSoon();
    }
    var text = new StringWriter();
    try (var generator = FACTORY.createGenerator(text)) {
      generator.copyCurrentStructure(parser);
    }
    return text.toString();
  }

  private static Unreachable.Explained endedTooSoon() {
    return new Unreachable.Explained("the answer ended in the middle of its JSON");
  }
}

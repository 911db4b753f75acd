package dev.policysync.cluster;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.policysync.yaml.Value;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;

/// Reads the API server's JSON into [Value]s, by tokens: neither Jackson's object mapper nor the
/// Kubernetes client's model registry is loaded for it.
final class Json {
  private static final JsonFactory FACTORY = new JsonFactory();

  private Json() {}

  static Value.Mapping object(InputStream json) throws IOException {
    try (var parser = FACTORY.createParser(json)) {
      parser.nextToken();
      return next(parser) instanceof Value.Mapping mapping ? mapping : Value.Mapping.EMPTY;
    }
  }

  /// The one value in a text.
  static Value parse(String json) throws IOException {
    try (var parser = FACTORY.createParser(json)) {
      parser.nextToken();
      var value = next(parser);
      if (parser.nextToken() != null) {
        throw new Unreachable.Explained("the JSON goes on after its end");
      }
      return value;
    }
  }

  static JsonParser parser(InputStream json) throws IOException {
    return FACTORY.createParser(json);
  }

  /// The value that begins at the parser's present token; afterwards that is the value's last one.
  static Value next(JsonParser parser) throws IOException {
    var token = parser.currentToken();
    if (token == null) {
      throw new Unreachable.Explained("the answer ended in the middle of its JSON");
    }
    return switch (token) {
      case START_OBJECT -> {
        var fields = new LinkedHashMap<String, Value>();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
          var name = parser.currentName();
          parser.nextToken();
          fields.put(name, next(parser));
        }
        yield new Value.Mapping(fields);
      }
      case START_ARRAY -> {
        var items = new ArrayList<Value>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
          items.add(next(parser));
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
}

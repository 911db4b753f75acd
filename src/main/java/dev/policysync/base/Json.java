package dev.policysync.base;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.io.JsonEOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Reads and writes [Value]s as JSON, token by token, so that no object mapper has to be loaded.
public final class Json {
  private static final JsonFactory FACTORY = new JsonFactory();

  private Json() {}

  /// Parses a JSON object. Returns a mapping without fields if the body holds another type of
  /// value.
  public static Value.Mapping object(InputStream json) throws IOException {
    try (var parser = FACTORY.createParser(json)) {
      parser.nextToken();
      return next(parser) instanceof Value.Mapping mapping ? mapping : Value.Mapping.EMPTY;
    }
  }

  /// Parses a text that holds exactly one JSON value.
  public static Value parse(String json) throws IOException {
    try (var parser = FACTORY.createParser(json)) {
      parser.nextToken();
      var value = next(parser);
      if (parser.nextToken() != null) {
        throw new JsonParseException(parser, "unexpected content after the end");
      }
      return value;
    }
  }

  /// Returns a parser for a long body, positioned before the first token. The parser forgets the
  /// names of fields when it is closed: managed fields contain many names that occur once, and
  /// these would pile up in the heap.
  public static JsonParser parser(InputStream json) throws IOException {
    return JsonFactory.builder()
        .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
        .build()
        .createParser(json);
  }

  /// Reads the value that begins at the parser's current token and leaves the parser at the last
  /// token of that value.
  public static Value next(JsonParser parser) throws IOException {
    return read(parser, null);
  }

  /// Reads a value like [#next(JsonParser)], but keeps the value of each field of that name as
  /// unparsed JSON text. This is for fields that are read by the thousand and seldom used.
  public static Value next(JsonParser parser, String leftAsText) throws IOException {
    return read(parser, leftAsText);
  }

  private static Value read(JsonParser parser, @Nullable String leftAsText) throws IOException {
    var token = parser.currentToken();
    if (token == null) {
      throw endedTooSoon(parser);
    }
    return switch (token) {
      case START_OBJECT -> {
        var fields = new LinkedHashMap<String, Value>();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
          var name = parser.currentName();
          parser.nextToken();
          fields.put(
              name,
              name.equals(leftAsText) ? new Value.Text(text(parser)) : read(parser, leftAsText));
        }
        yield new Value.Mapping(fields);
      }
      case START_ARRAY -> {
        var items = new ArrayList<Value>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
          items.add(read(parser, leftAsText));
        }
        yield new Value.Sequence(items);
      }
      case VALUE_STRING -> new Value.Text(parser.getText());
      case VALUE_NUMBER_INT -> new Value.Numeric(parser.getText());
      case VALUE_NUMBER_FLOAT -> Value.Numeric.of(parser.getDoubleValue());
      case VALUE_TRUE -> new Value.Bool(true);
      case VALUE_FALSE -> new Value.Bool(false);
      case VALUE_NULL -> Value.Null.NULL;
      default -> throw new JsonParseException(parser, "unexpected token " + token);
    };
  }

  private static String text(JsonParser parser) throws IOException {
    if (parser.currentToken() == null) {
      throw endedTooSoon(parser);
    }
    var text = new StringWriter();
    try (var generator = FACTORY.createGenerator(text)) {
      generator.copyCurrentStructure(parser);
    }
    return text.toString();
  }

  /// Writes a value in one line, with the fields in their order.
  public static String write(Value value) {
    return write(generator -> write(value, generator));
  }

  /// Writes JSON field by field to a generator.
  public interface Content {
    void write(JsonGenerator json) throws IOException;
  }

  public static String write(Content content) {
    var text = new StringWriter();
    try (var generator = FACTORY.createGenerator(text)) {
      content.write(generator);
    } catch (IOException e) {
      throw new UncheckedIOException("in-memory write failed", e);
    }
    return text.toString();
  }

  /// Writes a field that is a string, or `null` if there is no text.
  public static void text(JsonGenerator json, String field, Optional<String> text)
      throws IOException {
    json.writeFieldName(field);
    if (text.isPresent()) {
      json.writeString(text.get());
    } else {
      json.writeNull();
    }
  }

  private static void write(Value value, JsonGenerator generator) throws IOException {
    switch (value) {
      case Value.Mapping(var fields) -> {
        generator.writeStartObject();
        for (var field : fields.entrySet()) {
          generator.writeFieldName(field.getKey());
          write(field.getValue(), generator);
        }
        generator.writeEndObject();
      }
      case Value.Sequence(var items) -> {
        generator.writeStartArray();
        for (var item : items) {
          write(item, generator);
        }
        generator.writeEndArray();
      }
      case Value.Text(var text) -> generator.writeString(text);
      case Value.Numeric(var literal) -> generator.writeRawValue(literal);
      case Value.Bool(var flag) -> generator.writeBoolean(flag);
      case Value.Null() -> generator.writeNull();
    }
  }

  private static JsonEOFException endedTooSoon(JsonParser parser) {
    return new JsonEOFException(parser, null, "unexpected end");
  }
}

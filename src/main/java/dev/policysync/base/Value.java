package dev.policysync.base;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// One node of a manifest or of an object that the API server returned: what JSON can express, no
/// more.
///
/// Mappings keep their fields in the order in which they were written, for readers; equality and
/// [CanonicalJson] ignore the order.
public sealed interface Value {

  /// A JSON object: `{"name": "team-label"}`.
  record Mapping(Map<String, Value> fields) implements Value {
    public static final Mapping EMPTY = new Mapping(Map.of());

    public Mapping {
      fields = Collections.unmodifiableMap(new LinkedHashMap<>(fields));
    }

    /// Returns the field of that name; empty if the field is absent or null.
    public Optional<Value> field(String name) {
      return Optional.ofNullable(fields.get(name)).filter(value -> !(value instanceof Null));
    }

    /// Returns the mapping in field `name`, or a mapping without fields if there is none.
    public Mapping mapping(String name) {
      return fields.get(name) instanceof Mapping mapping ? mapping : EMPTY;
    }

    /// Returns the items of the list in field `name`; empty if the field is not a list.
    public List<Value> items(String name) {
      return fields.get(name) instanceof Sequence(var items) ? items : List.of();
    }

    /// Returns the items of the list in field `name` that are mappings.
    public List<Mapping> mappings(String name) {
      return items(name).stream()
          .filter(Mapping.class::isInstance)
          .map(Mapping.class::cast)
          .toList();
    }

    /// Returns the items of the list in field `name` that are strings.
    public List<String> texts(String name) {
      return items(name).stream()
          .filter(Text.class::isInstance)
          .map(item -> ((Text) item).text())
          .toList();
    }

    /// Returns the text in field `name`, if the field is a string.
    public Optional<String> text(String name) {
      return fields.get(name) instanceof Text(var text) ? Optional.of(text) : Optional.empty();
    }

    /// Returns this mapping with one field set; an existing field keeps its position.
    public Mapping with(String name, Value value) {
      var changed = new LinkedHashMap<>(fields);
      changed.put(name, value);
      return new Mapping(changed);
    }

    public Mapping with(String name, String text) {
      return with(name, new Text(text));
    }

    public Mapping without(String name) {
      if (!fields.containsKey(name)) {
        return this;
      }
      var changed = new LinkedHashMap<>(fields);
      changed.remove(name);
      return new Mapping(changed);
    }

    /// Written out, like [#hashCode]: the JVM assembles a record's own methods anew at each start,
    /// which takes a run without changes longer than all that it compares.
    @Override
    public boolean equals(Object other) {
      return other instanceof Mapping mapping && fields.equals(mapping.fields);
    }

    @Override
    public int hashCode() {
      return fields.hashCode();
    }
  }

  /// A JSON array.
  record Sequence(List<Value> items) implements Value {
    public Sequence {
      items = List.copyOf(items);
    }
  }

  /// A JSON string, without its quotes.
  record Text(String text) implements Value {
    @Override
    public boolean equals(Object other) {
      return other instanceof Text another && text.equals(another.text);
    }

    @Override
    public int hashCode() {
      return text.hashCode();
    }
  }

  /// A JSON number in its canonical form, written as Go's encoding/json writes it: `1`, `0.5`,
  /// `1e+21`. Equal numbers are therefore equal records, however they were spelled.
  record Numeric(String literal) implements Value {
    public static Numeric of(long number) {
      return new Numeric(Long.toString(number));
    }

    public static Numeric of(BigInteger number) {
      return new Numeric(number.toString());
    }

    /// Formats a floating-point number: plain digits from 1e-6 up to 1e21, with an exponent outside
    /// that range.
    public static Numeric of(double number) {
      if (number == 0) {
        return new Numeric(1 / number < 0 ? "-0" : "0");
      }
      var shortest = shortest(number);
      var size = Math.abs(number);
      if (size >= 1e-6 && size < 1e21) {
        return new Numeric(shortest.toPlainString());
      }
      var digits = shortest.unscaledValue().abs().toString();
      var exponent = digits.length() - 1 - shortest.scale();
      var fraction = digits.length() == 1 ? "" : "." + digits.substring(1);
      var sign = number < 0 ? "-" : "";
      return new Numeric(
          sign + digits.charAt(0) + fraction + "e" + (exponent < 0 ? "" : "+") + exponent);
    }

    /// Returns the fewest digits that represent this number; Java writes two digits even where one
    /// is enough (5e-324).
    private static BigDecimal shortest(double number) {
      var decimal = new BigDecimal(Double.toString(number)).stripTrailingZeros();
      var oneDigit = decimal.round(new MathContext(1));
      return oneDigit.doubleValue() == number ? oneDigit : decimal;
    }
  }

  /// A JSON boolean.
  record Bool(boolean value) implements Value {}

  /// JSON's null.
  record Null() implements Value {
    public static final Null NULL = new Null();
  }
}

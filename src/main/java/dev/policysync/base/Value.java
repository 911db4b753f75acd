package dev.policysync.base;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// One node of a manifest or of an object that the API server returned: what JSON can say, no more.
///
/// Mappings keep the order in which they were written, for people; equality and [CanonicalJson]
/// ignore it.
public sealed interface Value {

  /// A JSON object: `{"name": "team-label"}`.
  record Mapping(Map<String, Value> fields) implements Value {
    /// An object without fields.
    public static final Mapping EMPTY = new Mapping(Map.of());

    public Mapping {
      fields = Collections.unmodifiableMap(new LinkedHashMap<>(fields));
    }

    /// The field of that name, absent too where it is there with the value null.
    public Optional<Value> field(String name) {
      return Optional.ofNullable(fields.get(name)).filter(value -> !(value instanceof Null));
    }

    /// The mapping below `name`, or an empty one where there is none.
    public Mapping mapping(String name) {
      return fields.get(name) instanceof Mapping mapping ? mapping : EMPTY;
    }

    /// The items of the list below `name`, none where there is no list.
    public List<Value> items(String name) {
      return fields.get(name) instanceof Sequence(var items) ? items : List.of();
    }

    /// The items of the list below `name` that are mappings.
    public List<Mapping> mappings(String name) {
      return items(name).stream()
          .filter(Mapping.class::isInstance)
          .map(Mapping.class::cast)
          .toList();
    }

    /// The items of the list below `name` that are strings.
    public List<String> texts(String name) {
      return items(name).stream()
          .filter(Text.class::isInstance)
          .map(item -> ((Text) item).text())
          .toList();
    }

    /// The text below `name`, if that is a string.
    public Optional<String> text(String name) {
      return fields.get(name) instanceof Text(var text) ? Optional.of(text) : Optional.empty();
    }

    /// This mapping with one field set; an existing one keeps its place.
    public Mapping with(String name, Value value) {
      var changed = new LinkedHashMap<>(fields);
      changed.put(name, value);
      return new Mapping(changed);
    }

    /// This mapping without the named field.
    public Mapping without(String name) {
      if (!fields.containsKey(name)) {
        return this;
      }
      var changed = new LinkedHashMap<>(fields);
      changed.remove(name);
      return new Mapping(changed);
    }
  }

  /// A JSON array.
  record Sequence(List<Value> items) implements Value {
    public Sequence {
      items = List.copyOf(items);
    }
  }

  /// A JSON string, without its quotes.
  record Text(String text) implements Value {}

  /// A JSON number by its one canonical literal, written as Go's encoding/json writes it: `1`,
  /// `0.5`, `1e+21`. So equal numbers are equal records, however they were spelt.
  record Numeric(String literal) implements Value {
    /// A whole number.
    public static Numeric of(long number) {
      return new Numeric(Long.toString(number));
    }

    /// A whole number of any size.
    public static Numeric of(BigInteger number) {
      return new Numeric(number.toString());
    }

    /// A floating-point number: plain digits from 1e-6 up to 1e21, with an exponent outside.
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

    /// The fewest digits that mean this number; Java writes two also where one is enough (5e-324).
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
    /// The only one needed.
    public static final Null NULL = new Null();
  }
}

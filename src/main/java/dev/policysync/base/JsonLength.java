package dev.policysync.base;

/// Computes the length of a value as JSON without writing it. A YAML alias is short in the source,
/// but counts with the length of the value that it refers to.
public final class JsonLength {
  private final long most;
  private long length;

  private JsonLength(long most) {
    this.most = most;
  }

  /// Returns the number of bytes in UTF-8, separators included. The number may be slightly too
  /// large, but not too small. Counting stops soon after `most`.
  public static long of(Value value, long most) {
    var counted = new JsonLength(most);
    counted.add(value);
    return counted.length;
  }

  private void add(Value value) {
    if (length > most) {
      return;
    }
    switch (value) {
      case Value.Mapping(var fields) -> {
        length += 3;
        for (var field : fields.entrySet()) {
          add(field.getKey());
          add(field.getValue());
        }
      }
      case Value.Sequence(var items) -> {
        length += 3;
        items.forEach(this::add);
      }
      case Value.Text(var text) -> add(text);
      case Value.Numeric(var literal) -> length += literal.length() + 1L;
      case Value.Bool _, Value.Null() -> length += 6;
    }
  }

  private void add(String text) {
    length += 3;
    for (int i = 0; i < text.length() && length <= most; i++) {
      var c = text.charAt(i);
      if (c < 0x20 || (c >= 0x7f && c <= 0x9f)) {
        length += 6;
      } else if (c == '"' || c == '\\') {
        length += 2;
      } else {
        length += c < 0x80 ? 1 : c < 0x800 ? 2 : 3;
      }
    }
  }
}

package dev.policysync.base;

import java.io.IOException;

/// A mapping to be kept for long. One of many is kept as its JSON text, which takes a fraction of
/// the memory of the tree and is parsed anew whenever somebody looks into it (see also
/// [JsonArchive]); one of few is kept as the tree, and never parsed.
public final class CompactJson {
  private final Form form;

  /// How it is kept.
  sealed interface Form permits Tree, Text, JsonArchive.Entry {}

  private record Tree(Value.Mapping value) implements Form {}

  private record Text(String json) implements Form {}

  CompactJson(Form form) {
    this.form = form;
  }

  /// That mapping as its text, its fields in their order.
  public static CompactJson of(Value.Mapping value) {
    return new CompactJson(new Text(Json.write(value)));
  }

  /// That mapping as it is.
  public static CompactJson tree(Value.Mapping value) {
    return new CompactJson(new Tree(value));
  }

  /// The same as a tree, for whoever looks into it several times.
  public CompactJson unpacked() {
    return form instanceof Tree ? this : tree(value());
  }

  /// The mapping; of a text it is made anew each time.
  public Value.Mapping value() {
    return switch (form) {
      case Tree(var value) -> value;
      case Text _, JsonArchive.Entry _ -> parsed(toString());
    };
  }

  private static Value.Mapping parsed(String text) {
    try {
      return (Value.Mapping) Json.parse(text);
    } catch (IOException e) {
      throw new IllegalStateException("what was written here cannot be read; a bug", e);
    }
  }

  /// The order of fields makes no difference.
  @Override
  public boolean equals(Object other) {
    return other instanceof CompactJson compactJson
        && (form.equals(compactJson.form) || value().equals(compactJson.value()));
  }

  @Override
  public int hashCode() {
    return value().hashCode();
  }

  /// Its text.
  @Override
  public String toString() {
    return switch (form) {
      case Tree(var value) -> Json.write(value);
      case Text(var json) -> json;
      case JsonArchive.Entry entry -> entry.text();
    };
  }
}

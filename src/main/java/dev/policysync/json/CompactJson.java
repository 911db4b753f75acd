package dev.policysync.json;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// A mapping to be kept for long. One of many is kept as its JSON text, which takes a fraction of
/// the memory of the tree and is parsed anew whenever somebody looks into it; one of few is kept as
/// the tree, and never parsed.
public final class CompactJson {
  private final @Nullable String json;
  private final Value.@Nullable Mapping tree;

  private CompactJson(@Nullable String json, Value.@Nullable Mapping tree) {
    this.json = json;
    this.tree = tree;
  }

  /// That mapping as its text, its fields in their order.
  public static CompactJson of(Value.Mapping value) {
    return new CompactJson(Json.write(value), null);
  }

  /// That mapping as it is.
  public static CompactJson tree(Value.Mapping value) {
    return new CompactJson(null, value);
  }

  /// The same as a tree, for whoever looks into it several times.
  public CompactJson unpacked() {
    return tree == null ? tree(value()) : this;
  }

  /// The mapping; of a text it is made anew each time.
  public Value.Mapping value() {
    return tree != null ? tree : parsed(toString());
  }

  private static Value.Mapping parsed(String text) {
    try {
      return (Value.Mapping) Json.parse(text);
    } catch (IOException e) {
      throw new IllegalStateException("what was written here cannot be read; a bug", e);
    }
  }

  /// How many bytes its text takes in memory, where a character beyond Latin-1 doubles the whole.
  /// One beyond ASCII counts as such: that can be found out in no time.
  public int bytes() {
    var text = toString();
    var length = text.length();
    return text.getBytes(UTF_8).length == length ? length : 2 * length;
  }

  /// The order of fields makes no difference.
  @Override
  public boolean equals(Object other) {
    return other instanceof CompactJson compactJson
        && ((json != null && json.equals(compactJson.json)) || value().equals(compactJson.value()));
  }

  @Override
  public int hashCode() {
    return value().hashCode();
  }

  /// Its text.
  @Override
  public String toString() {
    return json != null ? json : Json.write(value());
  }
}

package dev.policysync.yaml;

/// A line and a column of a stream, both counted from 1.
public record Place(int line, int column) {
  /// The first character.
  public static final Place START = new Place(1, 1);
}

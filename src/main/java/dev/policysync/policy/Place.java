package dev.policysync.policy;

/// A line and a column of a stream, both counted from 1.
record Place(int line, int column) {
  /// The first character.
  static final Place START = new Place(1, 1);

  /// The same with its source and document.
  Position in(String source, int document) {
    return new Position(source, document, line, column);
  }
}

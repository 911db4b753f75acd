package dev.policysync.base.yaml;

/// How much of the heap the tree of one document may take up while it is read.
///
/// @param nodes most values and keys in it, aliases aside, which share what they stand for
/// @param bytes most bytes of its text
public record DocumentLimit(long nodes, long bytes) {
  /// Most bytes of the text of one object. etcd stores less, and YAML's scanner takes the square of
  /// the length of a text within: 1.4 s for 1 MB, 5 s for 2 MB.
  static final int OBJECT = 2 * 1024 * 1024;

  /// Bytes that a node takes up besides its text: a record, a string, its place in a map.
  private static final int NODE = 100;

  /// For a heap of so many bytes: a third of it for nodes, and as much for the text, which is there
  /// as it came, decoded, and cut into values.
  public static DocumentLimit of(long heap) {
    return new DocumentLimit(heap / 3 / NODE, heap / 3 / 3);
  }
}

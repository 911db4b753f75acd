package dev.policysync.base.yaml;

/// The part of the heap that the tree of one document may take up while the document is read.
///
/// @param nodes the maximum number of values and keys; an alias does not count, because it shares
///   the value that it refers to
/// @param bytes the maximum length of the document's text in bytes
public record DocumentLimit(long nodes, long bytes) {
  /// The maximum length of the text of one object in bytes. etcd stores less, and the time of
  /// YAML's scanner grows with the square of the length of a text in the document: 1.4 s for 1 MB,
  /// 5 s for 2 MB.
  static final int OBJECT = 2 * 1024 * 1024;

  /// The bytes that a node takes up besides its text: a record, a string, an entry in a map.
  private static final int NODE = 100;

  /// Returns the limit for a heap of that many bytes: a third of the heap for nodes and a third for
  /// the text, which exists three times: as received, decoded, and cut into values.
  public static DocumentLimit of(long heap) {
    return new DocumentLimit(heap / 3 / NODE, heap / 3 / 3);
  }
}

package dev.policysync.policy.feed;

import dev.policysync.base.HeapBudget;
import dev.policysync.base.yaml.DocumentLimit;

/// How many bytes of policies a run takes, by the heap it has: a feed that fills it would end the
/// run somewhere in the middle.
///
/// @param bytes as they come, and once more of what the policies in them take up while they are
///   kept
/// @param heapBudget what that was derived from
public record FeedLimit(long bytes, HeapBudget heapBudget) {
  /// How many times its size a feed takes up at its peak: the bytes, the policies in them, what is
  /// to be applied of each, and the surroundings in which it is judged. Measured with a first sync
  /// of 4,000 policies made of the examples.
  private static final int TIMES = 8;

  /// One for that heap; no more than fits an array.
  public static FeedLimit of(HeapBudget heapBudget) {
    return new FeedLimit(Math.min(heapBudget.bytes() / TIMES, 1 << 30), heapBudget);
  }

  /// Why a feed of that size is rejected, and what to do: `the feed of 70.2 MiB exceeds …`.
  public String exceededBy(long size) {
    return "the feed of " + HeapBudget.size(size) + because() + HeapBudget.raisedTo(size * TIMES);
  }

  /// The same where nobody knows how much there would be.
  public String exceeded() {
    return "the feed" + because() + heapBudget.doubled();
  }

  private String because() {
    return " exceeds the limit of "
        + HeapBudget.size(bytes)
        + " for a heap of "
        + heapBudget
        + "; ";
  }

  /// What one document of such a feed may be.
  DocumentLimit ofDocuments() {
    return DocumentLimit.of(heapBudget.bytes());
  }
}

package dev.policysync.policy.feed;

import dev.policysync.base.HeapBudget;
import dev.policysync.base.yaml.DocumentLimit;

/// The maximum size of a feed, derived from the size of the heap: a feed that fills the heap would
/// end the run in the middle.
///
/// @param bytes the limit for the feed as received, and again for the contents of its policies
///   while they are kept
/// @param heapBudget the heap from which the limit was derived
public record FeedLimit(long bytes, HeapBudget heapBudget) {
  /// The factor between the size of a feed and its peak memory: the bytes, the policies in them,
  /// the manifest to apply for each policy, and the related policies used to evaluate it. A first
  /// sync of 1,000 policies made from the examples needed 13 times its size.
  private static final int TIMES = 16;

  /// Returns the limit for a heap, at most the maximum size of an array.
  public static FeedLimit of(HeapBudget heapBudget) {
    return new FeedLimit(Math.min(heapBudget.bytes() / TIMES, 1 << 30), heapBudget);
  }

  /// Returns the reason why a feed of this size is rejected, and what to do: `the feed of 70.2 MiB
  /// exceeds …`.
  public String exceededBy(long size) {
    return "the feed of "
        + HeapBudget.size(size)
        + limitReason()
        + HeapBudget.adviceToRaiseTo(size * TIMES);
  }

  /// Returns the reason why a feed of unknown size is rejected, and what to do.
  public String exceeded() {
    return "the feed" + limitReason() + heapBudget.adviceToDouble();
  }

  private String limitReason() {
    return " exceeds the limit of "
        + HeapBudget.size(bytes)
        + " for a heap of "
        + heapBudget
        + "; ";
  }

  /// Returns the limit for one document of a feed.
  DocumentLimit ofDocuments() {
    return DocumentLimit.of(heapBudget.bytes());
  }
}

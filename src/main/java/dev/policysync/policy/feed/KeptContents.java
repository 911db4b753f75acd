package dev.policysync.policy.feed;

import dev.policysync.base.CompactJson;
import dev.policysync.base.JsonArchive;
import dev.policysync.base.JsonLength;
import dev.policysync.base.Value;
import dev.policysync.policy.Manifest;
import dev.policysync.policy.Position;
import java.util.List;

/// What the policies of a feed contain, as a run keeps it: of a small feed as it was parsed, of a
/// larger one as texts in an archive, since the trees of thousands take more memory than a sync
/// has.
final class KeptContents implements AutoCloseable {
  /// A feed that is small: some 170 policies, in a few MB of trees.
  private static final long SMALL = 1 << 19;

  private final boolean asTrees;
  private final FeedLimit limit;
  private final JsonArchive archive = new JsonArchive();
  private long length;

  private KeptContents(boolean asTrees, FeedLimit limit) {
    this.asTrees = asTrees;
    this.limit = limit;
  }

  /// Those of a feed of these streams.
  static KeptContents of(List<Manifest> manifests, FeedLimit limit) {
    var size = manifests.stream().mapToLong(manifest -> manifest.yaml().length()).sum();
    return new KeptContents(size <= SMALL, limit);
  }

  /// Those of one whose trees are kept anyway.
  static KeptContents trees(FeedLimit limit) {
    return new KeptContents(true, limit);
  }

  /// Keeps one more.
  ///
  /// @param position of its policy
  /// @throws FeedProblem if all of them together are too much
  CompactJson keep(Value.Mapping content, Position position) {
    length += JsonLength.of(content, limit.bytes());
    if (length > limit.bytes()) {
      throw new FeedProblem(position + ": with aliases (*) expanded, " + limit.exceeded(), false);
    }
    return asTrees ? CompactJson.tree(content) : archive.add(content);
  }

  /// Ends what can be kept.
  @Override
  public void close() {
    archive.close();
  }
}

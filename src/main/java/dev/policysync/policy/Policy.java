package dev.policysync.policy;

import dev.policysync.yaml.Value;

/// One policy as the feed wants it: its name, what it shall contain, and where that was written.
///
/// `content` is the whole manifest less what only the server may set (status, uid, resourceVersion,
/// managedFields and the like). Its `apiVersion` is the one that was written, which is not always
/// the one at which it is applied.
public record Policy(PolicyId id, Value.Mapping content, Position position) {

  /// The policy's own metadata.
  public Value.Mapping metadata() {
    return content.mapping("metadata");
  }
}

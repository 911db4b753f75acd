package dev.policysync.policy;

import dev.policysync.base.Value;
import dev.policysync.base.yaml.Excerpt;
import java.util.Optional;

/// One policy as the feed wants it: its name, what it shall contain, and where that was written.
///
/// @param content the whole manifest without what only the server may set (status, uid,
///   resourceVersion, managedFields and the like). Its `apiVersion` is the one that was written,
///   which is not always the one at which the policy is applied.
/// @param succession of a successor: the policy that it was made of; empty for the feed's own
/// @param excerpt the policy's text in the stream that its position names; empty for an item of a
///   list
public record Policy(
    PolicyId id,
    Value.Mapping content,
    Position position,
    Optional<Succession> succession,
    Optional<Excerpt> excerpt) {
  public Policy(
      PolicyId id, Value.Mapping content, Position position, Optional<Succession> succession) {
    this(id, content, position, succession, Optional.empty());
  }

  public Policy(PolicyId id, Value.Mapping content, Position position) {
    this(id, content, position, Optional.empty());
  }
}

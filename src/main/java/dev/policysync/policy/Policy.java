package dev.policysync.policy;

import dev.policysync.base.Value;
import dev.policysync.base.yaml.Excerpt;
import java.util.Optional;

/// One policy as the feed expects it: its identity, its content, and where it was written.
///
/// The content is the whole manifest without the fields that only the server may set (status, uid,
/// resourceVersion, managedFields and the like). The `apiVersion` in the content is the one in the
/// manifest, which may differ from the version in which the policy is applied.
///
/// @param succession set on a successor, which was made from a policy of the feed
/// @param excerpt the policy's text in the stream that its position names; empty if that text is
///   not of this policy alone
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

  /// Returns the policy under which the feed and the API know this one: the original of a
  /// successor, else the policy itself.
  public PolicyId ofFeed() {
    return succession.map(Succession::legacy).orElse(id);
  }
}

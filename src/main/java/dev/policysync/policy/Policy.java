package dev.policysync.policy;

import dev.policysync.base.CompactJson;
import dev.policysync.base.Value;
import dev.policysync.base.yaml.Excerpt;
import java.util.Optional;

/// One policy as the feed expects it: its identity, its content, and where it was written.
///
/// The content is the whole manifest without the fields that only the server may set (status, uid,
/// resourceVersion, managedFields and the like). The `apiVersion` in the content is the one that
/// was written, which is not always the version at which the policy is applied.
///
/// @param succession set on a successor, which was made from a policy of the feed
/// @param excerpt the policy's text in the stream that its position names; empty if that text does
///   not belong to this policy alone
public record Policy(
    PolicyId id,
    CompactJson compactJson,
    Position position,
    Optional<Succession> succession,
    Optional<Excerpt> excerpt) {
  public Policy(
      PolicyId id, CompactJson compactJson, Position position, Optional<Succession> succession) {
    this(id, compactJson, position, succession, Optional.empty());
  }

  public Policy(PolicyId id, Value.Mapping content, Position position) {
    this(id, CompactJson.of(content), position, Optional.empty());
  }

  /// Returns this policy with its content parsed, for callers that read the content several times.
  public Policy unpacked() {
    return new Policy(id, compactJson.unpacked(), position, succession, excerpt);
  }

  /// Returns the manifest. It may be parsed anew at each call, because a feed may hold thousands.
  public Value.Mapping content() {
    return compactJson.value();
  }
}

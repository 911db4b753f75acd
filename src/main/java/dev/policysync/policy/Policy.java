package dev.policysync.policy;

import dev.policysync.base.CompactJson;
import dev.policysync.base.Value;
import dev.policysync.base.yaml.Excerpt;
import java.util.Optional;

/// One policy as the feed wants it: its name, what it shall contain, and where that was written.
///
/// Its content is the whole manifest less what only the server may set (status, uid,
/// resourceVersion, managedFields and the like). The `apiVersion` in it is the one that was
/// written, which is not always the one at which it is applied.
///
/// @param succession of a policy that is not the feed's own, but made of one of it
/// @param excerpt its text in the stream that its position names, where that is nobody else's
public record Policy(
    PolicyId id,
    CompactJson compactJson,
    Position position,
    Optional<Succession> succession,
    Optional<Excerpt> excerpt) {
  /// One that has no text of its own.
  public Policy(
      PolicyId id, CompactJson compactJson, Position position, Optional<Succession> succession) {
    this(id, compactJson, position, succession, Optional.empty());
  }

  /// One of that content.
  public Policy(PolicyId id, Value.Mapping content, Position position) {
    this(id, CompactJson.of(content), position, Optional.empty());
  }

  /// The same for whoever looks into it several times.
  public Policy unpacked() {
    return new Policy(id, compactJson.unpacked(), position, succession, excerpt);
  }

  /// The manifest. It may be made anew each time, as a feed may hold thousands.
  public Value.Mapping content() {
    return compactJson.value();
  }
}

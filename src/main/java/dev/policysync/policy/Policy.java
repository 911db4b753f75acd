package dev.policysync.policy;

import dev.policysync.json.CompactJson;
import dev.policysync.json.Value;
import java.util.Optional;

/// One policy as the feed wants it: its name, what it shall contain, and where that was written.
///
/// Its content is the whole manifest less what only the server may set (status, uid,
/// resourceVersion, managedFields and the like). The `apiVersion` in it is the one that was
/// written, which is not always the one at which it is applied.
///
/// @param succession of a policy that is not the feed's own, but made of one of it
public record Policy(
    PolicyId id, CompactJson compactJson, Position position, Optional<Succession> succession) {
  /// One of the feed's own.
  public Policy(PolicyId id, CompactJson compactJson, Position position) {
    this(id, compactJson, position, Optional.empty());
  }

  /// One of that content.
  public Policy(PolicyId id, Value.Mapping content, Position position) {
    this(id, CompactJson.of(content), position);
  }

  /// The manifest. It may be made anew each time, as a feed may hold thousands.
  public Value.Mapping content() {
    return compactJson.value();
  }
}

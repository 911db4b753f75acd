package dev.policysync.policy.feed;

import dev.policysync.policy.PolicyId;
import dev.policysync.policy.Position;
import dev.policysync.policy.kyverno.PolicyDependency;
import java.util.List;
import java.util.Optional;

/// A document of the feed that cannot be applied as a policy, and the reason.
///
/// @param id the policy that the document should define, if known, such as for two documents of one
///   identity
/// @param name the policy's name for the summary, if it has one
/// @param positions the positions of the document; several for a duplicate
/// @param reason one sentence that quotes only names from the document
/// @param shield the policies that the document would serve, if it is an exception or a context
///   entry
public record UnreadableDocument(
    Optional<PolicyId> id,
    Optional<String> name,
    List<Position> positions,
    String reason,
    Optional<PolicyDependency> shield) {
  public UnreadableDocument(
      Optional<PolicyId> id, Optional<String> name, List<Position> positions, String reason) {
    this(id, name, positions, reason, Optional.empty());
  }

  public UnreadableDocument {
    positions = List.copyOf(positions);
    if (positions.isEmpty()) {
      throw new IllegalArgumentException("an unreadable document without a position: " + reason);
    }
  }

  /// Returns the name for messages: the policy, or else the position in the feed.
  public String label() {
    return id.map(PolicyId::toString).orElseGet(() -> positions.getFirst().toString());
  }
}

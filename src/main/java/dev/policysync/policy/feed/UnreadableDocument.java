package dev.policysync.policy.feed;

import dev.policysync.policy.PolicyId;
import dev.policysync.policy.Position;
import dev.policysync.policy.kyverno.PolicyDependency;
import java.util.List;
import java.util.Optional;

/// A document of the feed that is not a policy we can apply, and why.
///
/// @param id the policy that it would have been, where that much can be told (two documents of one
///   identity, for example)
/// @param name the policy's name for the summary, where it has one
/// @param positions where it stands; more than one for a duplicate
/// @param reason one sentence without any of the document's content but names
/// @param shield which policies it would have served, where it is an exception or a context entry
public record UnreadableDocument(
    Optional<PolicyId> id,
    Optional<String> name,
    List<Position> positions,
    String reason,
    Optional<PolicyDependency> shield) {
  /// One that serves no policies.
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

  /// How a message names it: the policy, else its place in the feed.
  public String label() {
    return id.map(PolicyId::toString).orElseGet(() -> positions.getFirst().toString());
  }
}

package dev.policysync.plan;

import dev.policysync.policy.OwnershipAnnotations;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.Succession;
import dev.policysync.policy.Succession.Stage;
import dev.policysync.policy.feed.ExpectedPolicies;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// Finds the successors that the agent made from policies of the feed: the expected ones, and live
/// ones of ours that are no longer expected.
public final class Successors {
  private Successors() {}

  /// Returns every successor, expected or live, with its succession.
  public static Map<PolicyId, Succession> of(
      ExpectedPolicies expectedPolicies, Collection<LivePolicy> live, SourceName ours) {
    var successions = ofLive(live, ours);
    expectedPolicies
        .policies()
        .forEach(policy ->
            policy
                .succession()
                .ifPresentOrElse(
                    succession -> successions.put(policy.id(), succession),
                    () -> successions.remove(policy.id())));
    return successions;
  }

  /// Returns the live successors as they have to be once all are in sync: none of them is a
  /// rehearsal.
  public static Map<PolicyId, Succession> settled(Collection<LivePolicy> live, SourceName ours) {
    var successions = ofLive(live, ours);
    successions.replaceAll(
        (_, succession) -> new Succession(succession.legacy(), Stage.REPLACEMENT));
    return successions;
  }

  private static Map<PolicyId, Succession> ofLive(Collection<LivePolicy> live, SourceName ours) {
    var successions = new HashMap<PolicyId, Succession>();
    for (var there : live) {
      if (OwnershipVerdict.of(there, ours) instanceof OwnershipVerdict.Ours) {
        legacyOf(there)
            .ifPresent(legacy -> successions.put(there.id(), new Succession(legacy, stage(there))));
      }
    }
    return successions;
  }

  /// Returns the policy of the feed that the agent made this live policy from, if any.
  public static Optional<PolicyId> legacyOf(LivePolicy there) {
    return there
        .annotation(OwnershipAnnotations.SUCCESSOR_OF)
        .or(() -> there.annotation(OwnershipAnnotations.REHEARSES))
        .flatMap(PolicyId::ofKey);
  }

  public static boolean rehearses(LivePolicy there) {
    return there.annotation(OwnershipAnnotations.REHEARSES).isPresent();
  }

  private static Stage stage(LivePolicy there) {
    return rehearses(there) ? Stage.REHEARSAL : Stage.REPLACEMENT;
  }
}

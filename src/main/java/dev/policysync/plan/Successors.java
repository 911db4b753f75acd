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

/// Which policies the agent made of one of the feed: those that are expected, and those of ours
/// that were, and may be there still when nobody expects them any more.
public final class Successors {
  private Successors() {}

  /// All of them.
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

  /// What there has to be of them when nothing is left to do: no rehearsal, for one.
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

  /// The feed's policy that this one takes the place of, if the agent made it of one.
  public static Optional<PolicyId> legacyOf(LivePolicy there) {
    return there
        .annotation(OwnershipAnnotations.SUCCESSOR_OF)
        .or(() -> there.annotation(OwnershipAnnotations.REHEARSES))
        .flatMap(PolicyId::ofKey);
  }

  /// Whether it only rehearses what that policy does.
  public static boolean rehearses(LivePolicy there) {
    return there.annotation(OwnershipAnnotations.REHEARSES).isPresent();
  }

  private static Stage stage(LivePolicy there) {
    return rehearses(there) ? Stage.REHEARSAL : Stage.REPLACEMENT;
  }
}

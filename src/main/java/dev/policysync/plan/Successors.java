package dev.policysync.plan;

import dev.policysync.policy.PolicyId;
import dev.policysync.policy.Succession;
import dev.policysync.policy.Succession.Stage;
import dev.policysync.policy.feed.ExpectedPolicies;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Finds the successors that the agent made from policies of the feed: the expected ones, and live
/// ones of ours that are no longer expected.
public final class Successors {
  private Successors() {}

  /// Returns every successor, expected or live, with its succession.
  static Map<PolicyId, Succession> of(
      ExpectedPolicies expectedPolicies,
      Collection<LivePolicy> live,
      PlannerOptions plannerOptions) {
    var successions = ofLive(live, plannerOptions);
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
  static Map<PolicyId, Succession> settled(
      Collection<LivePolicy> live, PlannerOptions plannerOptions) {
    var successions = ofLive(live, plannerOptions);
    successions.replaceAll(
        (_, succession) -> new Succession(succession.legacy(), Stage.REPLACEMENT));
    return successions;
  }

  private static Map<PolicyId, Succession> ofLive(
      Collection<LivePolicy> live, PlannerOptions plannerOptions) {
    var successions = new HashMap<PolicyId, Succession>();
    for (var there : live) {
      if (isOurs(there, plannerOptions)) {
        of(there).ifPresent(succession -> successions.put(there.id(), succession));
      }
    }
    return successions;
  }

  /// Returns whether a successor is ours, or another source's that we take over.
  static boolean isOurs(LivePolicy successor, PlannerOptions plannerOptions) {
    return switch (OwnershipVerdict.of(successor, plannerOptions.source())) {
      case OwnershipVerdict.Ours() -> true;
      case OwnershipVerdict.OtherSource _ -> plannerOptions.adoption() == Adoption.ALWAYS;
      case OwnershipVerdict.Unowned _, OwnershipVerdict.Controlled _, OwnershipVerdict.Copy _ ->
          false;
    };
  }

  /// Returns the live successors by the policy that they were made from, whoever owns them.
  public static Map<PolicyId, List<LivePolicy>> byLegacy(Collection<LivePolicy> live) {
    var forms = new HashMap<PolicyId, List<LivePolicy>>();
    for (var there : live) {
      of(there)
          .ifPresent(succession ->
              forms.computeIfAbsent(succession.legacy(), _ -> new ArrayList<>()).add(there));
    }
    return forms;
  }

  /// Returns the relation of a live policy to the policy of the feed that an agent made it from.
  public static Optional<Succession> of(LivePolicy there) {
    return Succession.of(there::annotation);
  }
}

package dev.policysync.sync.analysis;

import dev.policysync.plan.Action;
import dev.policysync.plan.Guard;
import dev.policysync.plan.Plan;
import dev.policysync.plan.Plan.Withheld;
import dev.policysync.policy.Policy;
import dev.policysync.policy.admission.FieldFault;
import dev.policysync.policy.feed.ExpectedPolicies;
import dev.policysync.policy.kyverno.WebhookFaults;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/// Withholds writes of policies with which Kyverno could not write its webhook configuration any
/// more. The API server and Kyverno accept such a policy, and no setting and no approval overrides
/// this guard. A repair is withheld as well: a person may have corrected the live policy.
public final class WebhookGuard {
  private WebhookGuard() {}

  public static List<Withheld> withheld(Plan plan) {
    return plan.actions().stream()
        .flatMap(action ->
            action instanceof Action.Write write ? judge(write.desired().policy()) : Stream.empty())
        .toList();
  }

  /// Returns the expected policies that are in the cluster already and break the configuration.
  public static List<NotInForce> notInForce(Plan plan, ExpectedPolicies expectedPolicies) {
    var unchanged = Set.copyOf(plan.unchanged());
    return expectedPolicies.policies().stream()
        .filter(policy -> unchanged.contains(policy.id()))
        .flatMap(policy ->
            fault(policy)
                .map(fault ->
                    new NotInForce(
                        policy.id(),
                        NotInForce.Cause.BREAKS_WEBHOOKS,
                        "it breaks Kyverno's webhook configuration: " + fault)))
        .toList();
  }

  private static Stream<Withheld> judge(Policy policy) {
    return fault(policy).map(fault -> new Withheld(policy.id(), Guard.BREAKS_WEBHOOKS, fault));
  }

  private static Stream<String> fault(Policy policy) {
    return WebhookFaults.mayHaveAny(policy.id().kind())
        ? WebhookFaults.of(policy.id().kind(), policy.content()).stream()
            .map(FieldFault::text)
            .limit(1)
        : Stream.empty();
  }
}

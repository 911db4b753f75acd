package dev.policysync.sync.succession;

import dev.policysync.json.Value;
import dev.policysync.plan.live.ActualPolicies;
import dev.policysync.plan.live.LivePolicy;
import dev.policysync.plan.succession.Successors;
import dev.policysync.policy.Policy;
import dev.policysync.policy.PolicyId;
import dev.policysync.sync.analysis.PolicyConversion;
import dev.policysync.sync.analysis.PolicyConversion.Refusal;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Why the successors of a policy that has some are not applied in this cluster.
final class Objections {
  private final Set<PolicyId> expected;
  private final Map<PolicyId, LivePolicy> live;
  private final Exemptions.Known exemptions;

  /// @param expected what the feed itself has
  Objections(Set<PolicyId> expected, ActualPolicies actualPolicies, Exemptions.Known exemptions) {
    this.expected = expected;
    this.live = actualPolicies.byId();
    this.exemptions = exemptions;
  }

  Optional<Refusal> to(PolicyConversion conversion, Policy policy) {
    if (policy.content().mapping("spec").field("background").equals(NO)) {
      return refusal(
          policy,
          "a policy without background scans",
          "there are no reports to compare; convert it with policy-sync convert --verify");
    }
    for (var successor : conversion.successors()) {
      var id = successor.id();
      if (expected.contains(id)) {
        return refusal(
            policy,
            "a policy whose successor's name the feed has already",
            "remove one of the two, this one or " + id);
      }
      var there = live.get(id);
      if (there != null && Successors.legacyOf(there).filter(policy.id()::equals).isEmpty()) {
        return refusal(
            policy,
            "a policy whose successor's name is taken in the cluster",
            "rename one of the two, this one or " + id);
      }
    }
    return exemptions
        .from(policy.id())
        .flatMap(exception ->
            refusal(
                policy,
                "a policy with an exception",
                exception + " does not exempt from its successors; write both by hand"));
  }

  private static final Optional<Value> NO = Optional.of(new Value.Bool(false));

  private static Optional<Refusal> refusal(Policy policy, String construct, String advice) {
    return Optional.of(new Refusal("", policy.position(), construct, advice));
  }
}

package dev.policysync.plan;

import dev.policysync.policy.Policy;
import dev.policysync.testcluster.Documents;
import java.util.Optional;

/// What an agent of `acme/prod-1` wants of one policy and makes of what is there: the planner's
/// answers, for the tests of other packages.
public final class PlannedPolicy {
  private static final SourceName SOURCE = SourceName.of("acme", "prod-1");
  private static final PolicyDecider POLICY_DECIDER =
      new PolicyDecider(new PlannerOptions(SOURCE, Adoption.NEVER, RemovalBudget.DEFAULT));

  private PlannedPolicy() {}

  /// The policy as it is to be applied, at the best version of its kind.
  public static DesiredPolicy desired(Policy policy) {
    return DesiredPolicy.of(policy, policy.id().kind().versions().getFirst(), SOURCE);
  }

  /// The same of a YAML text.
  public static DesiredPolicy desired(String policy) {
    return desired(Documents.policy(policy));
  }

  /// Why it has to be applied; nothing where it is in sync or not ours to write.
  public static Optional<Action.Cause> cause(
      DesiredPolicy desiredPolicy, Optional<LivePolicy> live) {
    return POLICY_DECIDER.decide(desiredPolicy, live) instanceof PolicyDecision.Act(var action)
        ? Optional.of(action.cause())
        : Optional.empty();
  }

  /// Whether nothing has to be done.
  public static boolean inSync(DesiredPolicy desiredPolicy, Optional<LivePolicy> live) {
    return POLICY_DECIDER.decide(desiredPolicy, live) instanceof PolicyDecision.InSync;
  }
}

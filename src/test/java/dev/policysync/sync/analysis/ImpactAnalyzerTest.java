package dev.policysync.sync.analysis;

import static dev.policysync.plan.PlanFixtures.RULES;
import static dev.policysync.plan.PlanFixtures.applied;
import static dev.policysync.plan.PlanFixtures.cluster;
import static dev.policysync.policy.PolicyFixtures.clusterPolicy;
import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.plan.ActualPolicies;
import dev.policysync.plan.EnforceGuard;
import dev.policysync.plan.PlanContext;
import dev.policysync.plan.Planner;
import dev.policysync.policy.Policy;
import dev.policysync.policy.feed.ExpectedPolicies;
import dev.policysync.sync.execution.Cancellation;
import dev.policysync.sync.execution.ScriptedPolicyStore;
import dev.policysync.sync.execution.StopReason;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What is said of writes whose effect could not be found out any more, since the run was stopped.
class ImpactAnalyzerTest {
  private static final String RULE =
      """
      {"rules": [{"name": "r", "match": {"any": [{"resources": {"kinds": ["Pod"]}}]},
        "validate": {"failureAction": "%s", "message": "m", "pattern": {"spec": {"x": "%s"}}}}]}
      """;

  private final Cancellation stop = new Cancellation(Duration.ofMinutes(4), () -> 0);

  @Test
  void isNothingOfNewPoliciesThatBlockNothing() {
    assertThat(stopped(cluster(), audit("a", 1), audit("b", 1))).isEmpty();
  }

  @Test
  void isNothingOfChangedPoliciesThatBlockNothingWhateverTheyWere() {
    assertThat(stopped(cluster(applied(enforce("a", 1))), audit("a", 2))).isEmpty();
  }

  @Test
  void isWhatANewPolicyBlocksAsNothingHasToBeReadForThat() {
    assertThat(stopped(cluster(), enforce("a", 1)))
        .singleElement()
        .satisfies(writeImpact ->
            assertThat(writeImpact.because())
                .contains("new with Enforce in rule r")
                .doesNotContain("signal"));
  }

  @Test
  void isThatNobodyKnowsOfAChangedPolicyThatBlocks() {
    assertThat(stopped(cluster(applied(enforce("a", 1))), enforce("a", 2)))
        .singleElement()
        .satisfies(writeImpact -> {
          assertThat(writeImpact.worrying()).isTrue();
          assertThat(writeImpact.because())
              .contains("the previous version could not be read: the run was stopped by a signal");
        });
  }

  private List<WriteImpact> stopped(ActualPolicies actualPolicies, Policy... feed) {
    stop.raise(StopReason.SIGNAL);
    var expectedPolicies = new ExpectedPolicies(List.of(feed), List.of());
    var plan = new Planner(RULES).plan(expectedPolicies, actualPolicies, PlanContext.NONE);
    return new ImpactAnalyzer(
            new ScriptedPolicyStore(),
            ViolationSource.UNKNOWN,
            new EnforceGuard(EnforceGuard.Mode.WARN, 1),
            stop,
            Clock.systemUTC(),
            2)
        .of(plan, expectedPolicies, actualPolicies)
        .writes();
  }

  private static Policy audit(String name, int edition) {
    return clusterPolicy(name, RULE.formatted("Audit", edition));
  }

  private static Policy enforce(String name, int edition) {
    return clusterPolicy(name, RULE.formatted("Enforce", edition));
  }
}

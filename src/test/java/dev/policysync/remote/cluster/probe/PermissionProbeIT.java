package dev.policysync.remote.cluster.probe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.inspect.Check;
import dev.policysync.inspect.CheckResult;
import dev.policysync.inspect.CheckStatus;
import dev.policysync.inspect.PermissionChecks;
import dev.policysync.inspect.PermissionChecks.Removals;
import dev.policysync.inspect.PermissionDiagnostics.Access;
import dev.policysync.policy.PolicyKind;
import dev.policysync.testcluster.RealCluster;
import dev.policysync.testcluster.Sandbox;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What `check` says of each permission of the agent, with that one taken away on a real API
/// server.
@RealCluster
class PermissionProbeIT {
  private AgentRole agent;

  @BeforeEach
  void begin(Sandbox sandbox) {
    agent = new AgentRole(sandbox);
  }

  @ParameterizedTest
  @EnumSource
  void namesEachPermissionOnAKindThatIsMissing(PolicyKind kind) {
    for (var verb : AgentRole.VERBS) {
      agent.allowAllBut(new Access(verb, kind.group(), kind.plural(), "", ""));

      var problems = problems(Removals.WANTED);

      assertThat(problems)
          .singleElement()
          .satisfies(problem -> {
            assertThat(problem.subject()).isEqualTo("policy permissions");
            assertThat(problem.found())
                .startsWith(verb + " on " + kind.plural() + "." + kind.group() + " is forbidden");
            assertThat(problem.fix())
                .contains(
                    "add the verb "
                        + verb
                        + " on "
                        + kind.plural()
                        + "."
                        + kind.group()
                        + " to the agent's ClusterRole");
          });
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"get", "create", "update"})
  void namesEachPermissionOnTheLeaseThatIsMissing(String verb) {
    agent.allowAllBut(new Access(verb, "coordination.k8s.io", "leases", "", ""));

    assertThat(problems(Removals.WANTED))
        .containsExactly(
            CheckResult.failure(
                "Lease permissions",
                verb
                    + " on leases.coordination.k8s.io in namespace "
                    + agent.namespace()
                    + " is forbidden",
                "add the verb "
                    + verb
                    + " on leases.coordination.k8s.io to the agent's Role in namespace "
                    + agent.namespace()));
  }

  @ParameterizedTest
  @ValueSource(strings = {"create", "get", "patch"})
  void warnsOfEachPermissionOnEventsThatIsMissing(String verb) {
    agent.allowAllBut(new Access(verb, "events.k8s.io", "events", "", ""));

    assertThat(problems(Removals.WANTED))
        .singleElement()
        .satisfies(problem -> {
          assertThat(problem.status()).isEqualTo(CheckStatus.WARNING);
          assertThat(problem.fix()).contains("verb " + verb + " on events.events.k8s.io");
        });
  }

  @Test
  void warnsOfEachPermissionOnReportsThatIsMissing() {
    for (var access : AgentRole.OF_REPORTS) {
      agent.allowAllBut(access);

      assertThat(problems(Removals.WANTED))
          .singleElement()
          .satisfies(problem -> {
            assertThat(problem.status()).isEqualTo(CheckStatus.WARNING);
            assertThat(problem.found())
                .isEqualTo("list on " + access.resource() + "." + access.group() + " is forbidden");
          });
    }
  }

  @Test
  void doesWithoutDeleteWhereNothingIsToBeRemoved() {
    agent.allowAllBut(new Access("delete", "kyverno.io", "clusterpolicies", "", ""));

    assertThat(problems(Removals.SWITCHED_OFF)).isEmpty();
  }

  private List<CheckResult> problems(Removals removals) {
    return new PermissionChecks(
            agent.clusterProbe(),
            new PermissionProbe(agent.connect()),
            agent.namespace(),
            removals,
            Set.of())
        .all().stream()
            .map(Check::run)
            .flatMap(asking -> asking.ask().stream())
            .filter(checkResult -> checkResult.status() != CheckStatus.OK)
            .toList();
  }
}

package dev.policysync.inspect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.inspect.PermissionChecks.Removals;
import dev.policysync.policy.PolicyKind;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PermissionChecksTest {
  private final FakeClusterDiagnostics cluster = new FakeClusterDiagnostics();

  @Test
  void asksForEachVerbOnEachKind() {
    ask("policy permissions");

    assertThat(cluster.asked).hasSize(PolicyKind.all().size() * 5).doesNotHaveDuplicates();
  }

  @Test
  void asksForNothingOnAnExcludedKind() {
    var excluded = EnumSet.of(PolicyKind.CLUSTER_POLICY, PolicyKind.MUTATING_POLICY);
    FakeClusterDiagnostics.ask(
        new PermissionChecks(cluster, cluster, "agents", Removals.WANTED, excluded).all(),
        "policy permissions");

    assertThat(cluster.asked)
        .hasSize((PolicyKind.all().size() - 2) * 5)
        .noneMatch(access -> access.toString().contains("clusterpolicies"));
  }

  @Test
  void warnsOnlyOfWritesThatTheChartCanLeaveOut() {
    cluster
        .forbids("create deletingpolicies.policies.kyverno.io")
        .forbids("patch deletingpolicies.policies.kyverno.io")
        .forbids("delete deletingpolicies.policies.kyverno.io");

    assertThat(ask("policy permissions"))
        .extracting(CheckResult::status)
        .containsExactly(CheckStatus.WARNING, CheckStatus.OK);
  }

  @Test
  void warnsOnlyOfPermissionsOnAKindThatIsNotServed() {
    cluster.kinds =
        new ProbeResult.Got<>(
            FakeClusterDiagnostics.servedBut(EnumSet.of(PolicyKind.MUTATING_POLICY)));
    cluster.forbids("list mutatingpolicies.policies.kyverno.io");

    assertThat(ask("policy permissions"))
        .extracting(CheckResult::status)
        .containsExactly(CheckStatus.WARNING, CheckStatus.OK);
  }

  @Test
  void tellsOnceThatPermissionsCannotBeAsked() {
    cluster.reviewsFail =
        Optional.of("create SelfSubjectAccessReview: HTTP 403; add the verb create");

    assertThat(ask("policy permissions"))
        .containsExactly(
            CheckResult.unknown(
                "policy permissions",
                "create SelfSubjectAccessReview: HTTP 403; add the verb create"));
  }

  @Test
  void asksForNoReportsThatAreNotServed() {
    cluster.reportGroups = new ProbeResult.Got<>(Set.of());

    assertThat(ask("report permissions"))
        .extracting(CheckResult::status)
        .containsExactly(CheckStatus.OK);
    assertThat(cluster.asked).isEmpty();
  }

  private List<CheckResult> ask(String subject) {
    return FakeClusterDiagnostics.ask(
        new PermissionChecks(cluster, cluster, "agents", Removals.WANTED, Set.of()).all(), subject);
  }
}

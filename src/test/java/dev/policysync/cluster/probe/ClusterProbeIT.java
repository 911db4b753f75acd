package dev.policysync.cluster.probe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.check.Check;
import dev.policysync.check.CheckResult;
import dev.policysync.check.CheckStatus;
import dev.policysync.check.ClusterChecks;
import dev.policysync.check.ClusterDiagnostics.Access;
import dev.policysync.check.KyvernoChecks;
import dev.policysync.check.PermissionChecks;
import dev.policysync.check.PermissionChecks.Removals;
import dev.policysync.check.ProbeResult;
import dev.policysync.policy.PolicyKind;
import dev.policysync.testcluster.Documents;
import dev.policysync.testcluster.RealCluster;
import dev.policysync.testcluster.Sandbox;
import dev.policysync.testcluster.TimeLimits;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What `check` says of each permission of the agent, with that one taken away on a real API
/// server.
@RealCluster
class ClusterProbeIT {
  private static final List<String> VERBS = List.of("list", "get", "create", "patch", "delete");
  private static final List<Access> OF_REPORTS =
      List.of(
          new Access("list", "wgpolicyk8s.io", "policyreports", "", ""),
          new Access("list", "wgpolicyk8s.io", "clusterpolicyreports", "", ""),
          new Access("list", "openreports.io", "reports", "", ""),
          new Access("list", "openreports.io", "clusterreports", "", ""));

  private Sandbox sandbox;
  private String namespace;
  private String token;
  private String role;

  @BeforeEach
  void begin(Sandbox sandbox) {
    this.sandbox = sandbox;
    namespace = sandbox.namespace("accounts");
    token = sandbox.tokenOf("agent");
    role = "/apis/rbac.authorization.k8s.io/v1/clusterroles/" + namespace + "-agent";
  }

  @ParameterizedTest
  @EnumSource
  void namesEachPermissionOnAKindThatIsMissing(PolicyKind kind) {
    for (var verb : VERBS) {
      allowAllBut(new Access(verb, kind.group(), kind.plural(), "", ""));

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
    allowAllBut(new Access(verb, "coordination.k8s.io", "leases", "", ""));

    assertThat(problems(Removals.WANTED))
        .containsExactly(
            CheckResult.failure(
                "Lease permissions",
                verb + " on leases.coordination.k8s.io in namespace " + namespace + " is forbidden",
                "add the verb "
                    + verb
                    + " on leases.coordination.k8s.io to the agent's Role in namespace "
                    + namespace));
  }

  @ParameterizedTest
  @ValueSource(strings = {"create", "get", "patch"})
  void warnsOfEachPermissionOnEventsThatIsMissing(String verb) {
    allowAllBut(new Access(verb, "events.k8s.io", "events", "", ""));

    assertThat(problems(Removals.WANTED))
        .singleElement()
        .satisfies(problem -> {
          assertThat(problem.status()).isEqualTo(CheckStatus.WARNING);
          assertThat(problem.fix()).contains("verb " + verb + " on events.events.k8s.io");
        });
  }

  @Test
  void warnsOfEachPermissionOnReportsThatIsMissing() {
    for (var access : OF_REPORTS) {
      allowAllBut(access);

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
    allowAllBut(new Access("delete", "kyverno.io", "clusterpolicies", "", ""));

    assertThat(problems(Removals.SWITCHED_OFF)).isEmpty();
  }

  @Test
  void asksNoMoreOfKyvernoThanItMay() {
    allowAllBut(new Access("none", "kyverno.io", "clusterpolicies", "", ""));

    var answers =
        new KyvernoChecks(probe())
            .all().stream().flatMap(question -> question.asking().ask().stream()).toList();

    assertThat(answers)
        .filteredOn(
            checkResult -> Set.of("Kyverno", "Kyverno's webhooks").contains(checkResult.subject()))
        .hasSize(2)
        .allSatisfy(checkResult -> {
          assertThat(checkResult.status()).isEqualTo(CheckStatus.UNKNOWN);
          assertThat(checkResult.found()).contains("HTTP 403");
          assertThat(checkResult.fix()).contains("add the verb get on");
        });
    assertThat(answers)
        .filteredOn(checkResult -> checkResult.subject().equals("dry run"))
        .extracting(CheckResult::status)
        .containsExactly(CheckStatus.OK);
  }

  @Test
  void leavesNothingOfADryRunBehind() {
    allowAllBut(new Access("none", "kyverno.io", "clusterpolicies", "", ""));
    var probe = probe();

    for (var kind : List.of(PolicyKind.CLUSTER_POLICY, PolicyKind.VALIDATING_POLICY)) {
      assertThat(probe.tryOut(kind, "v1")).isInstanceOf(ProbeResult.Got.class);
      var path = "/apis/" + kind.group() + "/v1/" + kind.plural();
      assertThat(sandbox.admin().get(path).ok().items("items")).isEmpty();
    }
  }

  @Test
  void knowsTheApiServersVersionAndClock() {
    assertThat(probe().server())
        .isInstanceOfSatisfying(
            ProbeResult.Got.class,
            got -> assertThat(got.value().toString()).contains("v1.36.", "ahead=Optional[PT"));
    assertThat(new ClusterChecks(probe()).all().getFirst().asking().ask())
        .extracting(CheckResult::status)
        .containsOnly(CheckStatus.OK);
  }

  private ClusterProbe probe() {
    return new ClusterProbe(sandbox.cluster().connect(token), namespace, Clock.systemUTC());
  }

  private List<CheckResult> problems(Removals removals) {
    return new PermissionChecks(probe(), namespace, removals)
        .all().stream()
            .map(Check::asking)
            .flatMap(asking -> asking.ask().stream())
            .filter(checkResult -> checkResult.status() != CheckStatus.OK)
            .toList();
  }

  /// Gives the agent every permission but one, and waits until the API server knows.
  private void allowAllBut(Access missing) {
    var rules = new ArrayList<String>();
    Stream.of(
            PolicyKind.all().stream()
                .flatMap(kind ->
                    VERBS.stream()
                        .map(verb -> new Access(verb, kind.group(), kind.plural(), "", ""))),
            Stream.of("get", "create", "update")
                .map(verb -> new Access(verb, "coordination.k8s.io", "leases", "", "")),
            Stream.of("create", "get", "patch")
                .map(verb -> new Access(verb, "events.k8s.io", "events", "", "")),
            OF_REPORTS.stream())
        .flatMap(accesses -> accesses)
        .filter(access -> !access.equals(missing))
        .forEach(access ->
            rules.add(
                "{\"apiGroups\": [\"%s\"], \"resources\": [\"%s\"], \"verbs\": [\"%s\"]}"
                    .formatted(access.group(), access.resource(), access.verb())));
    // Named in the role, so that its arrival shows when all the rest has arrived, too.
    var mark = "mark-" + System.nanoTime();
    rules.add("{\"nonResourceURLs\": [\"/" + mark + "\"], \"verbs\": [\"get\"]}");
    sandbox
        .admin()
        .jsonPatch(
            role,
            "[{\"op\": \"add\", \"path\": \"/rules\", \"value\": ["
                + String.join(",", rules)
                + "]}]")
        .ok();
    var review =
        Documents.yaml(
            "{spec: {user: 'system:serviceaccount:%s:agent', nonResourceAttributes: {path: /%s, verb: get}}}"
                .formatted(namespace, mark));
    Awaitility.await("the API server to know that " + missing + " is taken away")
        .atMost(TimeLimits.WAIT)
        .pollInterval(Duration.ofMillis(20))
        .until(() ->
            sandbox
                .admin()
                .post("/apis/authorization.k8s.io/v1/subjectaccessreviews", review)
                .ok()
                .mapping("status")
                .fields()
                .toString()
                .contains("allowed=Bool[value=true]"));
  }
}

package dev.policysync.remote.cluster.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.policysync.base.Value;
import dev.policysync.plan.Failure;
import dev.policysync.plan.Listing;
import dev.policysync.policy.PolicyKind;
import dev.policysync.sync.execution.ClusterUnavailable;
import dev.policysync.testcluster.AuditLog;
import dev.policysync.testcluster.KindExamples;
import dev.policysync.testcluster.RawApi;
import dev.policysync.testcluster.RealCluster;
import dev.policysync.testcluster.Sandbox;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@RealCluster
class ListingIT {
  private Sandbox sandbox;

  @BeforeEach
  void enter(Sandbox sandbox) {
    this.sandbox = sandbox;
  }

  @Test
  void asksOnceForTheKindsAndOnceForEachOfThem() {
    var policies = policies(sandbox.cluster().adminToken());
    var log = sandbox.cluster().auditLog();

    var actualPolicies = policies.list();

    assertThat(PolicyKind.all())
        .allSatisfy(kind ->
            assertThat(actualPolicies.of(kind))
                .isEqualTo(new Listing.Listed(kind.versions().getFirst(), List.of())));
    assertThat(log.entries()).hasSize(1 + PolicyKind.all().size());
    assertThat(log.entries()).noneMatch(AuditLog.Entry::write);
  }

  @Test
  void listsMoreThanFitsOnOnePage() {
    var example = KindExamples.of(PolicyKind.VALIDATING_ADMISSION_POLICY_BINDING, "none");
    var metadata = example.content().mapping("metadata");
    var path = RawApi.collection(example.id(), "v1");
    var admin = sandbox.admin();
    try (var threads = Executors.newFixedThreadPool(8)) {
      for (int i = 0; i < 501; i++) {
        var name = new Value.Text("binding-" + i);
        var binding = example.content().with("metadata", metadata.with("name", name));
        threads.execute(() -> admin.post(path, binding).ok());
      }
    }
    var log = sandbox.cluster().auditLog();

    var actualPolicies = policies(sandbox.cluster().adminToken()).list();

    var ids = new HashSet<>();
    if (actualPolicies.of(example.id().kind()) instanceof Listing.Listed(_, var listed)) {
      listed.forEach(policy -> ids.add(policy.id()));
    }
    assertThat(ids).hasSize(501);
    assertThat(log.entries())
        .filteredOn(entry -> entry.resource().startsWith("validatingadmissionpolicybindings"))
        .hasSize(2);
  }

  @Test
  void findsAKindAbsentWhereItsCustomResourceIsNotInstalled() {
    var kind = PolicyKind.NAMESPACED_DELETING_POLICY;
    sandbox.cluster().removeCustomResource("namespaceddeletingpolicies.policies.kyverno.io");
    try {

      var actualPolicies = policies(sandbox.cluster().adminToken()).list();

      assertThat(actualPolicies.of(kind))
          .isEqualTo(
              new Listing.Absent(
                  "the cluster does not serve the kind"
                      + " NamespacedDeletingPolicy.policies.kyverno.io; install its CRD (a newer"
                      + " Kyverno or Kubernetes), or remove it from the feed"));
      assertThat(actualPolicies.of(PolicyKind.DELETING_POLICY)).isInstanceOf(Listing.Listed.class);
    } finally {
      sandbox.cluster().installCustomResources();
    }
  }

  @Test
  void findsOneKindUnlistableWhereItMayNotBeListed() {
    var token =
        sandbox.tokenOf(
            "half-blind",
            new Sandbox.Rule("kyverno.io", List.of("*"), List.of("list")),
            new Sandbox.Rule("policies.kyverno.io", List.of("mutatingpolicies"), List.of("list")));

    var actualPolicies = policies(token).list();

    assertThat(actualPolicies.of(PolicyKind.CLUSTER_POLICY)).isInstanceOf(Listing.Listed.class);
    assertThat(actualPolicies.of(PolicyKind.MUTATING_POLICY)).isInstanceOf(Listing.Listed.class);
    assertThat(actualPolicies.of(PolicyKind.VALIDATING_POLICY))
        .isInstanceOfSatisfying(
            Listing.Unlistable.class,
            unlistable -> {
              assertThat(unlistable.failure().cause()).isEqualTo(Failure.Cause.FORBIDDEN);
              assertThat(unlistable.failure().retryable()).isFalse();
              assertThat(unlistable.failure().reason())
                  .startsWith("list ValidatingPolicy.policies.kyverno.io: HTTP 403, ")
                  .contains("cannot list resource \"validatingpolicies\"")
                  .endsWith(
                      "; add the verb list on validatingpolicies.policies.kyverno.io to the agent's"
                          + " ClusterRole");
            });
  }

  @Test
  void failsWhereTheTokenIsRefused() {
    var policies = policies("not-a-token");

    assertThatThrownBy(policies::list)
        .isInstanceOfSatisfying(
            ClusterUnavailable.class,
            e -> {
              assertThat(e.failure().cause()).isEqualTo(Failure.Cause.UNAUTHORIZED);
              assertThat(e.failure().reason()).doesNotContain("not-a-token");
            });
  }

  @Test
  void failsWhereTheApiServerIsDown() {
    var policies = policies(sandbox.cluster().adminToken());
    sandbox.cluster().stopApiServer();
    try {

      assertThatThrownBy(policies::list)
          .isInstanceOfSatisfying(
              ClusterUnavailable.class,
              e -> {
                assertThat(e.failure().cause()).isEqualTo(Failure.Cause.UNREACHABLE);
                assertThat(e.failure().reason())
                    .startsWith("GET " + sandbox.cluster().url() + "apis failed: ")
                    .endsWith("; check that the API server is running and reachable");
              });
    } finally {
      sandbox.cluster().startApiServer();
    }
  }

  private ClusterPolicies policies(String token) {
    return new ClusterPolicies(sandbox.cluster().connect(token));
  }
}

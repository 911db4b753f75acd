package dev.policysync.endtoend;

import static dev.policysync.harness.Feeds.clusterPolicy;
import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.base.Value;
import dev.policysync.harness.Feeds;
import dev.policysync.testcluster.Documents;
import dev.policysync.testcluster.TimeLimits;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// A removal that somebody forbids: a ValidatingAdmissionPolicy of the platform team keeps one of
/// three policies that left the feed.
class RefusedRemovalIT extends EndToEnd {
  private static final String ADMISSION = "/apis/admissionregistration.k8s.io/v1/";
  private static final String POLICY = ADMISSION + "validatingadmissionpolicies/no-removal";
  private static final String BINDING = ADMISSION + "validatingadmissionpolicybindings/no-removal";

  @BeforeEach
  void threePoliciesLeaveTheFeed() {
    insights.expects(
        Feeds.of(
            clusterPolicy("stays", "Audit"),
            clusterPolicy("goes-1", "Audit"),
            clusterPolicy("goes-2", "Audit"),
            clusterPolicy("shielded", "Audit")));
    assertThat(agent.run().exitCode()).isZero();
    insights.expects(clusterPolicy("stays", "Audit"));
    agent.with("MAX_REMOVALS", "3");
    forbid();
  }

  @Test
  void isReportedWithTheReasonAndTheOthersAreDone() {
    var reported = insights.statuses().size();
    var log = cluster.auditLog();

    var run = agent.run();

    assertThat(run.exitCode()).as(run.all()).isEqualTo(1);
    assertThat(texts(run, "removed")).containsExactly("goes-1", "goes-2");
    assertThat(texts(run, "failed")).containsExactly("shielded");
    assertThat(run.summary().items("errors")).hasSize(1);
    var error = (Value.Mapping) run.summary().items("errors").getFirst();
    assertThat(error.text("policy")).contains("ClusterPolicy/shielded");
    assertThat(error.text("reason").orElseThrow())
        .startsWith("remove ClusterPolicy/shielded: HTTP ")
        .endsWith("denied request: ask the platform team first");
    assertThat(error.fields()).containsEntry("retryable", new Value.Bool(false));
    assertThat(exists("clusterpolicies", "shielded")).isTrue();
    assertThat(exists("clusterpolicies", "stays")).isTrue();
    assertThat(log.entries())
        .filteredOn(entry -> entry.name().equals("shielded") && entry.verb().equals("delete"))
        .hasSize(1);
    var statuses = insights.statuses().stream().skip(reported).map(Documents::json).toList();
    assertThat(statuses).hasSize(3);
    assertThat(named(statuses, "goes-1").text("status")).contains("success");
    assertThat(named(statuses, "shielded").text("status")).contains("failed");
    assertThat(named(statuses, "shielded").text("action")).contains("delete");
    assertThat(named(statuses, "shielded").text("output").orElseThrow())
        .contains("ask the platform team first");
  }

  @Test
  void isTriedAgainByEveryRunUntilItIsAllowed() {
    agent.run();

    var refusedAgain = agent.run();
    allow();
    var allowed = agent.run();

    assertThat(refusedAgain.exitCode()).isEqualTo(1);
    assertThat(texts(refusedAgain, "failed")).containsExactly("shielded");
    assertThat(allowed.exitCode()).as(allowed.all()).isZero();
    assertThat(changes(allowed)).containsExactly("removed ClusterPolicy/shielded gone from feed");
    assertThat(exists("clusterpolicies", "shielded")).isFalse();
  }

  @Test
  void isForetoldByAPreview() {
    var run = agent.with("DRY_RUN", "true").run();

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(texts(run, "removed")).containsExactly("goes-1", "goes-2");
    assertThat(texts(run, "failed")).containsExactly("shielded");
    assertThat(List.of("goes-1", "goes-2", "shielded"))
        .allSatisfy(name -> assertThat(exists("clusterpolicies", name)).isTrue());
  }

  private void forbid() {
    cluster
        .admin()
        .apply(
            POLICY + "?fieldManager=platform",
            """
            apiVersion: admissionregistration.k8s.io/v1
            kind: ValidatingAdmissionPolicy
            metadata: {name: no-removal}
            spec:
              matchConstraints:
                resourceRules:
                  - apiGroups: [kyverno.io]
                    apiVersions: ["*"]
                    operations: [DELETE]
                    resources: [clusterpolicies]
              validations:
                - expression: oldObject.metadata.name != "shielded"
                  message: ask the platform team first
            """)
        .ok();
    cluster
        .admin()
        .apply(
            BINDING + "?fieldManager=platform",
            """
            apiVersion: admissionregistration.k8s.io/v1
            kind: ValidatingAdmissionPolicyBinding
            metadata: {name: no-removal}
            spec: {policyName: no-removal, validationActions: [Deny]}
            """)
        .ok();
    awaitRemovalOfShielded("to be forbidden", 422);
  }

  /// Also what each test ends with, since nobody could clean up otherwise.
  @AfterEach
  void allow() {
    cluster.admin().delete(BINDING);
    cluster.admin().delete(POLICY);
    awaitRemovalOfShielded("to be allowed", 200, 404);
  }

  private void awaitRemovalOfShielded(String what, Integer... statuses) {
    var path = "/apis/kyverno.io/v1/clusterpolicies/shielded?dryRun=All";
    Awaitility.await("the removal of the shielded policy " + what)
        .atMost(TimeLimits.WAIT)
        .pollInterval(Duration.ofMillis(50))
        .until(() -> cluster.admin().delete(path).status(), Set.of(statuses)::contains);
  }
}

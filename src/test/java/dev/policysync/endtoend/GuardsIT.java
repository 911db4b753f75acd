package dev.policysync.endtoend;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static dev.policysync.harness.Feeds.clusterPolicy;
import static dev.policysync.harness.Feeds.validatingPolicy;
import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.base.Value;
import dev.policysync.harness.Agent;
import dev.policysync.harness.Feeds;
import dev.policysync.remote.cluster.lease.LeaseRunStateStore;
import dev.policysync.testcluster.AuditLog;
import dev.policysync.testcluster.Documents;
import dev.policysync.testcluster.Kubectl;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What keeps the whole program from doing what nobody meant (promises 2, 4, 8 and 12), and how
/// people let it through: with the commands that it prints, by kubectl itself.
class GuardsIT extends EndToEnd {
  private Kubectl kubectl;

  @BeforeEach
  void kubectl() throws IOException {
    kubectl = Kubectl.of(cluster, folder.resolve("kubectl"));
  }

  @Test
  void removesOnceWhatAPersonApprovedWithTheCommandThatItPrinted() {
    insights.expects(policies("old", 4));
    agent.run();
    insights.expects("{}");

    var withheld = agent.run();
    kubectl.typed(command(withheld)).ok();
    var approved = agent.run();

    assertThat(withheld.exitCode()).isEqualTo(3);
    assertThat(withheld.stdout()).contains("Removals are withheld until approved");
    assertThat(approved.exitCode()).isZero();
    assertThat(texts(approved, "removed")).containsExactly("old-0", "old-1", "old-2", "old-3");
    assertThat(leftForTheNextRun()).isEmpty();

    insights.expects(policies("new", 4));
    agent.run();
    insights.expects("{} # once more");
    var again = agent.run();
    assertThat(again.stdout()).as("used up").contains("Removals are withheld until approved");
    assertThat(again.exitCode()).isEqualTo(3);
    assertThat(exists("clusterpolicies", "new-0")).isTrue();
  }

  @Test
  void printsTheSameCommandInAPreviewAndToAPerson() {
    insights.expects(policies("old", 4));
    agent.run();
    insights.expects("{}");

    var preview = agent.run("--dry-run");
    var text = agent.run("-o", "text");

    assertThat(preview.exitCode()).isEqualTo(3);
    assertThat(text.stdout())
        .contains("To approve exactly this, once, within 24 hours:")
        .contains("  " + command(preview) + "\n");
  }

  @Test
  void takesAnApprovalForNoOtherList() {
    insights.expects(policies("old", 5));
    agent.run();
    insights.expects("{}");
    kubectl.typed(command(agent.run())).ok();
    insights.expects(clusterPolicy("old-0", "Audit"));

    var run = agent.run();

    assertThat(run.exitCode()).isEqualTo(3);
    assertThat(policiesIn(run, "withheld")).hasSize(4);
    assertThat(texts(run, "warnings"))
        .containsExactly("the approval on the Lease is for a different list");
    assertThat(exists("clusterpolicies", "old-4")).isTrue();
  }

  @Test
  void doesNotPassTheBudgetInTwoRuns() {
    insights.expects(policies("old", 4));
    agent.run();
    insights.expects(policies("wrong", 20));

    var first = agent.run();
    var second = agent.run();

    assertThat(texts(first, "applied")).hasSize(20);
    assertThat(policiesIn(first, "withheld")).hasSize(4);
    assertThat(policiesIn(second, "withheld")).hasSize(4);
    assertThat(exists("clusterpolicies", "old-0")).isTrue();
  }

  @Test
  void writesNothingTwiceWhileRemovalsAreWithheld() {
    insights.expects(policies("old", 4));
    agent.run();
    insights.expects("{}");
    agent.run();
    audit = cluster.auditLog();

    agent.run();

    assertThat(audit.writes()).isEmpty();
  }

  @Test
  void leavesWhatAnotherClustersAgentAppliedAloneAndSaysSo() {
    insights.expects(policies("old", 3));
    agent.run();
    var before = resourceVersion("clusterpolicies", "old-0");
    insights.expects(Feeds.of(clusterPolicy("old-0", "Enforce"), clusterPolicy("mine", "Audit")));
    agent.with("FAIRWINDS_CLUSTER", "prod-2");

    var run = agent.run();

    assertThat(run.exitCode()).isEqualTo(3);
    assertThat(policiesIn(run, "conflicts")).containsExactly("ClusterPolicy/old-0");
    assertThat(texts(run, "warnings").toString())
        .contains("ClusterPolicy/old-1", " are kept: applied by another source, acme/prod-1");
    assertThat(resourceVersion("clusterpolicies", "old-0")).isEqualTo(before);

    var moved = agent.with("ADOPT", "always").run();

    assertThat(changes(moved)).containsExactly("updated ClusterPolicy/old-0 adopted");
    assertThat(exists("clusterpolicies", "old-1")).isTrue();
  }

  @Test
  void leavesACopiedManifestAloneAndSaysSo() {
    insights.expects(clusterPolicy("original", "Audit"));
    agent.run();
    var original = live("clusterpolicies", "original");
    var metadata =
        original
            .mapping("metadata")
            .with("name", "copied")
            .without("uid")
            .without("resourceVersion")
            .without("managedFields");
    cluster
        .admin()
        .post("/apis/kyverno.io/v1/clusterpolicies", original.with("metadata", metadata))
        .ok();

    var run = agent.run();

    assertThat(run.exitCode()).isZero();
    assertThat(texts(run, "warnings"))
        .containsExactly(
            "ClusterPolicy/copied is kept: a copy of ClusterPolicy.kyverno.io/original");
    assertThat(exists("clusterpolicies", "copied")).isTrue();
  }

  @Test
  void takesOverWhatItWouldNotChangeAndNothingElse() {
    create("clusterpolicies", clusterPolicy("same", "Audit"));
    create("clusterpolicies", clusterPolicy("other", "Enforce"));
    create("validatingpolicies", validatingPolicy("cel").replace("v1alpha1", "v1"));
    insights.expects(
        Feeds.of(
            clusterPolicy("same", "Audit"),
            clusterPolicy("other", "Audit"),
            validatingPolicy("cel")));
    var before = live("clusterpolicies", "same").mapping("metadata").field("generation");

    var run = agent.with("ADOPT", "identical").run();
    audit = cluster.auditLog();
    var again = agent.run();

    assertThat(run.exitCode()).isEqualTo(3);
    assertThat(changes(run))
        .containsExactly(
            "updated ClusterPolicy/same adopted", "updated ValidatingPolicy/cel adopted");
    assertThat(policiesIn(run, "conflicts")).containsExactly("ClusterPolicy/other");
    assertThat(live("clusterpolicies", "same").mapping("metadata").field("generation"))
        .isEqualTo(before);
    assertThat(again.exitCode()).isEqualTo(3);
    assertThat(audit.writes()).as("but for dry runs").noneMatch(entry -> !entry.dryRun());
  }

  @Test
  void letsGoOfWhatAPersonDetached() {
    insights.expects(Feeds.of(clusterPolicy("kept", "Audit"), clusterPolicy("detached", "Audit")));
    agent.run();
    kubectl.typed("kubectl annotate clusterpolicy detached insights.fairwinds.com/owned-by-").ok();
    var before = resourceVersion("clusterpolicies", "detached");

    var expected = agent.run();
    insights.expects(clusterPolicy("kept", "Audit"));
    var gone = agent.run();

    assertThat(expected.exitCode()).isEqualTo(3);
    assertThat(policiesIn(expected, "conflicts")).containsExactly("ClusterPolicy/detached");
    assertThat(gone.exitCode()).isZero();
    assertThat(resourceVersion("clusterpolicies", "detached")).isEqualTo(before);
  }

  @Test
  void sendsWhatTheApiDidNotTakeWithTheNextRunThatHasNothingElseToDo() {
    insights.expects(clusterPolicy("told", "Audit"));
    insights.answersStatuses(aResponse().withStatus(400));
    var silent = agent.run();
    insights.answersStatuses(aResponse().withStatus(200));
    insights.forgetRequests();
    audit = cluster.auditLog();

    var next = agent.run();
    var further = agent.run();

    assertThat(silent.exitCode()).isZero();
    assertThat(texts(silent, "warnings"))
        .containsExactly("the API did not accept 1 status; the next run retries");
    assertThat(next.exitCode()).isZero();
    assertThat(texts(next, "warnings")).isEmpty();
    assertThat(insights.statuses()).hasSize(1);
    var status = Documents.json(insights.statuses().getFirst());
    assertThat(status.text("policyName")).contains("told");
    assertThat(status.text("status")).contains("success");
    assertThat(status.text("policyBody").orElseThrow()).contains("name: told", "spec:");
    assertThat(further.summary().field("unchanged")).contains(new Value.Numeric("1"));
    assertThat(audit.writes())
        .extracting(AuditLog.Entry::resource)
        .containsExactly("leases.coordination.k8s.io");
    assertThat(leftForTheNextRun()).isEmpty();
  }

  @Test
  void namesWhoKeepsChangingAPolicy() {
    insights.expects(clusterPolicy("contested", "Audit"));
    agent.run();
    Agent.Run last = agent.run();
    for (int i = 0; i < 3; i++) {
      patch(
          "clusterpolicies",
          "contested",
          "[{\"op\": \"replace\", \"path\": \"/spec/background\", \"value\": false}]");
      last = agent.run();
    }

    assertThat(last.exitCode()).isZero();
    assertThat(last.summary().items("changes").toString()).contains("kubectl-edit");
    assertThat(texts(last, "warnings"))
        .containsExactly(
            "ClusterPolicy/contested: repaired 3 times in a row, because kubectl-edit keeps"
                + " modifying it; let only one of them manage the policy");
  }

  private static String command(Agent.Run run) {
    return run.summary().mapping("approval").text("command").orElseThrow();
  }

  /// What is noted on the Lease, beside what feed and cluster agree on.
  private Set<String> leftForTheNextRun() {
    var annotations = cluster.admin().get(LEASE).ok().mapping("metadata").mapping("annotations");
    var left = new TreeSet<>(annotations.without(LeaseRunStateStore.MEMORY).fields().keySet());
    var memory = Documents.json(annotations.text(LeaseRunStateStore.MEMORY).orElse("{}"));
    // The agreement, the known generations and the applied feeds leave nothing to do.
    left.addAll(
        memory.without("agreement").without("feeds").without("generations").fields().keySet());
    return left;
  }

  private static String policies(String prefix, int count) {
    List<String> documents =
        IntStream.range(0, count).mapToObj(i -> clusterPolicy(prefix + "-" + i, "Audit")).toList();
    return String.join("---\n", documents);
  }
}

package dev.policysync.endtoend;

import static dev.policysync.harness.Feeds.clusterPolicy;
import static dev.policysync.harness.Feeds.policy;
import static dev.policysync.harness.Feeds.validatingPolicy;
import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.base.CanonicalJson;
import dev.policysync.base.Value;
import dev.policysync.harness.Agent;
import dev.policysync.harness.Feeds;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.PolicyKind;
import dev.policysync.remote.cluster.policy.ClusterWriters;
import dev.policysync.testcluster.AuditLog;
import dev.policysync.testcluster.Documents;
import dev.policysync.testcluster.KubeconfigFile;
import dev.policysync.testcluster.TimeLimits;
import java.io.IOException;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/// The main job as users see it: the whole program between a real API server and the remote API.
class SyncIT extends EndToEnd {

  /// Kubernetes before 1.35 takes fields out of our entry whenever Kyverno writes a status.
  @Test
  void doesNotRewriteForEverWhatTheApiServerDisowns() {
    insights.expects(Feeds.of(clusterPolicy("lost", "Audit"), clusterPolicy("kept", "Audit")));
    agent.run();
    disown("lost");
    var repaired = agent.run();
    disown("lost");
    var left = agent.run();
    var log = cluster.auditLog();
    var unchanged = agent.run();

    assertThat(changes(repaired)).containsExactly("updated ClusterPolicy/lost drifted");
    for (var run : List.of(left, unchanged)) {
      assertThat(run.exitCode()).as(run.all()).isZero();
      assertThat(changes(run)).isEmpty();
      assertThat(run.summary().fields().get("unchanged")).isEqualTo(new Value.Numeric("2"));
    }
    assertThat(log.writes()).isEmpty();
    patch(
        "clusterpolicies",
        "lost",
        "[{\"op\": \"remove\", \"path\": \"/spec/rules/0/validate/message\"}]");
    assertThat(changes(agent.run())).containsExactly("updated ClusterPolicy/lost drifted");
  }

  private void disown(String name) {
    patch(
        "clusterpolicies",
        name,
        "[{\"op\": \"replace\", \"path\": \"/metadata/managedFields\", \"value\": [{}]}]");
  }

  @Test
  void writesNothingInAPreview() {
    insights.expects(Feeds.of(clusterPolicy("new", "Audit"), policy(namespace, "new")));

    var run = agent.with("DRY_RUN", "true").run();

    assertThat(run.exitCode()).isZero();
    assertThat(run.summary().fields()).containsEntry("dryRun", new Value.Bool(true));
    assertThat(texts(run, "applied")).containsExactly("new", "new");
    assertThat(audit.writes()).isEmpty();
    assertThat(exists("clusterpolicies", "new")).isFalse();
    assertThat(insights.statuses()).isEmpty();
  }

  @Test
  void leavesTheResourceVersionOfAChangedPolicyAloneInAPreview() {
    insights.expects(clusterPolicy("kept", "Audit"));
    agent.run();
    var before = resourceVersion("clusterpolicies", "kept");

    insights.expects(clusterPolicy("kept", "Enforce"));
    var run = agent.run("diff");

    assertThat(run.stdout())
        .startsWith("1 changed (Audit → Enforce), 0 unchanged\n")
        .contains("ClusterPolicy/kept  to update  changed\n")
        .containsOnlyOnce("tightens: rule has-team: Audit → Enforce\n")
        .doesNotContain("failureAction");
    assertThat(run.exitCode()).isZero();
    assertThat(resourceVersion("clusterpolicies", "kept")).isEqualTo(before);
  }

  @Test
  void tellsPendingChangesByItsExitCodeWhenAsked() {
    insights.expects(clusterPolicy("pending", "Audit"));

    var pending = agent.run("diff", "--exit-code");
    agent.run();
    var none = agent.run("diff", "--exit-code");

    assertThat(pending.exitCode()).isEqualTo(4);
    assertThat(none.exitCode()).isZero();
  }

  @Test
  void writesNothingTheSecondTime() {
    insights.expects(
        Feeds.of(
            clusterPolicy("same", "Audit"), policy(namespace, "same"), validatingPolicy("same")));
    var first = agent.run();
    var reported = insights.statuses().size();
    var log = cluster.auditLog();

    var second = agent.run();

    assertThat(texts(first, "applied")).containsExactly("same", "same", "same");
    assertThat(second.exitCode()).isZero();
    assertThat(second.summary().fields()).containsEntry("unchanged", Value.Numeric.of(3));
    assertThat(log.writes()).isEmpty();
    assertThat(log.entries())
        .as("beside the lists of policies: what earlier runs recorded, and whether Kyverno runs")
        .filteredOn(entry -> !entry.verb().equals("list") || entry.resource().startsWith("leases"))
        .extracting(entry -> entry.verb() + " " + entry.resource())
        .containsExactlyInAnyOrder(
            "get leases.coordination.k8s.io", "list leases.coordination.k8s.io");
    assertThat(insights.statuses()).hasSize(reported);
  }

  @Test
  void keepsPoliciesOfOneNameApart() {
    createNamespace(namespace + "-2");
    insights.expects(
        Feeds.of(
            clusterPolicy("twin", "Audit"),
            validatingPolicy("twin"),
            policy(namespace, "twin"),
            policy(namespace + "-2", "twin")));
    agent.run();

    insights.expects(
        Feeds.of(
            clusterPolicy("twin", "Audit"), validatingPolicy("twin"), policy(namespace, "twin")));
    var run = agent.run();

    assertThat(texts(run, "removed")).containsExactly("twin");
    assertThat(exists(namespace + "-2", "policies", "twin")).isFalse();
    assertThat(exists(namespace, "policies", "twin")).isTrue();
    assertThat(exists("clusterpolicies", "twin")).isTrue();
  }

  @Test
  void movesAPolicyToAnotherKind() {
    insights.expects(clusterPolicy("moved", "Audit"));
    agent.run();

    insights.expects(validatingPolicy("moved"));
    var applied = agent.run();
    minutesPass();
    var removed = agent.run();

    assertThat(changes(applied)).containsExactly("applied ValidatingPolicy/moved new");
    assertThat(changes(removed)).containsExactly("removed ClusterPolicy/moved gone from feed");
    assertThat(exists("clusterpolicies", "moved")).isFalse();
  }

  @Test
  void repairsWhatSomebodyEdited() {
    insights.expects(clusterPolicy("edited", "Enforce"));
    agent.run();
    patch(
        "clusterpolicies",
        "edited",
        "[{\"op\": \"replace\", \"path\": \"/spec/rules/0/validate/failureAction\","
            + " \"value\": \"Audit\"}]");

    var run = agent.run();

    assertThat(changes(run)).containsExactly("updated ClusterPolicy/edited drifted");
    assertThat(live("clusterpolicies", "edited").toString()).contains("Enforce");
    assertThat(changes(agent.run())).isEmpty();
  }

  @Test
  void removesWhatSomebodyAdded() {
    insights.expects(validatingPolicy("switched-off"));
    agent.run();
    patch(
        "validatingpolicies",
        "switched-off",
        "[{\"op\": \"add\", \"path\": \"/spec/matchConditions\","
            + " \"value\": [{\"name\": \"never\", \"expression\": \"false\"}]}]");

    var run = agent.run();

    assertThat(changes(run)).containsExactly("updated ValidatingPolicy/switched-off drifted");
    assertThat(live("validatingpolicies", "switched-off").mapping("spec").fields())
        .doesNotContainKey("matchConditions");
  }

  /// An apply under our own name, and an addition whose entry is cut out of the managed fields:
  /// only the generation moves.
  @Test
  void repairsWhatManagedFieldsDoNotShow() {
    insights.expects(
        Feeds.of(
            clusterPolicy("as-us", "Enforce"),
            clusterPolicy("untouched", "Enforce"),
            validatingPolicy("hidden")));
    agent.run();
    var asUs = live("clusterpolicies", "as-us");
    var hidden = live("validatingpolicies", "hidden");
    var others = new ClusterWriters(cluster.admin());
    others.applyAsUs(asUs(clusterPolicy("as-us", "Audit"), asUs));
    others.edit(
        PolicyId.of(PolicyKind.VALIDATING_POLICY, "hidden"),
        "spec: {matchConditions: [{name: never, expression: 'false'}]}");
    others.cutOutOthers(PolicyId.of(PolicyKind.VALIDATING_POLICY, "hidden"));

    var preview = agent.run("diff", "--exit-code");
    var run = agent.run();

    assertThat(preview.exitCode()).as(preview.all()).isEqualTo(4);
    assertThat(preview.stdout()).contains("Audit → Enforce", "matchConditions");
    assertThat(changes(run))
        .containsExactly(
            "updated ClusterPolicy/as-us drifted", "updated ValidatingPolicy/hidden drifted");
    assertThat(live("clusterpolicies", "as-us").mapping("spec")).isEqualTo(asUs.mapping("spec"));
    assertThat(live("validatingpolicies", "hidden").mapping("spec"))
        .isEqualTo(hidden.mapping("spec"));
    assertThat(changes(agent.run())).isEmpty();
  }

  /// The feed's policy with the marks of that object, by which it is ours.
  private static String asUs(String policy, Value.Mapping object) {
    var marked = object.mapping("metadata");
    var metadata =
        Value.Mapping.EMPTY
            .with("name", marked.field("name").orElseThrow())
            .with("labels", marked.mapping("labels"))
            .with("annotations", marked.mapping("annotations"));
    return CanonicalJson.write(Documents.yaml(policy).with("metadata", metadata));
  }

  @Test
  void leavesATakenNameAloneAndSaysSo() {
    create("clusterpolicies", clusterPolicy("taken", "Enforce"));
    var before = resourceVersion("clusterpolicies", "taken");
    insights.expects(Feeds.of(clusterPolicy("taken", "Audit"), clusterPolicy("free", "Audit")));

    var run = agent.run();

    assertThat(run.exitCode()).isEqualTo(3);
    assertThat(texts(run, "applied")).containsExactly("free");
    assertThat(policiesIn(run, "conflicts")).containsExactly("ClusterPolicy/taken");
    assertThat(resourceVersion("clusterpolicies", "taken")).isEqualTo(before);
    assertThat(agent.with("ADOPT", "always").run().exitCode()).isZero();
    assertThat(live("clusterpolicies", "taken").toString()).contains("Audit");
  }

  @Test
  void removesNothingWhenTheFeedIsEmpty() {
    insights.expects(clusterPolicy("only", "Audit"));
    agent.run();
    insights.expects("{}");

    var run = agent.run();

    assertThat(run.exitCode()).isEqualTo(3);
    assertThat(policiesIn(run, "withheld")).containsExactly("ClusterPolicy/only");
    assertThat(exists("clusterpolicies", "only")).isTrue();
  }

  @Test
  void tellsTheApiHowEachPolicyFared() {
    insights.expects(Feeds.of(clusterPolicy("good", "Audit"), clusterPolicy("bad", "Sometimes")));

    var run = agent.run();

    assertThat(run.exitCode()).isEqualTo(1);
    var bodies = insights.statuses().stream().map(Documents::json).toList();
    assertThat(bodies).hasSize(2);
    var good = named(bodies, "good");
    assertThat(good.fields().keySet())
        .containsExactlyInAnyOrder(
            "policyName",
            "reportType",
            "action",
            "status",
            "lastAppliedAt",
            "policyBody",
            "output");
    assertThat(good.text("reportType")).contains("kyverno");
    assertThat(good.text("action")).contains("apply");
    assertThat(good.text("status")).contains("success");
    assertThat(good.text("output")).contains("");
    assertThat(good.text("lastAppliedAt").orElseThrow())
        .matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ");
    assertThat(good.text("policyBody"))
        .as("word for word what the feed has")
        .contains(clusterPolicy("good", "Audit"));
    var bad = named(bodies, "bad");
    assertThat(bad.text("status")).contains("failed");
    assertThat(bad.text("output").orElseThrow()).contains("ClusterPolicy/bad").contains("HTTP 422");
  }

  @Test
  void tellsTheApiOfARemoval() {
    insights.expects(Feeds.of(clusterPolicy("stays", "Audit"), clusterPolicy("goes", "Audit")));
    agent.run();
    insights.expects(clusterPolicy("stays", "Audit"));
    var before = insights.statuses().size();

    agent.run();

    var bodies = insights.statuses().stream().skip(before).map(Documents::json).toList();
    assertThat(bodies).hasSize(1);
    assertThat(bodies.getFirst().text("policyName")).contains("goes");
    assertThat(bodies.getFirst().text("action")).contains("delete");
    assertThat(bodies.getFirst().text("status")).contains("success");
    assertThat(bodies.getFirst().text("policyBody"))
        .contains("apiVersion: kyverno.io/v1\nkind: ClusterPolicy\nmetadata:\n  name: goes\n");
  }

  @Test
  void letsOnlyOneOfTwoAgentsWriteAtATime() throws IOException {
    insights.expects(
        Feeds.of(clusterPolicy("raced-1", "Audit"), clusterPolicy("raced-2", "Audit")));
    agent.with("LOCK_WAIT", "20s");

    var one = agent.start();
    var other = agent.start();
    var runs = List.of(Agent.ended(one), Agent.ended(other));

    assertThat(runs).allSatisfy(run -> assertThat(run.exitCode()).isZero());
    assertThat(
            audit.writes().stream().filter(entry -> entry.resource().startsWith("clusterpolicies")))
        .extracting(AuditLog.Entry::name)
        .containsExactlyInAnyOrder("raced-1", "raced-2");
  }

  @Test
  void isSkippedWhileAnotherAgentHoldsTheLease() {
    holdLease("somebody-else");
    insights.expects(clusterPolicy("late", "Audit"));

    var run = agent.with("LOCK_WAIT", "1s").run();

    assertThat(run.exitCode()).isZero();
    assertThat(run.summary().text("skipped").orElseThrow())
        .isEqualTo("another run is active: somebody-else holds the Lease");
    assertThat(exists("clusterpolicies", "late")).isFalse();
  }

  @Test
  void readsFilesInPlaceOfTheApi() throws IOException {
    var file = folder.resolve("policies.yaml");
    java.nio.file.Files.writeString(file, clusterPolicy("from-file", "Audit"));

    var run =
        new Agent(cluster, java.util.Map.of(), folder.resolve("laptop"))
            .run("--from", file.toString());

    assertThat(run.exitCode()).isZero();
    assertThat(texts(run, "applied")).containsExactly("from-file");
    assertThat(
            live("clusterpolicies", "from-file")
                .mapping("metadata")
                .mapping("annotations")
                .text("policysync.dev/source"))
        .contains("local");
    assertThat(insights.feedRequests()).isZero();
  }

  @Test
  void syncsTheExamples() throws IOException {
    createNamespace("shop");
    createNamespace("platform");
    insights.expects(Feeds.examples());

    var first = agent.run();
    minutesPass();
    var second = agent.run();
    var third = agent.run();

    assertThat(first.all()).contains("\"success\":true");
    assertThat(first.summary().items("applied")).hasSizeGreaterThanOrEqualTo(16);
    assertThat(policiesIn(first, "waiting")).containsExactly("ClusterPolicy/pod-security-baseline");
    assertThat(changes(second)).containsExactly("applied ClusterPolicy/pod-security-baseline new");
    assertThat(third.summary().items("changes")).isEmpty();
    assertThat(policiesIn(third, "waiting")).isEmpty();
    assertThat(third.exitCode()).isZero();
  }

  @Test
  void readsAKubeconfig() throws IOException {
    insights.expects(clusterPolicy("from-laptop", "Audit"));
    var kubeconfig = KubeconfigFile.ofAdmin(cluster).write(folder.resolve("kubeconfig"));

    var run =
        agent.run("sync", "--kubeconfig", kubeconfig.toString(), "-n", "default", "-o", "text");

    assertThat(run.stdout()).contains("+ ClusterPolicy/from-laptop  applied    new");
    assertThat(run.stdout()).contains("Done: 1 applied (");
  }

  @Test
  void loadsNoLibraryThatARunInAPodCanDoWithout() throws IOException {
    insights.expects(clusterPolicy("quiet", "Audit"));

    var busy = agent.classesOfARun(folder.resolve("busy.log"));
    var idle = agent.classesOfARun(folder.resolve("idle.log"));

    assertThat(busy).contains("dev.policysync.remote.cluster.lease.HeldLease");
    assertThat(idle).contains("dev.policysync.plan.Planner");
    for (var run : List.of(busy, idle)) {
      assertThat(run).noneMatch(name -> name.startsWith("io.kubernetes."));
      assertThat(run).noneMatch(name -> name.startsWith("com.google.gson."));
      assertThat(run).noneMatch(name -> name.startsWith("picocli."));
    }
    assertThat(idle).noneMatch(name -> name.startsWith("io.github.resilience4j."));
    assertThat(idle)
        .noneMatch(name -> name.equals("dev.policysync.remote.cluster.lease.LeaseLock"));
  }

  @Test
  void endsWithASummaryWhenItIsToldToStop() throws IOException {
    holdLease("somebody-else");
    insights.expects(clusterPolicy("stopped", "Audit"));
    var log = cluster.auditLog();
    var process = agent.with("LOCK_WAIT", "50s").start();
    Awaitility.await("the agent to wait for the Lease")
        .atMost(TimeLimits.WAIT)
        .until(() -> log.entries().stream().anyMatch(e -> e.resource().startsWith("leases")));

    process.toHandle().destroy();
    var run = Agent.ended(process);

    assertThat(run.exitCode()).isEqualTo(143);
    assertThat(run.summary().text("msg")).as(run.all()).contains("Policy sync failed");
    assertThat(exists("clusterpolicies", "stopped")).isFalse();
  }
}

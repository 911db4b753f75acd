package dev.policysync.endtoend;

import static dev.policysync.harness.Feeds.clusterPolicy;
import static dev.policysync.harness.Feeds.validatingPolicy;
import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.base.Value;
import dev.policysync.harness.Agent;
import dev.policysync.harness.Feeds;
import dev.policysync.policy.PolicyKind;
import dev.policysync.testcluster.AdmissionWebhook;
import dev.policysync.testcluster.AgedLease;
import dev.policysync.testcluster.Documents;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// What a run says is true (promise 15): in sync is not in force, what is left alone on purpose is
/// no failure, and a run that was kept from working is no success.
class TruthIT extends EndToEnd {
  private static final String POLICIES = "/apis/kyverno.io/v1/clusterpolicies/";
  private static final Duration LONG = Duration.ofMinutes(11);

  @AfterEach
  void leaveNoKyverno() {
    new FakeKyverno(cluster).remove();
  }

  @Test
  void namesAPolicyThatKyvernoIsNotReadyToExecute() {
    insights.expects(Feeds.of(clusterPolicy("ready", "Audit"), clusterPolicy("not", "Audit")));
    agent.run();
    ready("ready", "True", LONG);
    ready("not", "False", LONG);

    var log = cluster.auditLog();
    var run = agent.run();

    assertThat(run.exitCode()).as(run.all()).isEqualTo(1);
    assertThat(policiesIn(run, "notInForce")).containsExactly("ClusterPolicy/not");
    assertThat(run.summary().items("notInForce").toString())
        .contains("Kyverno reports: its webhook is missing");
    assertThat(run.summary().fields().get("unchanged")).isEqualTo(new Value.Numeric("2"));
    assertThat(log.writes())
        .filteredOn(entry -> entry.userAgent().startsWith("policy-sync/"))
        .allMatch(entry -> entry.resource().startsWith("events"));
  }

  @Test
  void givesKyvernoTenMinutes() {
    insights.expects(clusterPolicy("new", "Audit"));
    agent.run();
    status("new", "False", Instant.now());
    var fresh = agent.run();
    aged("new", LONG);
    var turned = agent.run();
    status("new", "False", Instant.now().minus(LONG));
    var late = agent.run();

    assertThat(fresh.exitCode()).as(fresh.all()).isZero();
    assertThat(turned.exitCode()).as(turned.all()).isZero();
    assertThat(policiesIn(late, "notInForce")).containsExactly("ClusterPolicy/new");
  }

  /// Nothing is left that would turn the status of a policy.
  @Test
  void failsWhileKyvernoDoesNotRunThoughItsPoliciesSayThatTheyAreReady() {
    insights.expects(Feeds.of(clusterPolicy("a", "Audit"), validatingPolicy("b")));
    agent.run();
    ready("a", "True", LONG);
    agent.run();
    cluster.stopKyverno();

    var log = cluster.auditLog();
    var unchanged = agent.run();
    var status = agent.run("status");
    insights.expects(Feeds.of(clusterPolicy("a", "Enforce"), validatingPolicy("b")));
    var changed = agent.run();
    cluster.letKyvernoRun();
    var back = agent.run();

    for (var run : List.of(unchanged, changed)) {
      assertThat(run.exitCode()).as(run.all()).isEqualTo(1);
      assertThat(policiesIn(run, "notInForce"))
          .containsExactly("ClusterPolicy/a", "ValidatingPolicy/b");
      assertThat(run.summary().items("notInForce").toString())
          .contains("Kyverno is not running: no namespace has the Lease kyverno-health");
    }
    assertThat(texts(changed, "updated")).containsExactly("a");
    assertThat(status.exitCode()).as(status.all()).isEqualTo(1);
    assertThat(status.stdout()).contains("2 expected, 0 in force");
    assertThat(back.exitCode()).as(back.all()).isZero();
    assertThat(log.writes())
        .filteredOn(entry -> entry.userAgent().startsWith("policy-sync/"))
        .noneMatch(entry -> entry.resource().startsWith("validatingpolicies"));
  }

  @Test
  void failsOnceKyvernoHasNotRenewedItsLeaseForFiveMinutes() {
    insights.expects(clusterPolicy("a", "Audit"));
    var kyverno = new FakeKyverno(cluster);
    createNamespace("kyverno");
    kyverno.install(0, Instant.now().minus(Duration.ofMinutes(4)));
    var young = agent.run();
    kyverno.install(2, Instant.now().minus(Duration.ofMinutes(6)));
    var old = agent.run();

    assertThat(young.exitCode()).as(young.all()).isZero();
    assertThat(old.exitCode()).as(old.all()).isEqualTo(1);
    assertThat(old.summary().items("notInForce").toString())
        .contains("has not renewed Lease kyverno/kyverno-health since ");
  }

  @Test
  void countsAPolicyForTheBackgroundAloneAsInForce() {
    insights.expects(
        clusterPolicy("background", "Audit").replace("spec:", "spec:\n  admission: false"));
    agent.run();
    ready("background", "False", LONG);

    var run = agent.run();

    assertThat(run.exitCode()).as(run.all()).isZero();
  }

  @Test
  void leavesAPolicyAloneThatSomebodyAskedToAndSaysWho() {
    insights.expects(Feeds.of(clusterPolicy("wanted", "Audit"), clusterPolicy("other", "Audit")));
    agent.run();
    pause("wanted");
    insights.expects(Feeds.of(clusterPolicy("wanted", "Enforce"), clusterPolicy("other", "Audit")));
    var changed = agent.run();
    insights.expects(clusterPolicy("other", "Audit"));
    var gone = agent.run();
    resume("wanted");
    var resumed = agent.run();

    for (var run : List.of(changed, gone)) {
      assertThat(run.exitCode()).as(run.all()).isZero();
      assertThat(changes(run)).isEmpty();
      assertThat(run.summary().items("ignored").toString())
          .contains("ClusterPolicy/wanted", "left alone since ", "kubectl-annotate");
    }
    assertThat(changes(resumed)).containsExactly("removed ClusterPolicy/wanted gone from feed");
  }

  @Test
  void leavesAForeignPolicyOfThatNameAloneWithoutAConflict() {
    cluster
        .admin()
        .apply(
            POLICIES + "taken?fieldManager=somebody&force=true",
            clusterPolicy("taken", "Audit").replace("insights.fairwinds.com/owned-by", "x"))
        .ok();
    pause("taken");
    insights.expects(Feeds.of(clusterPolicy("taken", "Enforce"), clusterPolicy("own", "Audit")));

    var run = agent.run();

    assertThat(run.exitCode()).as(run.all()).isZero();
    assertThat(policiesIn(run, "ignored")).containsExactly("ClusterPolicy/taken");
    assertThat(policiesIn(run, "conflicts")).isEmpty();
  }

  @Test
  void appliesNoAnnotationByWhichAFeedWouldSwitchItselfOff() {
    insights.expects(
        clusterPolicy("own", "Audit")
            .replace("annotations:", "annotations:\n    policysync.dev/reconcile: disabled"));
    agent.run();
    insights.expects(clusterPolicy("own", "Enforce"));

    var run = agent.run();

    assertThat(changes(run)).containsExactly("updated ClusterPolicy/own changed");
  }

  @Test
  void failsWhereSomebodyRenewsTheLeaseForEver() {
    insights.expects(clusterPolicy("a", "Audit"));
    agent.run();
    insights.expects(clusterPolicy("a", "Enforce"));
    var longAgo = Instant.now().minus(Duration.ofHours(3)).truncatedTo(ChronoUnit.SECONDS);
    lease("zombie", longAgo);
    agent.with("LOCK_WAIT", "2s");

    var run = agent.run();
    lease("at-work", Instant.now());
    var skipped = agent.run();

    assertThat(run.exitCode()).as(run.all()).isEqualTo(1);
    assertThat(run.summary().items("errors").toString())
        .contains("zombie holds the Lease", "acquired at " + longAgo, "kubectl patch lease");
    assertThat(skipped.exitCode()).as(skipped.all()).isZero();
    assertThat(skipped.summary().text("skipped"))
        .hasValueSatisfying(why -> assertThat(why).contains("at-work"));
  }

  @Test
  void saysThatPoliciesHaveNoEffectWhereKyvernoNoLongerExecutesThem() {
    insights.expects(clusterPolicy("old", "Audit"));
    createNamespace("kyverno");
    var kyverno = new FakeKyverno(cluster);
    kyverno.install("v1.19.1", 2, Instant.now());
    agent.run();
    var before = agent.run();
    kyverno.install("v1.20.0", 2, Instant.now());
    // A run that changes something asks for the release, others once an hour.
    insights.expects(Feeds.of(clusterPolicy("old", "Audit"), validatingPolicy("new")));
    var after = agent.run();
    var unchanged = agent.run();

    assertThat(before.exitCode()).as(before.all()).isZero();
    for (var run : List.of(after, unchanged)) {
      assertThat(run.exitCode()).as(run.all()).isEqualTo(1);
      assertThat(policiesIn(run, "notInForce")).containsExactly("ClusterPolicy/old");
      assertThat(run.summary().items("notInForce").toString())
          .contains("it has no effect: Kyverno 1.20.0 does not execute ClusterPolicy.kyverno.io");
    }
  }

  /// Both plans of Kyverno 1.20: writes are denied, and stored policies may be removed.
  @Test
  void goesOnWithTheOthersWhereWritesOfAKindAreDeniedForGood() {
    insights.expects(
        Feeds.of(
            clusterPolicy("stays", "Audit"),
            clusterPolicy("goes", "Audit"),
            clusterPolicy("moves", "Audit")));
    agent.run();
    insights.expects(
        Feeds.of(
            clusterPolicy("stays", "Enforce"),
            validatingPolicy("moves"),
            validatingPolicy("fresh")));

    Agent.Run run;
    Agent.Run later;
    try (var webhook = AdmissionWebhook.on(cluster, PolicyKind.CLUSTER_POLICY, "CREATE, UPDATE")) {
      webhook.denies(
          403, "the execution of ClusterPolicy was removed in v1.20, the API remains available");
      run = agent.run();
      minutesPass();
      later = agent.run();
    }

    assertThat(run.exitCode()).as(run.all()).isEqualTo(1);
    assertThat(texts(run, "failed")).containsExactly("stays");
    assertThat(run.summary().items("errors").toString())
        .contains("was removed in v1.20", "replace it with a policy of policies.kyverno.io");
    assertThat(changes(run))
        .containsExactlyInAnyOrder(
            "applied ValidatingPolicy/moves new",
            "applied ValidatingPolicy/fresh new",
            "removed ClusterPolicy/goes gone from feed");
    assertThat(changes(later)).containsExactly("removed ClusterPolicy/moves gone from feed");
  }

  @Test
  void touchesNothingOfAKindThatTheSettingsExclude() {
    insights.expects(clusterPolicy("a", "Audit"));
    agent.run();
    var narrow = agent.with("EXCLUDE_KINDS", "ClusterPolicy");

    var refused = narrow.run();
    insights.expects(validatingPolicy("b"));
    var others = narrow.run();

    assertThat(refused.exitCode()).as(refused.all()).isEqualTo(1);
    assertThat(refused.summary().items("errors").toString()).contains("EXCLUDE_KINDS");
    assertThat(others.exitCode()).as(others.all()).isZero();
    assertThat(changes(others)).containsExactly("applied ValidatingPolicy/b new");
    assertThat(exists("clusterpolicies", "a")).isTrue();
  }

  @Test
  void letsOneFeedThroughInEveryClusterAndNoOther() {
    var policies =
        IntStream.range(0, 6).mapToObj(i -> clusterPolicy("p" + i, "Audit")).toArray(String[]::new);
    insights.expects(Feeds.of(policies));
    agent.run();
    insights.expects(Feeds.of(policies[0]));
    var withheld = agent.run();
    var digest = withheld.summary().text("feedDigest").orElseThrow();
    insights.expects(Feeds.of(policies[1]));
    var other = agent.with("APPROVED_FEED", digest + "@2099-01-01T00:00Z").run();
    insights.expects("");
    var empty = agent.run();
    insights.expects(Feeds.of(policies[0]));
    var late = agent.with("APPROVED_FEED", digest + "@2026-01-01T00:00Z").run();
    var approved = agent.with("APPROVED_FEED", digest + "@2099-01-01T00:00Z").run();

    for (var run : List.of(withheld, other, empty, late)) {
      assertThat(run.exitCode()).as(run.all()).isEqualTo(3);
      assertThat(texts(run, "removed")).isEmpty();
    }
    assertThat(approved.exitCode()).as(approved.all()).isZero();
    assertThat(texts(approved, "removed")).hasSize(5);
    assertThat(texts(approved, "approvals"))
        .containsExactly("removals: feed " + digest + "@2099-01-01T00:00:00Z (APPROVED_FEED)");
  }

  private void pause(String name) {
    annotate(name, "disabled");
  }

  private void resume(String name) {
    annotate(name, "null");
  }

  private void annotate(String name, String value) {
    cluster
        .admin()
        .merge(
            POLICIES + name + "?fieldManager=kubectl-annotate",
            Documents.yaml("{metadata: {annotations: {policysync.dev/reconcile: " + value + "}}}"))
        .ok();
  }

  private void lease(String holder, Instant acquired) {
    var now = AgedLease.microTime(Instant.now());
    var then = AgedLease.microTime(acquired);
    cluster
        .admin()
        .merge(
            LEASE + "?fieldManager=" + holder,
            Documents.yaml(
                "{spec: {holderIdentity: %s, leaseDurationSeconds: 60, acquireTime: \"%s\", renewTime: \"%s\"}}"
                    .formatted(holder, then, now)))
        .ok();
  }

  /// As Kyverno left it so long ago.
  private void ready(String name, String status, Duration age) {
    status(name, status, Instant.now().minus(age));
    aged(name, age);
  }

  private void status(String name, String status, Instant since) {
    cluster
        .admin()
        .merge(
            POLICIES + name + "/status?fieldManager=kyverno",
            Documents.yaml(
                """
                status:
                  conditions:
                  - {type: Ready, status: "%s", reason: Failed, message: its webhook is missing,
                     lastTransitionTime: "%s"}
                """
                    .formatted(status, since.truncatedTo(ChronoUnit.SECONDS))))
        .ok();
  }

  private void aged(String name, Duration age) {
    AgedLease.written(cluster.admin(), POLICIES + name, age);
  }
}

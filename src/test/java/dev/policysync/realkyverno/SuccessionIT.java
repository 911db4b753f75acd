package dev.policysync.realkyverno;

import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.base.Value;
import dev.policysync.harness.Agent;
import dev.policysync.harness.Feeds;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.PolicyKind;
import dev.policysync.survival.Victim;
import dev.policysync.testcluster.AgedLease;
import dev.policysync.testcluster.RawApi;
import dev.policysync.testcluster.TimeLimits;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/// A ClusterPolicy becomes a ValidatingPolicy and a ClusterPolicy again (`CONVERT`), with what a
/// real Kyverno executes and reports, and so does a policy beside it with its exception. At no
/// moment is a pod admitted that has to be refused, or the other way round, also where each run is
/// killed before each of its writes first.
class SuccessionIT extends WithKyverno {
  private static final Map<String, String> APPLY =
      Map.of("CONVERT", "apply", "CONVERT_REHEARSAL", "0s", "MAX_REMOVALS", "1");
  private static final String SHIELDED = "shielded";
  private static final String AUDITED = "audited";
  private static final Map<String, String> OFF = Map.of("CONVERT", "off", "MAX_REMOVALS", "1");

  private String name = "";
  private int victims;

  @Test
  void leavesNoGapThereAndBack() throws IOException {
    name = "moved-" + namespace;
    cluster.admin().post(pods(), pod("old", "")).ok();
    cluster.admin().post(pods(), pod("new", "team: shop")).ok();
    insights.expects(
        Feeds.of(legacy(name, "team"), clusterPolicy(), legacy(SHIELDED, "owner"), exception()));
    killedUntilNothingWaits(OFF);
    await("a pod to be refused", () -> tries("another").status() == 400);
    await("a pod to be shielded", () -> triesRight().status() == 201);

    try (var violating = prober("another", "", false);
        var right = prober("right", "team: shop", true)) {
      killedAtEachWrite(APPLY);
      awaitStep("side-by-side");
      killedUntilNothingWaits(APPLY);
      assertThat(actions()).isEqualTo("[Deny]");
      awaitStep("replacement");
      killedUntilNothingWaits(APPLY);
      assertThat(exists("clusterpolicies", name)).isFalse();
      assertThat(exists("clusterpolicies", AUDITED)).isFalse();
      assertThat(exists("clusterpolicies", SHIELDED)).isFalse();
      // The exception goes a run later than the policy that it exempts from.
      killedUntilNothingWaits(APPLY);
      assertThat(cluster.admin().get(exceptionPath()).status()).isEqualTo(404);
      violating.succeedsAgain();
      right.succeedsAgain();
      assertThat(with(APPLY).run().summary().field("unchanged")).contains(new Value.Numeric("4"));

      // The policy that is shielded comes a run later than its exception.
      killedUntilNothingWaits(OFF);
      awaitReady(PolicyId.of(PolicyKind.CLUSTER_POLICY, name));
      awaitReady(PolicyId.of(PolicyKind.CLUSTER_POLICY, AUDITED));
      awaitReady(PolicyId.of(PolicyKind.CLUSTER_POLICY, SHIELDED));
      killedUntilNothingWaits(OFF);
      assertThat(exists("validatingpolicies", name)).isFalse();
      assertThat(exists("validatingpolicies", AUDITED)).isFalse();
      assertThat(exists("validatingpolicies", SHIELDED)).isFalse();
      assertThat(cluster.admin().get(exceptionPath()).status()).isEqualTo(200);
      violating.succeedsAgain();
      right.succeedsAgain();

      assertThat(violating.wrong()).isEmpty();
      assertThat(right.wrong()).isEmpty();
    }
  }

  /// One run is killed before its first write to a policy, the next one before its second, and so
  /// on, until one has no more of them. Removals wait half a minute after a run that was killed, as
  /// it may have changed what they depend on.
  private void killedAtEachWrite(Map<String, String> settings) throws IOException {
    for (int write = 1; ; write++) {
      leaseExpires();
      var folder = this.folder.resolve("victim-" + ++victims);
      var all = new HashMap<>(settings);
      all.put("LOCK_WAIT", "5s");
      if (!Victim.beforeAPolicy(write).killed(cluster, insights, folder, all)) {
        return;
      }
      if (!waiting(settings).isEmpty()) {
        awaitTurn(with(settings));
      }
    }
  }

  /// The same, run after run, each once Kyverno had its time.
  private void killedUntilNothingWaits(Map<String, String> settings) throws IOException {
    killedAtEachWrite(settings);
    while (!waiting(settings).isEmpty()) {
      awaitTurn(with(settings));
      killedAtEachWrite(settings);
    }
  }

  private List<String> waiting(Map<String, String> settings) {
    return policiesIn(with(settings).run("diff", "-o", "json"), "waiting");
  }

  private void leaseExpires() {
    if (cluster.admin().get(LEASE).status() == 200) {
      AgedLease.age(cluster.admin(), LEASE, Duration.ofMinutes(10));
    }
  }

  /// Until Kyverno has reported on all policies, and is ready: some may be a step further, as runs
  /// that are killed take time.
  private void awaitStep(String stage) {
    var reached = List.of("side-by-side", "replacement");
    Awaitility.await("the next step to be " + stage)
        .atMost(TimeLimits.WAIT)
        .pollInterval(Duration.ofSeconds(1))
        .untilAsserted(() -> {
          var conversions = with(APPLY).run("diff", "-o", "json").summary().items("conversions");
          assertThat(conversions)
              .as(
                  "%s; Kyverno says %s",
                  conversions, live("validatingpolicies", name).mapping("status"))
              .map(Value.Mapping.class::cast)
              .filteredOn(it -> it.text("policy").orElseThrow().startsWith("ClusterPolicy/"))
              .hasSize(3)
              .allMatch(it ->
                  reached
                      .subList(reached.indexOf(stage), reached.size())
                      .contains(it.text("stage").orElse("")));
        });
  }

  private Agent with(Map<String, String> settings) {
    var with = agent;
    for (var setting : settings.entrySet()) {
      with = with.with(setting.getKey(), setting.getValue());
    }
    return with;
  }

  private Prober prober(String pod, String labels, boolean admitted) {
    return Prober.of(cluster.admin(), namespace, pod(pod, labels), admitted);
  }

  private String actions() {
    return live("validatingpolicies", name).mapping("spec").items("validationActions").stream()
        .map(action -> ((Value.Text) action).text())
        .toList()
        .toString();
  }

  private static String clusterPolicy() {
    return Feeds.clusterPolicy(AUDITED, "Audit");
  }

  private String legacy(String name, String label) {
    return """
    apiVersion: kyverno.io/v1
    kind: ClusterPolicy
    metadata: {name: %1$s}
    spec:
      rules:
        - name: has-%3$s
          match: {any: [{resources: {kinds: [Pod], namespaces: [%2$s]}}]}
          validate:
            failureAction: Enforce
            message: set the label %3$s
            pattern: {metadata: {labels: {%3$s: "?*"}}}
    """
        .formatted(name, namespace, label);
  }

  private String exceptionPath() {
    return "/apis/kyverno.io/v2/namespaces/" + namespace + "/policyexceptions/all";
  }

  private String exception() {
    return """
    apiVersion: kyverno.io/v2
    kind: PolicyException
    metadata: {name: all, namespace: %s}
    spec:
      exceptions: [{policyName: %s, ruleNames: [has-owner]}]
      match: {any: [{resources: {kinds: [Pod]}}]}
    """
        .formatted(namespace, SHIELDED);
  }

  private RawApi.Reply triesRight() {
    return cluster.admin().post(pods() + "?dryRun=All", pod("right", "team: shop"));
  }
}

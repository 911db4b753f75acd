package dev.policysync.realkyverno;

import dev.policysync.base.Value;
import dev.policysync.endtoend.EndToEnd;
import dev.policysync.harness.Agent;
import dev.policysync.policy.PolicyId;
import dev.policysync.testcluster.Documents;
import dev.policysync.testcluster.Kyverno;
import dev.policysync.testcluster.RawApi;
import dev.policysync.testcluster.RealKyverno;
import dev.policysync.testcluster.TimeLimits;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;

/// What tests with a real Kyverno need besides: it runs, and what it makes of policies and
/// workloads can be waited for.
@RealKyverno
abstract class WithKyverno extends EndToEnd {
  protected Kyverno kyverno;

  @BeforeEach
  void meet(Kyverno kyverno) {
    this.kyverno = kyverno;
    kyverno.start();
  }

  /// Waits until Kyverno says of that policy that it is ready.
  protected void awaitReady(PolicyId id) {
    Readiness.await(cluster.admin(), id);
  }

  /// Runs until nothing waits for an earlier run, each time once Kyverno had its time.
  protected Agent.Run syncs(Agent agent) {
    var run = agent.run();
    while (!policiesIn(run, "waiting").isEmpty()) {
      awaitTurn(agent);
      run = agent.run();
    }
    return run;
  }

  /// Waits until a run would do some of what waits for an earlier one.
  protected static void awaitTurn(Agent agent) {
    Awaitility.await("a later run's turn")
        .atMost(TimeLimits.WAIT)
        .pollInterval(Duration.ofSeconds(2))
        .until(() -> !changes(agent.run("diff", "-o", "json")).isEmpty());
  }

  /// Asks for a pod, persisting nothing: what the API server and Kyverno answer.
  protected RawApi.Reply tries(String pod) {
    return cluster.admin().post(pods() + "?dryRun=All", pod(pod, ""));
  }

  /// A pod with those labels.
  ///
  /// @param labels `team: shop`, or nothing
  protected static Value.Mapping pod(String name, String labels) {
    return Documents.yaml(
        """
        apiVersion: v1
        kind: Pod
        metadata: {name: %s, labels: {%s}}
        spec: {containers: [{name: main, image: "registry.fernside.example/main:1.0"}]}
        """
            .formatted(name, labels));
  }

  protected String pods() {
    return "/api/v1/namespaces/" + namespace + "/pods";
  }

  protected static void await(String what, Callable<Boolean> happened) {
    Awaitility.await(what)
        .atMost(TimeLimits.WAIT)
        .pollInterval(Duration.ofMillis(250))
        .until(happened);
  }
}

package dev.policysync.matrix;

import static java.util.stream.Collectors.toCollection;
import static java.util.stream.Collectors.toSet;

import dev.policysync.base.Value;
import dev.policysync.harness.Agent;
import dev.policysync.harness.FakeInsights;
import dev.policysync.harness.Feeds;
import dev.policysync.policy.PolicyKind;
import dev.policysync.testcluster.Documents;
import dev.policysync.testcluster.TestCluster;
import dev.policysync.testcluster.TimeLimits;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/// The built agent in one cluster: a first sync of the example policies that the cluster knows, a
/// run without changes, drift, a removal, the report, and what it says of policies that the cluster
/// does not know.
public final class CompatibilityRun implements AutoCloseable {
  private static final String EDITED = "restrict-exec";
  private static final String DENIED = "denied the request";
  private static final List<String> CLEAR =
      List.of(
          "the cluster does not serve the kind",
          ".spec.evaluation.background: field not declared in schema",
          DENIED);

  private final TestCluster cluster;
  private final String release;
  private final FakeInsights insights = new FakeInsights();
  private final Agent agent;
  private final boolean running;
  private int rewritten;

  /// @param release of Kyverno whose custom resources the cluster has: `v1.18.2`
  /// @param folder is made, for what a pod would have
  /// @param running whether that Kyverno runs, too
  public CompatibilityRun(TestCluster cluster, KyvernoRelease release, Path folder, boolean running)
      throws IOException {
    this.cluster = cluster;
    this.release = release.version();
    this.agent = new Agent(cluster, insights.environment(), folder);
    this.running = running;
  }

  /// Plays it all, from an empty cluster on.
  ///
  /// @throws IllegalStateException with what the agent said, where something does not hold
  public Compatibility play() throws IOException {
    for (var namespace : List.of("shop", "platform")) {
      var metadata = new Value.Mapping(Map.of("name", new Value.Text(namespace)));
      cluster
          .admin()
          .post("/api/v1/namespaces", new Value.Mapping(Map.of("metadata", metadata)))
          .ok();
    }
    var examples = examples();
    var served = examples.stream().filter(example -> served(kind(example))).toList();
    var adapted = served.stream().map(this::adapted).toList();

    insights.expects(String.join("\n---\n", adapted));
    var first = firstRuns();
    var refused = refusedByKyverno(first.getLast());
    var known = adapted.stream().filter(example -> !refused.contains(label(example))).toList();
    var applied = first.stream().mapToInt(run -> run.summary().items("applied").size()).sum();
    expect(applied == known.size(), "all to be applied", first.getLast());
    insights.expects(String.join("\n---\n", known));
    if (!refused.isEmpty()) {
      // What is no longer in the feed is forgotten once, and some may have been lost by now.
      rewritten = succeeds("run without what was refused").summary().texts("updated").size();
    }
    if (running) {
      awaitAllInForce(known.size());
    }
    writesNothingElse();
    repairsDrift();
    reports();
    removes(known);
    var whole = known.stream().filter(examples::contains).count();
    namesWhatIsUnknown(examples.size() - (int) whole);
    return new Compatibility(
        cluster.admin().get("/version").ok().text("gitVersion").orElseThrow().substring(1),
        (int) whole,
        examples.size(),
        examples.stream()
            .filter(example -> !served.contains(example))
            .map(example -> kind(example).kind())
            .collect(toCollection(TreeSet::new)),
        rewritten);
  }

  /// Runs until nothing waits: a policy that begins to block comes half a minute after its
  /// exceptions.
  private List<Agent.Run> firstRuns() {
    var runs = new ArrayList<Agent.Run>();
    Awaitility.await("a run that leaves nothing to a later one")
        .atMost(TimeLimits.WAIT)
        .pollInterval(Duration.ofSeconds(5))
        .pollDelay(Duration.ZERO)
        .until(() -> {
          runs.add(agent.run());
          refusedByKyverno(runs.getLast());
          return runs.getLast().summary().items("waiting").isEmpty();
        });
    return runs;
  }

  /// What a Kyverno that runs does not accept yet: `ValidatingPolicy/a`. Nobody else may refuse
  /// anything.
  private Set<String> refusedByKyverno(Agent.Run run) {
    var errors = run.summary().items("errors").stream().map(Value.Mapping.class::cast).toList();
    expect(
        errors.stream().allMatch(error -> running && error.toString().contains(DENIED)),
        "nothing but refusals by Kyverno",
        run);
    return errors.stream().map(error -> error.text("policy").orElseThrow()).collect(toSet());
  }

  /// But once what the API server made it lose, as docs/compatibility.md says.
  private void writesNothingElse() {
    var updated = new ArrayList<String>();
    if (rewritten == 0) {
      expectNoWrites(updated);
      return;
    }
    Awaitility.await("a run without writes")
        .atMost(TimeLimits.WAIT)
        .pollInterval(Duration.ofSeconds(1))
        .ignoreExceptionsInstanceOf(IllegalStateException.class)
        .untilAsserted(() -> expectNoWrites(updated));
    if (updated.size() > rewritten || Set.copyOf(updated).size() < updated.size()) {
      throw new IllegalStateException(
          "expected " + rewritten + " to be rewritten once, not " + updated);
    }
  }

  /// @param updated is added to
  private void expectNoWrites(List<String> updated) {
    var log = cluster.auditLog();
    var run = succeeds("a run without changes");
    updated.addAll(run.summary().texts("updated"));
    expect(log.writes().isEmpty(), "no writes, not " + log.writes(), run);
  }

  private void repairsDrift() {
    cluster
        .admin()
        .jsonPatch(
            "/apis/kyverno.io/v1/clusterpolicies/" + EDITED + "?fieldManager=kubectl-edit",
            "[{\"op\": \"replace\", \"path\": \"/spec/rules/0/validate/failureAction\","
                + " \"value\": \"Audit\"}]")
        .ok();
    var repaired = succeeds("repair of drift");
    var updated = repaired.summary().texts("updated");
    expect(updated.contains(EDITED) && updated.size() <= 1 + rewritten, "one repair", repaired);
  }

  private void removes(List<String> feed) {
    var without = feed.stream().filter(each -> !each.contains(EDITED)).toList();
    insights.expects(String.join("\n---\n", without));
    var removed = succeeds("removal");
    expect(removed.summary().texts("removed").equals(List.of(EDITED)), "a removal", removed);
  }

  private void namesWhatIsUnknown(int unknown) throws IOException {
    insights.expects(Feeds.examples());
    var whole = agent.run();
    expect(whole.summary().texts("applied").equals(List.of(EDITED)), "one to be applied", whole);
    var errors = whole.summary().items("errors");
    expect(
        errors.size() == unknown
            && errors.stream()
                .allMatch(error -> CLEAR.stream().anyMatch(error.toString()::contains)),
        "clear words for " + unknown + " unknown policies",
        whole);
    expect(whole.exitCode() == (unknown == 0 ? 0 : 1), "an exit code by the errors", whole);
  }

  /// With a Kyverno that runs, something of the examples is to be found, once it has looked.
  private void reports() {
    if (running) {
      cluster
          .admin()
          .post("/apis/apps/v1/namespaces/default/deployments", Documents.yaml(VIOLATING))
          .ok();
      Awaitility.await("a finding about the Deployment")
          .atMost(TimeLimits.WAIT)
          .pollInterval(Duration.ofSeconds(1))
          .until(() -> agent.run("report", "-o", "json").stdout().contains("\"cart\""));
    }
    succeeds("report", "report");
    expect(
        insights.reports().size() == 1 && insights.reports().getFirst().contains("cart") == running,
        "one report, with the Deployment where Kyverno runs",
        new Agent.Run(0, insights.reports().toString(), ""));
  }

  /// What the API server makes the agent lose is in sync but for its ownership, by nobody's doing.
  private void awaitAllInForce(int expected) {
    var status =
        Awaitility.await("Kyverno to execute all of the examples")
            .atMost(TimeLimits.WAIT)
            .pollInterval(Duration.ofSeconds(1))
            .until(
                () -> agent.run("status", "-o", "json").summary(),
                said -> number(said, "inForce") + lost(said) == expected);
    rewritten += lost(status);
  }

  private static int lost(Value.Mapping status) {
    return (int)
        status.mappings("pending").stream()
            .filter(policy -> policy.text("cause").orElse("").equals("drifted"))
            .filter(policy -> policy.items("by").isEmpty())
            .count();
  }

  private static int number(Value.Mapping object, String name) {
    return object.fields().get(name) instanceof Value.Numeric(var digits)
        ? Integer.parseInt(digits)
        : 0;
  }

  private Agent.Run succeeds(String what, String... arguments) {
    var run = agent.run(arguments);
    expect(run.exitCode() == 0, "exit code 0 of a " + what + ", not " + run.exitCode(), run);
    return run;
  }

  private static void expect(boolean held, String what, Agent.Run run) {
    if (!held) {
      var errors = run.summary().items("errors");
      throw new IllegalStateException(
          "expected " + what + ", but: " + (errors.isEmpty() ? run.all() : errors));
    }
  }

  /// An example without the field that a release does not know yet.
  private String adapted(String example) {
    return release.startsWith("v1.16.") && kind(example) == PolicyKind.MUTATING_POLICY
        ? example.replace("    background:\n      enabled: false\n", "")
        : example;
  }

  private static List<String> examples() throws IOException {
    return Stream.of(Feeds.examples().split("(?m)^---\\s*$"))
        .filter(document -> document.lines().anyMatch(line -> line.startsWith("kind:")))
        .toList();
  }

  private static String label(String example) {
    return Documents.policy(example).id().toString();
  }

  private static PolicyKind kind(String example) {
    var manifest = Documents.yaml(example);
    var group = manifest.text("apiVersion").orElseThrow().split("/", 2)[0];
    return PolicyKind.of(group, manifest.text("kind").orElseThrow()).orElseThrow();
  }

  private boolean served(PolicyKind kind) {
    return kind.versions().stream()
        .map(version -> "/apis/" + kind.group() + "/" + version + "/" + kind.plural())
        .anyMatch(path -> cluster.admin().get(path).status() == 200);
  }

  @Override
  public void close() {
    insights.close();
  }

  /// Breaks an audited example policy, and no enforced one.
  private static final String VIOLATING =
      """
      apiVersion: apps/v1
      kind: Deployment
      metadata: {name: cart}
      spec:
        selector: {matchLabels: {app: cart}}
        template:
          metadata: {labels: {app: cart}}
          spec: {containers: [{name: cart, image: "registry.fernside.example/cart:1.0"}]}
      """;
}

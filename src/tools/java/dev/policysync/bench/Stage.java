package dev.policysync.bench;

import dev.policysync.base.Value;
import dev.policysync.bench.AgentProcess.Trusting;
import dev.policysync.harness.Image;
import dev.policysync.policy.PolicyKind;
import dev.policysync.remote.cluster.lease.LeaseRunStateStore;
import dev.policysync.report.ReportKind;
import dev.policysync.testcluster.AuditLog;
import dev.policysync.testcluster.Documents;
import dev.policysync.testcluster.Kubectl;
import dev.policysync.testcluster.Kyverno;
import dev.policysync.testcluster.KyvernoAssets;
import dev.policysync.testcluster.Sandbox;
import dev.policysync.testcluster.Sandbox.Rule;
import dev.policysync.testcluster.TestCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The two servers and the state that a scenario needs them in.
final class Stage implements AutoCloseable {
  /// What [#synced] is when the policies in the cluster are not the agent's.
  private static final int NOT_THE_AGENTS = -1;

  /// How much longer each answer of the remote API takes where it is far away.
  private static final Duration FAR = Duration.ofMillis(100);

  /// Of very many policies it takes longer than a run may by default.
  private static final Map<String, String> PATIENT = Map.of("TIMEOUT", "20m");

  private static final String LEASE =
      "/apis/coordination.k8s.io/v1/namespaces/default/leases/kyverno-policy-sync-lock";

  private final TestCluster cluster;
  private final FeedServer api;
  private final ExamplePolicies policies;
  private final Removal removal;
  private final GnuTime time;
  private final Optional<PodLimits> limits;
  private final Path folder;
  private final AgentProcess agent;
  private final Reports reports;
  private final Kubectl kubectl;
  private @Nullable DistantApi distantApi;
  private @Nullable Image image;
  private @Nullable Kyverno kyverno;
  private int synced;
  private int release;

  Stage(
      TestCluster cluster,
      FeedServer api,
      ExamplePolicies policies,
      GnuTime time,
      Optional<PodLimits> limits,
      Path folder)
      throws IOException {
    this.cluster = cluster;
    this.api = api;
    this.policies = policies;
    this.removal = new Removal(cluster.admin());
    this.time = time;
    this.limits = limits;
    this.folder = folder;
    for (var namespace : ExamplePolicies.NAMESPACES) {
      cluster
          .admin()
          .post(
              "/api/v1/namespaces",
              Documents.yaml("{kind: Namespace, metadata: {name: " + namespace + "}}"))
          .ok();
    }
    var token = Sandbox.in(cluster, 1).tokenOf("agent", rights());
    this.agent = new AgentProcess(cluster, token, api, folder.resolve("pod"));
    this.reports = new Reports(cluster.admin(), folder.resolve("reports"));
    this.kubectl = Kubectl.of(cluster, folder.resolve("kubectl"));
  }

  private static Rule[] rights() {
    var rules = new ArrayList<Rule>();
    for (var kind : PolicyKind.all()) {
      var verbs = List.of("list", "get", "create", "patch", "delete");
      rules.add(new Rule(kind.group(), List.of(kind.plural()), verbs));
    }
    for (var kind : ReportKind.values()) {
      rules.add(new Rule(kind.group(), List.of(kind.plural()), List.of("list")));
    }
    var verbs = List.of("get", "create", "update", "patch");
    rules.add(new Rule("coordination.k8s.io", List.of("leases"), verbs));
    return rules.toArray(Rule[]::new);
  }

  /// Measures it so often.
  Result measure(Scenario scenario, int repetitions) throws IOException, InterruptedException {
    if (scenario.work().limited() && limits.isEmpty()) {
      return new Result.NotMeasured(scenario, "needs root and writable control groups");
    }
    bring(scenario.kyverno());
    prepare(scenario);
    var runs = new ArrayList<Figures>();
    var requests = Optional.<Requests>empty();
    var answers = Optional.<KyvernoAnswers>empty();
    for (int i = 0; i < repetitions; i++) {
      prepareOne(scenario);
      var audit = requests.isEmpty() ? Optional.of(cluster.auditLog()) : Optional.<AuditLog>empty();
      counts();
      var before = KyvernoAnswers.soFar(cluster.admin());
      var run = time.run(process(scenario));
      check(scenario, run);
      if (audit.isPresent()) {
        requests = Optional.of(Requests.of(asked(audit.get()), counts()));
        answers =
            Optional.of(KyvernoAnswers.soFar(cluster.admin()).since(before))
                .filter(_ -> scenario.kyverno());
      }
      runs.add(run.figures());
      BenchProgress.figure(run.figures());
    }
    return new Result.Measured(scenario, runs, requests.orElseThrow(), answers);
  }

  /// Lets there be a Kyverno, or none.
  private void bring(boolean wanted) {
    if (wanted && kyverno == null) {
      clear();
      kyverno = Kyverno.start(cluster, KyvernoAssets.find());
    } else if (!wanted && kyverno != null) {
      kyverno.close();
      kyverno = null;
    }
  }

  /// `kube-apiserver v1.36.3, kubectl v1.36.3`.
  String versions() {
    var client = Documents.json(kubectl.run("version", "--client", "--output=json").ok());
    return "kube-apiserver %s, kubectl %s"
        .formatted(
            cluster.admin().get("/version").ok().text("gitVersion").orElseThrow(),
            client.mapping("clientVersion").text("gitVersion").orElseThrow());
  }

  private FeedServer.Counts counts() {
    var counts = api.counts();
    return distantApi == null ? counts : counts.and(distantApi.counts());
  }

  /// What was asked by anybody but this program.
  private static List<AuditLog.Entry> asked(AuditLog audit) {
    return audit.entries().stream().filter(entry -> !entry.userAgent().equals("test")).toList();
  }

  /// What has to be done once for all runs of it.
  private void prepare(Scenario scenario) throws IOException, InterruptedException {
    switch (scenario.work()) {
      case NO_OP,
          NO_OP_COMPARED,
          NO_OP_LIMITED,
          NO_OP_OF_IMAGE,
          NO_OP_RUNTIMES_ROOTS,
          NO_OP_ONE_ROOT,
          TEN_CHANGED ->
          sync(scenario.policies());
      case DRY_RUN -> {
        clear();
        api.expects(policies.feed(scenario.policies(), release));
      }
      case FIRST_SYNC -> api.expects(policies.feed(scenario.policies(), release));
      case FIRST_SYNC_HTTP2 -> distantApi().expects(feed(scenario), Duration.ZERO);
      case FIRST_SYNC_FAR -> distantApi().expects(feed(scenario), FAR);
      case KUBECTL_FIRST, LINT -> Files.writeString(manifests(), feed(scenario));
      case REPORT -> reports.store();
      case REPORT_OF_A_STAND_IN -> {}
      case KUBECTL_AGAIN -> {
        Files.writeString(manifests(), feed(scenario));
        clear();
        synced = NOT_THE_AGENTS;
        check(scenario, time.run(process(scenario)));
      }
    }
  }

  /// What has to be done before each run of it.
  private void prepareOne(Scenario scenario) {
    switch (scenario.work()) {
      case NO_OP,
          NO_OP_LIMITED,
          NO_OP_OF_IMAGE,
          NO_OP_RUNTIMES_ROOTS,
          NO_OP_ONE_ROOT,
          DRY_RUN,
          LINT,
          KUBECTL_AGAIN,
          REPORT,
          REPORT_OF_A_STAND_IN -> {}
      case NO_OP_COMPARED -> forget();
      case TEN_CHANGED -> {
        release++;
        api.expects(policies.feed(scenario.policies(), release));
      }
      case FIRST_SYNC, FIRST_SYNC_HTTP2, FIRST_SYNC_FAR -> {
        clear();
        synced = scenario.policies();
      }
      case KUBECTL_FIRST -> {
        clear();
        synced = NOT_THE_AGENTS;
      }
    }
  }

  /// Takes away what earlier runs noted, so that the next one has to compare.
  private void forget() {
    var annotations = Value.Mapping.EMPTY.with(LeaseRunStateStore.MEMORY, Value.Null.NULL);
    var metadata = Value.Mapping.EMPTY.with("annotations", annotations);
    cluster.admin().merge(LEASE, Value.Mapping.EMPTY.with("metadata", metadata)).ok();
    // The next scenario with so many policies is to find an agreement again.
    synced = NOT_THE_AGENTS;
  }

  private ProcessBuilder process(Scenario scenario) throws IOException {
    return switch (scenario.work()) {
      case NO_OP -> agent.process(Trusting.BUNDLE);
      case NO_OP_COMPARED, TEN_CHANGED -> agent(scenario.policies(), Map.of());
      case FIRST_SYNC -> agent(scenario.policies(), PATIENT);
      case FIRST_SYNC_HTTP2, FIRST_SYNC_FAR -> {
        var far = new HashMap<>(PATIENT);
        far.put("FAIRWINDS_INSIGHTS_HOST", distantApi().url());
        yield agent(scenario.policies(), far);
      }
      case DRY_RUN -> agent.process(Trusting.BUNDLE, "--dry-run");
      case REPORT -> reports.onRealOnes(agent);
      case REPORT_OF_A_STAND_IN -> reports.onAStandIns(agent);
      case LINT -> agent.process(Trusting.BUNDLE, "lint", manifests().toString());
      case NO_OP_RUNTIMES_ROOTS -> agent.process(Trusting.RUNTIMES_ROOTS);
      case NO_OP_ONE_ROOT -> agent.process(Trusting.ONE_ROOT);
      case NO_OP_LIMITED -> limited(agent.process(Trusting.BUNDLE));
      case NO_OP_OF_IMAGE -> limited(agent.of(image()));
      case KUBECTL_FIRST, KUBECTL_AGAIN ->
          kubectl.process(
              "apply",
              "--server-side",
              "--force-conflicts",
              "--field-manager=yardstick",
              "--filename=" + manifests());
    };
  }

  /// The agent with a heap for so many policies. In a pod settings are variables; flags would load
  /// what reads them.
  private ProcessBuilder agent(int count, Map<String, String> settings) throws IOException {
    var process = agent.process(Trusting.BUNDLE);
    process.environment().putAll(settings);
    if (Scenario.needsHeap(count)) {
      process
          .environment()
          .merge(AgentProcess.JAVA_OPTIONS, "-Xmx1g", (all, heap) -> all + " " + heap);
    }
    return process;
  }

  private DistantApi distantApi() {
    if (distantApi == null) {
      distantApi = new DistantApi(api.authority());
    }
    return distantApi;
  }

  private Image image() throws IOException {
    if (image == null) {
      image = Image.build();
    }
    return image;
  }

  @Override
  public void close() throws IOException {
    bring(false);
    reports.close();
    if (distantApi != null) {
      distantApi.close();
    }
    if (image != null) {
      image.close();
    }
  }

  private ProcessBuilder limited(ProcessBuilder process) {
    return process.command(limits.orElseThrow().within(process.command()));
  }

  /// A run that did not do what it was to do would be measured for nothing.
  private static void check(Scenario scenario, GnuTime.Run run) throws IOException {
    var lines = Files.readAllLines(run.stdout());
    var done =
        switch (scenario.work()) {
          case LINT -> lines.getLast().endsWith(" in " + scenario.policies() + " policies");
          case KUBECTL_FIRST, KUBECTL_AGAIN -> lines.size() == scenario.policies();
          default -> RunEffect.reported(lines).equals(RunEffect.of(scenario));
        };
    if (run.exitCode() != 0 || !done) {
      var last = lines.subList(Math.max(0, lines.size() - 3), lines.size());
      throw new IllegalStateException(
          "%s ended with exit code %d and did not do what is measured:\n%s\n%s"
              .formatted(
                  scenario.id(),
                  run.exitCode(),
                  String.join("\n", last),
                  Files.readString(run.stderr())));
    }
  }

  /// Lets the agent bring the cluster to the first so many policies.
  private void sync(int count) throws IOException, InterruptedException {
    if (synced == NOT_THE_AGENTS || synced > count) {
      clear();
    }
    api.expects(policies.feed(count, release));
    if (synced == count) {
      return;
    }
    var run = time.run(agent(count, Map.of("CONCURRENCY", "8", "TIMEOUT", "20m")));
    if (run.exitCode() != 0) {
      throw new IllegalStateException(
          "the agent cannot prepare the cluster: " + Files.readString(run.stdout()));
    }
    synced = count;
  }

  private void clear() {
    removal.removeAll();
    synced = 0;
  }

  private String feed(Scenario scenario) {
    return policies.feed(scenario.policies(), release);
  }

  private Path manifests() {
    return folder.resolve("policies.yaml");
  }
}

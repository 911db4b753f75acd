package dev.policysync.demo;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.policysync.base.Value;
import dev.policysync.harness.Agent;
import dev.policysync.harness.FakeInsights;
import dev.policysync.harness.Feeds;
import dev.policysync.policy.PolicyKind;
import dev.policysync.testcluster.ClusterAssets;
import dev.policysync.testcluster.KubeconfigFile;
import dev.policysync.testcluster.Kubectl;
import dev.policysync.testcluster.Kyverno;
import dev.policysync.testcluster.KyvernoAssets;
import dev.policysync.testcluster.RawApi;
import dev.policysync.testcluster.TestCluster;
import dev.policysync.testcluster.TimeLimits;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/// A day of the agent in one minute: `make demo`. Everything is real but the remote API, which is a
/// stand-in on loopback.
final class Demo {
  private static final String REPORTS =
      "/apis/wgpolicyk8s.io/v1alpha2/namespaces/default/policyreports";
  private static final Path PICTURE = Path.of("docs", "demo.svg");

  /// Two of the many policies that are applied, and removed.
  private static final String EXAMPLES =
      "[-+] ClusterPolicy/(container-hardening|default-deny-network) ";

  private static final String EDITED = "/apis/kyverno.io/v1/clusterpolicies/restrict-exec";

  private final TestCluster cluster;
  private final FakeInsights insights;
  private final Agent agent;
  private final Path folder;
  private final PrintStream out = new PrintStream(System.out, true, UTF_8);
  private final Optional<TerminalPicture> picture;
  private int step;

  /// The last command and, if the story is drawn, its output as a terminal shows it.
  private String typed = "";

  private String printed = "";

  private Demo(TestCluster cluster, FakeInsights insights, Path folder, boolean drawn)
      throws IOException {
    this.folder = folder;
    this.cluster = cluster;
    this.insights = insights;
    this.agent = new Agent(cluster, insights.environment(), folder);
    if (System.getenv("NO_COLOR") != null) {
      agent.with("NO_COLOR", "1");
    }
    if (drawn) {
      agent.withProperty("policysync.terminals", "stdout");
    }
    this.picture = drawn ? Optional.of(new TerminalPicture()) : Optional.empty();
  }

  /// Tells the story, or with `--stay` only starts the servers and waits; with `--kyverno`, a real
  /// Kyverno is among them. With `--picture` the story is also drawn.
  public static void main(String[] args) throws IOException, InterruptedException {
    var folder = Files.createTempDirectory("policy-sync-demo");
    // Ctrl-C ends it as often as its own end does.
    Runtime.getRuntime().addShutdownHook(new Thread(() -> delete(folder)));
    var wanted = List.of(args);
    try (var cluster = TestCluster.start(ClusterAssets.find());
        var insights = new FakeInsights()) {
      var demo = new Demo(cluster, insights, folder, wanted.contains("--picture"));
      if (wanted.contains("--kyverno")) {
        demo.out.println("Starting Kyverno, about 15 seconds");
        try (var kyverno = Kyverno.start(cluster, KyvernoAssets.find())) {
          demo.out.println("Kyverno is running; its logs are in " + kyverno.folder());
          demo.begin(wanted, true);
        }
      } else {
        demo.begin(wanted, false);
      }
    }
  }

  private void begin(List<String> wanted, boolean kyverno)
      throws IOException, InterruptedException {
    for (var namespace : List.of("shop", "platform")) {
      createNamespace(namespace);
    }
    if (wanted.contains("--stay")) {
      stay();
    } else {
      tell(kyverno);
      if (picture.isPresent()) {
        Files.writeString(PICTURE, picture.get().svg());
      }
    }
  }

  private void tell(boolean kyverno) throws IOException {
    insights.expects(Feeds.examples());

    say("Preview: the API server validates every write as a dry run.");
    run("sync", "--dry-run", "-o", "text");
    draw("\\d+ new,", EXAMPLES, "^Dry run");
    count();

    say("First sync.");
    run("sync", "-o", "text");
    draw(EXAMPLES, "^Done");
    count();

    sayAside(
        "A policy that begins to block comes a run after its exception, at least 30 seconds later.");
    Awaitility.await("a later run's turn")
        .atMost(TimeLimits.WAIT)
        .pollInterval(Duration.ofSeconds(2))
        .until(() -> agent.run("diff", "-o", "json").summary().items("waiting").isEmpty());
    run("sync", "-o", "text");
    count();

    sayAside("Next sync: nothing changed, so nothing is written, not even the Lease.");
    var before = writes();
    run("sync", "-o", "text");
    out.println("   writes received by the API server: " + (writes() - before));

    if (kyverno) {
      tellOfKyverno();
    }

    say("Drift: a policy is set to Audit with kubectl. The agent shows the change and reverts it.");
    edit();
    run("diff");
    draw("\\d+ drifted", "~ ClusterPolicy/", "^Dry run");
    run("sync", "-o", "text");
    draw("~ ClusterPolicy/", "^Done");

    say("A policy is deleted from the feed: the agent removes it.");
    insights.expects(Feeds.examplesWithout("restrict-ingress-hosts.yaml"));
    run("sync", "-o", "text");
    draw("- ClusterPolicy/", "^Done");

    say("The feed is empty, e.g. by mistake: all removals are withheld (exit code 3).");
    insights.expects("{}");
    run("sync", "-o", "text");
    draw("stay in force", "fix the feed", "To approve", "kubectl annotate", "^Done");
    count();

    say("The removals are intended: approve exactly these, once.");
    var approval = agent.run("sync", "--dry-run", "-o", "json").summary().mapping("approval");
    kubectl(approval.text("command").orElseThrow());
    draw();
    run("sync", "-o", "text");
    draw(EXAMPLES, "^Done");
    count();
    out.println();
  }

  private void tellOfKyverno() throws IOException {
    sayAside("Kyverno enforces the policies: an image from another registry is rejected.");
    kubectl("kubectl run curious --image=docker.io/library/curious:1.0");

    sayAside("Violations of audit policies are allowed and reported.");
    kubectl("kubectl create deployment cart --image=registry.fernside.example/cart:1.0");
    Awaitility.await("Kyverno's report")
        .atMost(TimeLimits.WAIT)
        .until(() -> !cluster.admin().get(REPORTS).ok().items("items").isEmpty());
    run("report", "--dry-run");
  }

  private void stay() throws IOException, InterruptedException {
    var kubeconfig = KubeconfigFile.ofAdmin(cluster).write(folder.resolve("kubeconfig"));
    out.println("An API server with Kyverno's CRDs runs until Ctrl-C. In another terminal:");
    out.println();
    out.println("  export KUBECONFIG=" + kubeconfig);
    out.println("  kubectl get clusterpolicies");
    out.println("  target/dist/bin/policy-sync diff --from examples/policies");
    Thread.currentThread().join();
  }

  /// Tells a step of the story.
  private void say(String sentence) {
    step++;
    out.println("\n── " + step + ". " + sentence);
    picture.ifPresent(it -> it.heading(sentence));
  }

  /// Tells a step that is not drawn.
  private void sayAside(String sentence) {
    step++;
    out.println("\n── " + step + ". " + sentence);
  }

  private void run(String... arguments) {
    typed = "policy-sync " + String.join(" ", arguments);
    out.println("\n   $ " + typed);
    if (picture.isPresent()) {
      var run = agent.run(arguments);
      out.print(run.all());
      printed = run.all();
      out.println("   exit code " + run.exitCode());
    } else {
      out.println("   exit code " + agent.show(arguments));
    }
  }

  private void kubectl(String command) throws IOException {
    typed = command;
    out.println("\n   $ " + typed);
    var run = Kubectl.of(cluster, folder.resolve("kubectl")).typed(command);
    printed = run.stdout() + run.stderr();
    out.print(printed);
  }

  /// Draws the last command with those lines of its output in which an expression is found.
  private void draw(String... matters) {
    picture.ifPresent(it -> {
      it.command(typed);
      it.output(printed, Stream.of(matters).map(Pattern::compile).toList());
    });
  }

  private void count() {
    out.println("   policies in the cluster now: " + owned());
  }

  private void createNamespace(String name) {
    var metadata = new Value.Mapping(Map.of("name", new Value.Text(name)));
    cluster
        .admin()
        .post("/api/v1/namespaces", new Value.Mapping(Map.of("metadata", metadata)))
        .ok();
  }

  private void edit() {
    cluster
        .admin()
        .jsonPatch(
            EDITED + "?fieldManager=kubectl-edit",
            "[{\"op\": \"replace\", \"path\": \"/spec/rules/0/validate/failureAction\","
                + " \"value\": \"Audit\"}]")
        .ok();
  }

  private long writes() {
    return cluster.auditLog().writes().size();
  }

  private int owned() {
    var count = 0;
    for (var kind : PolicyKind.all()) {
      for (var version : kind.versions()) {
        var list = list(kind, version);
        if (list.status() == 200) {
          count += list.body().items("items").size();
          break;
        }
      }
    }
    return count;
  }

  private RawApi.Reply list(PolicyKind kind, String version) {
    return cluster
        .admin()
        .get(
            "/apis/"
                + kind.group()
                + "/"
                + version
                + "/"
                + kind.plural()
                + "?labelSelector=policysync.dev/managed");
  }

  private static void delete(Path folder) {
    try (Stream<Path> files = Files.walk(folder)) {
      for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot remove " + folder, e);
    }
  }
}

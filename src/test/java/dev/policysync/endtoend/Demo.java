package dev.policysync.endtoend;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.policysync.policy.PolicyKind;
import dev.policysync.testcluster.ClusterAssets;
import dev.policysync.testcluster.KubeconfigFile;
import dev.policysync.testcluster.Kubectl;
import dev.policysync.testcluster.RawApi;
import dev.policysync.testcluster.TestCluster;
import dev.policysync.yaml.Value;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// A day of the agent in one minute: `make demo`. Everything is real but the remote API, which is a
/// stand-in on loopback.
final class Demo {
  private static final Path POLICIES = Path.of("examples", "policies");
  private static final String EDITED = "/apis/kyverno.io/v1/clusterpolicies/restrict-exec";

  private final TestCluster cluster;
  private final FakeInsights insights;
  private final Agent agent;
  private final Path folder;
  private final PrintStream out = new PrintStream(System.out, true, UTF_8);

  private Demo(TestCluster cluster, FakeInsights insights, Path folder) throws IOException {
    this.folder = folder;
    this.cluster = cluster;
    this.insights = insights;
    this.agent = new Agent(cluster, insights.environment(), folder);
    if (System.getenv("NO_COLOR") != null) {
      agent.with("NO_COLOR", "1");
    }
  }

  /// Tells the story, or with `--stay` only starts the two servers and waits.
  public static void main(String[] args) throws IOException, InterruptedException {
    var folder = Files.createTempDirectory("policy-sync-demo");
    // Ctrl-C ends it as often as its own end does.
    Runtime.getRuntime().addShutdownHook(new Thread(() -> delete(folder)));
    try (var cluster = TestCluster.start(ClusterAssets.find());
        var insights = new FakeInsights()) {
      var demo = new Demo(cluster, insights, folder);
      if (List.of(args).contains("--stay")) {
        demo.stay();
      } else {
        demo.tell();
      }
    }
  }

  private void tell() throws IOException {
    for (var namespace : List.of("shop", "platform")) {
      createNamespace(namespace);
    }
    insights.expects(feed(""));

    say(
        "1. Preview. The API server judges every write of the example policies; nothing is written.");
    run("sync", "--dry-run", "-o", "text");
    out.println("   policies in the cluster now: " + owned());

    say("2. First sync.");
    run("sync", "-o", "text");
    out.println("   policies in the cluster now: " + owned());

    say("3. Second sync: nothing changed, so nothing is written, not even the Lease.");
    var before = writes();
    run("sync", "-o", "text");
    out.println("   writes that the API server saw: " + (writes() - before));

    say("4. Somebody switches a policy to Audit by hand. The agent shows it, and puts it right.");
    edit();
    run("diff");
    run("sync", "-o", "text");

    say("5. A policy leaves the feed: it is removed.");
    insights.expects(feed("restrict-ingress-hosts.yaml"));
    run("sync", "-o", "text");

    say(
        "6. The feed is empty, as after a typing error upstream: every removal is withheld (exit code 3).");
    insights.expects("{}");
    run("sync", "-o", "text");
    out.println("   policies in the cluster now: " + owned());

    say("7. It was no typing error: somebody lets exactly these removals through, once.");
    var approval = agent.run("sync", "--dry-run", "-o", "json").summary().mapping("approval");
    var command = approval.text("command").orElseThrow();
    out.println("   $ " + command);
    var words = List.of(command.split(" ", -1));
    Kubectl.of(cluster, folder.resolve("kubectl"))
        .run(words.subList(1, words.size()).toArray(String[]::new))
        .ok();
    run("sync", "-o", "text");
    out.println("   policies in the cluster now: " + owned());
    out.println();
  }

  private void stay() throws IOException, InterruptedException {
    var kubeconfig = KubeconfigFile.ofAdmin(cluster).write(folder.resolve("kubeconfig"));
    for (var namespace : List.of("shop", "platform")) {
      createNamespace(namespace);
    }
    out.println("An API server with Kyverno's CRDs is up until Ctrl-C. In another terminal:");
    out.println();
    out.println("  export KUBECONFIG=" + kubeconfig);
    out.println("  kubectl get clusterpolicies");
    out.println("  target/dist/bin/policy-sync diff --from examples/policies");
    Thread.currentThread().join();
  }

  private void run(String... arguments) {
    out.println();
    out.println("   $ policy-sync " + String.join(" ", arguments));
    var exitCode = agent.show(arguments);
    out.println("   exit code " + exitCode);
  }

  private void say(String sentence) {
    out.println();
    out.println("── " + sentence);
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

  /// The example policies as one stream, without one of the files.
  static String feed(String without) throws IOException {
    var documents = new ArrayList<String>();
    try (Stream<Path> files = Files.list(POLICIES)) {
      for (var file : files.sorted().toList()) {
        if (file.toString().endsWith(".yaml") && !file.endsWith(without)) {
          documents.add(Files.readString(file));
        }
      }
    }
    return String.join("\n---\n", documents);
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

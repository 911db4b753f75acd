package dev.policysync.testcluster;

import dev.policysync.base.Value;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/// Kyverno's controllers as processes of this machine, beside a test cluster whose API server calls
/// their webhooks by loopback URLs. They run with the rights, settings and flags of Kyverno's own
/// manifest, but for what only a pod has; exceptions are switched on, for every namespace, and it
/// may do what the example policies need.
public final class Kyverno implements AutoCloseable {
  /// One of its controllers, each a process.
  public enum Controller {
    ADMISSION("kyverno", "kyverno-admission-controller", "kyverno"),
    BACKGROUND("background-controller", "kyverno-background-controller"),
    CLEANUP("cleanup-controller", "kyverno-cleanup-controller"),
    REPORTS("reports-controller", "kyverno-reports-controller");

    private final String program;
    private final String deployment;
    private final String lease;

    Controller(String program, String deployment) {
      this(program, deployment, deployment);
    }

    Controller(String program, String deployment, String lease) {
      this.program = program;
      this.deployment = deployment;
      this.lease = lease;
    }
  }

  private static final Path PERMISSIONS = Path.of("examples", "kyverno-permissions.yaml");
  private static final Path OF_SUCCESSORS =
      Path.of("examples", "kyverno-permissions-successors.yaml");
  private static final String REGISTRATION = "/apis/admissionregistration.k8s.io/v1/";
  private static final String VALIDATING = REGISTRATION + "validatingwebhookconfigurations";
  private static final String MUTATING = REGISTRATION + "mutatingwebhookconfigurations";
  private static final String LEASES = "/apis/coordination.k8s.io/v1/namespaces/kyverno/leases/";
  private static final String HEALTH = LEASES + "kyverno-health";
  private static final String DEPLOYMENTS = "/apis/apps/v1/namespaces/kyverno/deployments/";
  private static final Duration POLL = Duration.ofMillis(500);

  /// What the controller that is asked must judge before Kyverno counts as ready, whatever the
  /// verdict: it may not delete anything, so it refuses every cleanup policy.
  private static final Map<String, String> PROBES =
      Map.of(
          "/apis/kyverno.io/v1/clusterpolicies/is-kyverno-ready",
          """
          apiVersion: kyverno.io/v1
          kind: ClusterPolicy
          metadata: {name: is-kyverno-ready}
          spec:
            rules:
              - name: any
                match: {any: [{resources: {kinds: [ConfigMap]}}]}
                validate: {failureAction: Audit, message: any, pattern: {metadata: {name: "?*"}}}
          """,
          "/apis/kyverno.io/v2/clustercleanuppolicies/is-kyverno-ready",
          """
          apiVersion: kyverno.io/v2
          kind: ClusterCleanupPolicy
          metadata: {name: is-kyverno-ready}
          spec:
            match: {any: [{resources: {kinds: [ConfigMap], names: [nothing]}}]}
            schedule: "0 0 1 1 *"
          """);

  private final TestCluster cluster;
  private final KyvernoAssets assets;
  private final KyvernoManifest manifest;
  private final Path folder;
  private final Map<Controller, GuardedProcess> running = new EnumMap<>(Controller.class);
  private final Map<Controller, Integer> ports = new EnumMap<>(Controller.class);

  private Kyverno(TestCluster cluster, KyvernoAssets assets) throws IOException {
    this.cluster = cluster;
    this.assets = assets;
    this.manifest = KyvernoManifest.read(assets.manifest(), PERMISSIONS, OF_SUCCESSORS);
    this.folder = Files.createTempDirectory("policy-sync-kyverno-");
  }

  /// Installs it, starts every controller, and waits until each does its work.
  public static Kyverno start(TestCluster cluster, KyvernoAssets assets) {
    try {
      var kyverno = new Kyverno(cluster, assets);
      try {
        kyverno.manifest.install(cluster.admin());
        kyverno.start();
        return kyverno;
      } catch (RuntimeException | Error e) {
        kyverno.close();
        throw e;
      }
    } catch (IOException e) {
      throw new UncheckedIOException("Kyverno cannot be started", e);
    }
  }

  /// The cluster that it is in.
  public TestCluster cluster() {
    return cluster;
  }

  /// Where its logs are: `reports-controller.log`.
  public Path folder() {
    return folder;
  }

  /// Starts all controllers that do not run, and waits until each does its work.
  public void start() {
    for (var controller : Controller.values()) {
      if (!running.containsKey(controller)) {
        launch(controller, List.of());
      }
    }
    awaitReady();
  }

  /// Starts one controller anew.
  ///
  /// @param flags that it gets besides: `--openreportsEnabled=true`
  public void restart(Controller controller, String... flags) {
    Optional.ofNullable(running.get(controller)).ifPresent(process -> end(controller, process));
    launch(controller, List.of(flags));
    awaitReady();
  }

  /// Ends all controllers as if their nodes had failed: at once, and their webhooks stay.
  public void kill() {
    Map.copyOf(running).forEach(this::end);
  }

  /// Ends it, and removes the webhooks that would else refuse everything.
  @Override
  public void close() {
    kill();
    for (var configuration : webhookConfigurations()) {
      cluster.admin().delete(configuration).ok();
    }
    try (var files = Files.walk(folder)) {
      for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("Kyverno's files are left in " + folder, e);
    }
  }

  private void end(Controller controller, GuardedProcess process) {
    process.close();
    running.remove(controller);
    // Who comes next need not wait until these have expired.
    cluster.admin().delete(LEASES + controller.lease);
    if (controller == Controller.ADMISSION) {
      cluster.admin().delete(HEALTH);
    }
    sayReady(controller, 0);
  }

  private void launch(Controller controller, List<String> flags) {
    if (controller == Controller.ADMISSION) {
      cluster.stopKyverno(); // the one that only seemed to run
    }
    var container = manifest.container(controller.deployment);
    try {
      var command = new ArrayList<>(List.of(assets.program(controller.program).toString()));
      command.addAll(container.arguments());
      // The last of two flags counts.
      command.addAll(outsideOfPod(controller));
      command.addAll(flags);
      var environment = new HashMap<>(container.environment());
      environment.put("KYVERNO_NAMESPACE", "kyverno");
      environment.put("KYVERNO_POD_NAME", controller.deployment + "-" + UUID.randomUUID());
      environment.put("TUF_ROOT", folder.resolve("sigstore").toString());
      running.put(controller, GuardedProcess.start(folder, command, environment));
    } catch (IOException e) {
      throw new UncheckedIOException("Kyverno's " + controller + " cannot be started", e);
    }
  }

  /// What differs for a process that is no pod: other ports, as they share one address, and a
  /// kubeconfig.
  private List<String> outsideOfPod(Controller controller) throws IOException {
    var free = FreePorts.take(2);
    var flags = new ArrayList<String>();
    flags.add("--kubeconfig=" + kubeconfig(controller));
    flags.add("--metricsHost=127.0.0.1");
    flags.add("--metricsPort=" + free.getFirst());
    int port = free.getLast();
    ports.put(controller, port);
    switch (controller) {
      case ADMISSION ->
          flags.addAll(
              List.of(
                  "--serverIP=127.0.0.1:" + port,
                  "--webhookServerHost=127.0.0.1",
                  "--webhookServerPort=" + port,
                  "--controllerRuntimeMetricsAddress=0",
                  "--enablePolicyException=true",
                  "--exceptionNamespace=*"));
      case CLEANUP ->
          flags.addAll(
              List.of(
                  "--serverIP=127.0.0.1:" + port,
                  "--cleanupServerHost=127.0.0.1",
                  "--cleanupServerPort=" + port));
      case BACKGROUND ->
          flags.addAll(
              List.of(
                  "--controllerRuntimeMetricsAddress=0",
                  "--enablePolicyException=true",
                  "--exceptionNamespace=*"));
      case REPORTS ->
          flags.addAll(List.of("--enablePolicyException=true", "--exceptionNamespace=*"));
    }
    return flags;
  }

  private Path kubeconfig(Controller controller) throws IOException {
    var token = cluster.serviceAccountToken("kyverno", controller.deployment);
    return new KubeconfigFile()
        .cluster("test", cluster)
        .user("controller", token)
        .context("test", "test", "controller", "kyverno")
        .write(folder.resolve(controller.program + ".kubeconfig"));
  }

  private void awaitReady() {
    Awaitility.await("Kyverno to do its work")
        .atMost(TimeLimits.WAIT)
        .pollInterval(POLL)
        .failFast("a controller of Kyverno ended while it started", this::requireAlive)
        .until(this::missing, List::isEmpty);
    running.keySet().forEach(controller -> sayReady(controller, 1));
  }

  private void requireAlive() {
    for (var process : running.values()) {
      if (!process.alive()) {
        throw new IllegalStateException(process.lastWords());
      }
    }
  }

  /// What is still to happen.
  private List<String> missing() {
    var missing = new ArrayList<String>();
    for (var controller : running.keySet()) {
      var lease = cluster.admin().get(LEASES + controller.lease).body().mapping("spec");
      if (lease.text("holderIdentity").isEmpty()) {
        missing.add("Lease " + controller.lease);
      }
    }
    var health = cluster.admin().get(HEALTH).body().mapping("metadata").mapping("annotations");
    if (health.text("kyverno.io/last-request-time").isEmpty()) {
      missing.add("a request to one of its webhooks");
    }
    // Until then, some call where a controller was before it ended.
    var called = called();
    if (!called.equals(Set.of(address(Controller.ADMISSION), address(Controller.CLEANUP)))) {
      missing.add("webhooks that call " + ports + ", not " + called);
    }
    PROBES.forEach((place, manifest) -> {
      var reply = cluster.admin().apply(place + "?fieldManager=test&dryRun=All", manifest);
      var message = reply.body().text("message").orElse("no message");
      if (reply.status() > 299 && !message.contains("denied the request")) {
        missing.add(place + ": " + message);
      }
    });
    return missing;
  }

  /// Where the webhooks are: `https://127.0.0.1:9443`.
  private Set<String> called() {
    var called = new HashSet<String>();
    for (var configuration : webhookConfigurations()) {
      for (var webhook : cluster.admin().get(configuration).body().items("webhooks")) {
        var url = ((Value.Mapping) webhook).mapping("clientConfig").text("url").orElse("");
        called.add(url.replaceFirst("(?<=[0-9])/.*", ""));
      }
    }
    return called;
  }

  private String address(Controller controller) {
    return "https://127.0.0.1:" + ports.get(controller);
  }

  /// `/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations/kyverno-verify-…`.
  private List<String> webhookConfigurations() {
    return Stream.of(VALIDATING, MUTATING)
        .flatMap(kind ->
            cluster.admin().get(kind).ok().items("items").stream()
                .map(item -> ((Value.Mapping) item).mapping("metadata"))
                .map(metadata -> metadata.text("name").orElseThrow())
                .filter(name -> name.startsWith("kyverno-"))
                .map(name -> kind + "/" + name))
        .toList();
  }

  /// What the kubelet and the Deployment's controller would find out.
  private void sayReady(Controller controller, int replicas) {
    cluster
        .admin()
        .merge(
            DEPLOYMENTS + controller.deployment + "/status",
            Documents.yaml("{status: {replicas: 1, readyReplicas: " + replicas + "}}"))
        .ok();
  }
}

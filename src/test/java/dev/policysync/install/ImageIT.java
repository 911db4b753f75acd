package dev.policysync.install;

import static org.assertj.core.api.Assertions.assertThat;

import com.marcnuri.helm.Helm;
import dev.policysync.base.Value;
import dev.policysync.endtoend.EndToEnd;
import dev.policysync.harness.Agent;
import dev.policysync.harness.FakeInsights;
import dev.policysync.harness.Feeds;
import dev.policysync.harness.Image;
import dev.policysync.harness.PodContainer;
import dev.policysync.remote.http.RawServer;
import dev.policysync.testcluster.Documents;
import dev.policysync.testcluster.KubeconfigFile;
import dev.policysync.testcluster.TimeLimits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The image, run as the chart's CronJob runs it, against the real API server.
class ImageIT extends EndToEnd {
  private static final String NAMESPACE = "insights-agent";
  private static final String RELEASE = "kyverno-policy-sync";
  private static final String CHECK = "/api/v1/%s/pods/kyverno-policy-sync-check";
  private static final long MEGABYTE = 1_000_000;

  private static Image image;

  private final Map<String, String> environment = new HashMap<>();
  private final Map<String, Path> mounts = new HashMap<>();

  private PodContainer container;

  @BeforeAll
  static void build() throws Exception {
    image = Image.build();
  }

  @AfterAll
  static void remove() throws Exception {
    image.close();
  }

  @BeforeEach
  void install() throws IOException {
    use(insights.url());
  }

  @AfterEach
  void forgetTheLease() {
    cluster
        .admin()
        .delete(
            "/apis/coordination.k8s.io/v1/namespaces/"
                + NAMESPACE
                + "/leases/kyverno-policy-sync-lock");
  }

  @Test
  void syncsAsTheCronJobDoesWithTheRightsOfTheChart() throws Exception {
    insights.expects(Feeds.clusterPolicy("team-label", "Audit"));

    var first = run();
    var second = run("-XX:AOTMode=on");

    assertThat(first.exitCode()).as(first.all()).isZero();
    assertThat(texts(first, "applied")).containsExactly("team-label");
    assertThat(second.exitCode()).as(second.all()).isZero();
    assertThat(second.summary().field("unchanged")).contains(new Value.Numeric("1"));
    assertThat(exists("clusterpolicies", "team-label")).isTrue();
    assertThat(audit.entries())
        .filteredOn(entry -> entry.userAgent().startsWith("policy-sync/"))
        .isNotEmpty()
        .allSatisfy(entry -> assertThat(entry.user()).endsWith(":kyverno-policy-sync"));
  }

  /// OpenShift gives each namespace a range of uids, and the root group.
  @Test
  void runsAsAnyUserOfTheRootGroup() throws Exception {
    insights.expects(Feeds.clusterPolicy("team-label", "Audit"));

    var run = Agent.ended(image.process(container("-XX:AOTMode=on"), "1000680000:0").start());

    assertThat(run.exitCode()).as(run.all()).isZero();
    assertThat(texts(run, "applied")).containsExactly("team-label");
  }

  @Test
  void takesItsClassesFromTheCacheThatTheBuildMade() throws Exception {
    insights.expects(Feeds.clusterPolicy("team-label", "Audit"));

    var run = run("-XX:AOTMode=on", "-Xlog:class+load");

    assertThat(run.exitCode()).as(run.stderr()).isZero();
    var loaded = run.all().lines().filter(line -> line.contains(" source: ")).toList();
    assertThat(loaded)
        .filteredOn(line -> line.contains(" dev.policysync.plan.Planner "))
        .singleElement()
        .asString()
        .contains("source: shared objects file");
    var fromJars = loaded.stream().filter(line -> line.contains("source: file:")).toList();
    assertThat(fromJars).as("classes that no training run has seen").hasSizeLessThan(30);
  }

  @Test
  void stopsCleanlyOnSigterm() throws Exception {
    try (var silent = RawServer.silent()) {
      use(silent.url());
      var process = image.process(container()).start();
      Awaitility.await("the run to wait for the feed")
          .atMost(TimeLimits.WAIT)
          .until(() -> !silent.requests().isEmpty());

      process.descendants().filter(ImageIT::isTheAgent).forEach(ProcessHandle::destroy);

      var ended = Agent.ended(process);
      assertThat(ended.exitCode()).as(ended.all()).isEqualTo(143);
      assertThat(ended.stdout()).contains("\"msg\":\"Policy sync failed\"");
    }
  }

  @Test
  void reportsAsItsCronJobDoesWithTheRightsOfTheChart() throws Exception {
    container = PodContainer.ofCronJob(object("/apis/batch/v1/%s/cronjobs/kyverno"));
    putInPlace();

    var run = run();

    assertThat(run.exitCode()).as(run.all()).isZero();
    assertThat(insights.reports())
        .singleElement()
        .satisfies(body ->
            assertThat(Documents.json(body).fields())
                .containsKeys("policyReports", "kyvernoVersion"));
    assertThat(run.all()).doesNotContain(FakeInsights.TOKEN);
  }

  /// Nobody here starts Pods but this test: it runs the one that Helm makes, and says how it ended.
  @Test
  void checksInHelmsTestWhetherItCanWork() throws Exception {
    insights.expects(Feeds.clusterPolicy("team-label", "Audit"));
    var kubeconfig = folder.resolve("kubeconfig");

    var test =
        CompletableFuture.supplyAsync(() ->
            Helm.test(RELEASE)
                .withNamespace(NAMESPACE)
                .withKubeConfig(kubeconfig)
                .withTimeout(300)
                .call());
    var path = CHECK.formatted("namespaces/" + NAMESPACE);
    Awaitility.await("Helm to make the Pod of its test")
        .atMost(TimeLimits.WAIT)
        .until(() -> cluster.admin().get(path).status() == 200);
    container = PodContainer.of(object(CHECK).mapping("spec"));
    putInPlace();
    var run = run();
    cluster
        .admin()
        .merge(
            path + "/status",
            Documents.yaml(
                "{status: {phase: " + (run.exitCode() == 0 ? "Succeeded" : "Failed") + "}}"))
        .ok();

    assertThat(test.get(TimeLimits.WAIT.toSeconds(), TimeUnit.SECONDS).getStatus())
        .isEqualTo("deployed");
    assertThat(run.exitCode()).as(run.all()).isZero();
    assertThat(run.stdout()).contains("policy permissions");
    assertThat(exists("clusterpolicies", "team-label")).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "FAIRWINDS_INSIGHTS_HOST, https://elsewhere.example, FAIRWINDS_INSIGHTS_HOST is pinned",
    "FAIRWINDS_CLUSTER, prod-2, FAIRWINDS_CLUSTER is pinned",
    "MAX_REMOVALS, 100%, MAX_REMOVALS is pinned",
    "JAVA_TOOL_OPTIONS, -Dx=y, JAVA_TOOL_OPTIONS changes the options of Java",
    "_JAVA_OPTIONS, -Dx=y, _JAVA_OPTIONS changes the options of Java",
    "JDK_JAVA_OPTIONS, -Dx=y, JDK_JAVA_OPTIONS changes the options of Java",
    "ALLOW_JVM_OPTIONS, true, ALLOW_JVM_OPTIONS is pinned"
  })
  void refusesWhatAJobOnDemandMustNotChange(String variable, String value, String problem)
      throws Exception {
    insights.expects(Feeds.clusterPolicy("team-label", "Audit"));
    environment.put(variable, value);

    var run = run();

    assertThat(run.exitCode()).as(run.all()).isEqualTo(2);
    assertThat(run.summary().items("errors").toString()).contains(problem);
    assertThat(insights.feedRequests()).isZero();
  }

  @Test
  void saysThatItReadsNoKubeconfig() throws Exception {
    insights.expects(Feeds.clusterPolicy("team-label", "Audit"));
    environment.put("KUBECONFIG", "/etc/policy-sync/settings/pinned");

    var run = run();

    assertThat(run.exitCode()).as(run.all()).isEqualTo(2);
    assertThat(run.stdout()).contains("this build of policy-sync supports no kubeconfig");
  }

  @Test
  void runsAsANumberedUserWhoOwnsNothing() throws Exception {
    var asked = container.pod().mapping("securityContext");
    assertThat(image.config().at("/User").textValue()).isEqualTo("65532:65532");
    assertThat(asked.field("runAsUser")).contains(new Value.Numeric("65532"));
    assertThat(asked.field("runAsGroup")).contains(new Value.Numeric("65532"));
    assertThat(image.config().at("/Labels/org.opencontainers.image.licenses").textValue())
        .isEqualTo("Apache-2.0");
    for (var file : image.contents()) {
      assertThat(Files.getPosixFilePermissions(file))
          .as(image.inImage(file))
          .doesNotContain(PosixFilePermission.GROUP_WRITE, PosixFilePermission.OTHERS_WRITE);
      assertThat(Files.getAttribute(file, "unix:uid")).as(image.inImage(file)).isEqualTo(0);
    }
  }

  /// What scanners know packages by; without a package manager there is no other trace of them.
  @Test
  void saysWhatJavaAndWhichPackagesItIsMadeOf() throws Exception {
    var texts = new HashMap<String, String>();
    for (var file : image.contents()) {
      var path = image.inImage(file);
      if (path.matches("/etc/os-release|/var/lib/dpkg/status[.]d/.*|/app/runtime/release")) {
        texts.put(path, Files.readString(file));
      }
    }

    assertThat(texts.get("/etc/os-release")).contains("VERSION_ID=");
    assertThat(texts.get("/var/lib/dpkg/status.d/libc6"))
        .contains("Package: libc6\n")
        .containsPattern("\nVersion: \\d");
    assertThat(texts.get("/app/runtime/release"))
        .contains("JAVA_VERSION=\"25", "IMPLEMENTOR=")
        .contains("MODULES=\"java.base ")
        .doesNotContain("java.desktop");
  }

  @Test
  void hasNoProgramBesideJava() throws Exception {
    var programs = new ArrayList<String>();
    for (var file : image.contents()) {
      var path = image.inImage(file);
      if (Files.isExecutable(file) && !path.contains(".so")) {
        programs.add(path);
      }
    }

    assertThat(programs).containsExactly("/app/runtime/bin/java");
  }

  @Test
  void theImageIsSmall() throws Exception {
    var unpacked = 0L;
    for (var file : image.contents()) {
      unpacked += Files.size(file);
    }

    assertThat(unpacked).isLessThan(112 * MEGABYTE);
    assertThat(Files.size(Image.ARCHIVE)).isLessThan(60 * MEGABYTE);
  }

  /// Installs the chart for an API at that address, as Helm does.
  private void use(String api) throws IOException {
    createNamespace(NAMESPACE);
    var kubeconfig = KubeconfigFile.ofAdmin(cluster).write(folder.resolve("kubeconfig"));
    Helm.uninstall(RELEASE)
        .ignoreNotFound()
        .withNamespace(NAMESPACE)
        .withKubeConfig(kubeconfig)
        .call();
    // What other tests left of the same names, Helm would not take over.
    Manifests.of(Chart.rendered("minimal", NAMESPACE)).delete(cluster.admin(), NAMESPACE);
    var installed =
        new Helm(Chart.FOLDER)
            .install()
            .withName(RELEASE)
            .withNamespace(NAMESPACE)
            .withKubeConfig(kubeconfig)
            .set("insights.host", api)
            .set("insights.organization", "acme")
            .set("insights.cluster", "prod-1")
            .set("report.enabled", "true")
            .set("startJitter", "0s")
            .call();
    assertThat(installed.getStatus()).isEqualTo("deployed");
    container = PodContainer.ofCronJob(object("/apis/batch/v1/%s/cronjobs/kyverno-policy-sync"));
    putInPlace();
  }

  /// Gives the container what a kubelet would.
  private void putInPlace() throws IOException {
    var pinned =
        object("/api/v1/%s/configmaps/kyverno-policy-sync")
            .mapping("data")
            .text("pinned")
            .orElseThrow();
    environment.clear();
    environment.putAll(container.environment("kyverno-policy-sync-29000000-abcde"));
    environment.put("KUBERNETES_SERVICE_HOST", cluster.url().host());
    environment.put("KUBERNETES_SERVICE_PORT", Integer.toString(cluster.url().port()));
    mounts.clear();
    mounts.putAll(
        container.mounts(
            folder.resolve("volumes"),
            Map.of(
                "kyverno-policy-sync", Map.of("pinned", pinned),
                "insights-token", Map.of("token", FakeInsights.TOKEN))));
    mounts.put(
        "/var/run/secrets/kubernetes.io/serviceaccount",
        PodContainer.readable(
            folder.resolve("serviceaccount"),
            Map.of(
                "ca.crt", Files.readString(cluster.certificateAuthority()),
                "namespace", NAMESPACE,
                "token", cluster.serviceAccountToken(NAMESPACE, "kyverno-policy-sync"))));
  }

  /// @param path with a place for `namespaces/insights-agent`
  private Value.Mapping object(String path) {
    return cluster.admin().get(path.formatted("namespaces/" + NAMESPACE)).ok();
  }

  private Agent.Run run(String... javaOptions) throws IOException {
    return Agent.ended(image.process(container(javaOptions)).start());
  }

  private Image.Container container(String... javaOptions) {
    return new Image.Container(List.of(javaOptions), container.arguments(), environment, mounts);
  }

  /// Whether it is the container's own process, none that started it.
  private static boolean isTheAgent(ProcessHandle process) {
    return process.info().command().orElse("").endsWith("/app/runtime/bin/java");
  }
}

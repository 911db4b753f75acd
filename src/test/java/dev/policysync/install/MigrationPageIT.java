package dev.policysync.install;

import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.base.Value;
import dev.policysync.endtoend.EndToEnd;
import dev.policysync.harness.Agent;
import dev.policysync.harness.Feeds;
import dev.policysync.testcluster.AgentTraces;
import dev.policysync.testcluster.Documents;
import dev.policysync.testcluster.KubeconfigFile;
import dev.policysync.testcluster.Kubectl;
import dev.policysync.testcluster.Preparation;
import dev.policysync.testcluster.TimeLimits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// docs/migration.md, walked from what the Go agent's chart leaves in a cluster, there and back:
/// every command of the page as it stands, by bash, with helm, kubectl, yq, jq and this program.
/// Only the chart is from a folder instead of the registry, and, as no kubelet runs here, the test
/// runs what a Job would. The Go agent's part is played by a chart with its documented values and
/// by `kubectl apply`, which is how it writes.
class MigrationPageIT extends EndToEnd {
  private static final String NAMESPACE = "insights-agent";
  private static final String CRON_JOBS = "/apis/batch/v1/namespaces/" + NAMESPACE + "/cronjobs/";
  private static final Path PAGE = Path.of("docs", "migration.md");
  private static final Path RESOURCES = Path.of("src", "test", "resources", "install");
  private static final Path OLD_CHART = RESOURCES.resolve("go-agent-chart").toAbsolutePath();
  private static final Pattern COMMANDS = Pattern.compile("(?ms)^ *```sh\n(.*?)^ *```$");
  private static final Pattern TEMPLATE = Pattern.compile("(?ms)^```yaml\n(.*?)^```$");

  private static final String POLICY =
      Feeds.clusterPolicy("team-label", "Audit")
          .replace(
              "annotations:\n",
              "annotations:\n    insights.fairwinds.com/owned-by: Fairwinds Insights\n");

  private Path laptop;
  private Path oldValues = Path.of("none");
  private Map<String, Value> before = Map.of();

  @BeforeEach
  void haveALaptop() throws Exception {
    createNamespace(NAMESPACE);
    laptop = Files.createDirectory(folder.resolve("laptop"));
    var programs = Files.createDirectory(folder.resolve("programs"));
    KubeconfigFile.ofAdmin(cluster).write(laptop.resolve("kubeconfig"));
    var kubectl = Kubectl.of(cluster, folder.resolve("kubectl")).process();
    var helm = Preparation.printed("build", "helm").resolve("bin/helm");
    program(
        programs.resolve("helm"),
        """
        for word; do
          shift
          case $word in
            oci://*) set -- "$@" %s ;;
            --version=*) ;;
            *) set -- "$@" "$word" ;;
          esac
        done
        exec %s "$@"
        """
            .formatted(Chart.FOLDER.toAbsolutePath(), helm));
    program(
        programs.resolve("kubectl"),
        """
        if [ "$1" = logs ]; then
          echo "$2" > last-job
          exit
        fi
        exec %s "$@"
        """
            .formatted(Path.of(kubectl.command().getFirst()).toAbsolutePath()));
    program(programs.resolve("yq"), "exec go run " + MigrateValuesIT.YQ + " \"$@\"\n");
    Files.copy(Path.of("examples", "migrate-values.yq"), laptop.resolve("migrate-values.yq"));
    leaveNothingInstalled();
    new AgentTraces(cluster.admin()).removeAll();
    // What other tests left of the same names.
    Manifests.of(Chart.rendered("minimal", NAMESPACE)).delete(cluster.admin(), NAMESPACE);
  }

  private static void program(Path file, String script) throws IOException {
    Files.writeString(file, "#!/bin/bash\n" + script);
    assertThat(file.toFile().setExecutable(true)).isTrue();
  }

  @AfterEach
  void leaveNothingInstalled() throws Exception {
    for (var release : List.of("kyverno-policy-sync", "insights-agent", "agents")) {
      typed("helm uninstall " + release + " --ignore-not-found --namespace=" + NAMESPACE);
    }
    typed("kubectl delete jobs,cronjobs,leases --all --namespace=" + NAMESPACE);
    typed("kubectl delete secret insights-token --ignore-not-found --namespace=" + NAMESPACE);
  }

  @Test
  void leadsThereAndBackBehindAProxyWithAnAuthorityOfItsOwn() throws Exception {
    var left = POLICY.replace("team-label", "left-over");
    begin("proxy-and-ca");
    goAgentApplies(POLICY, left);
    before = specs();
    insights.expects(Feeds.of(POLICY));

    assertThat(page("Before", 0)).contains("ClusterPolicy/team-label", "ClusterPolicy/left-over");
    page("Before", 1);
    assertThat(laptop.resolve("backup.yaml")).content().contains("name: team-label");
    assertThat(page("Before", 2)).contains("ClusterPolicy/left-over");
    page("Before", 3);
    assertThat(values().mapping("insights").text("token")).contains("not-a-real-token");
    assertThat(values().fields()).doesNotContainKey("notConverted");
    page("Before", 5);
    assertThat(secret("insights-token")).isEqualTo(secret("insights-agent-token"));
    assertThat(values().mapping("insights").fields()).doesNotContainKey("token");

    assertThat(page("Cut over the sync", 0)).contains("patched");
    upgradeOldChart("kyverno-policy-sync.enabled=false");
    page("Cut over the sync", 1);
    var preview = runLastJob();
    assertThat(preview.exitCode()).as(preview.all()).isZero();
    assertThat(preview.summary().items("changes").toString()).contains("adopted");
    assertThat(preview.summary().texts("removed")).containsExactly("left-over");
    assertThat(insights.statuses()).isEmpty();
    assertThat(specs()).isEqualTo(before);
    assertThat(settings("pinned"))
        .contains(
            "FAIRWINDS_INSIGHTS_HOST=https://insights.example",
            "HTTPS_PROXY=http://proxy.example:3128",
            "NO_PROXY=10.0.0.0/8",
            "SSL_CERT_FILE=/etc/policy-sync/ca/ca.crt",
            "DRY_RUN=true");

    page("Cut over the sync", 2);
    var sync = cronJob("kyverno-policy-sync");
    assertThat(settings("pinned")).doesNotContain("DRY_RUN=true");
    assertThat(sync.mapping("spec").text("schedule")).contains("0/10 * * * *");
    assertThat(pod(sync).toString()).contains("company-ca", "roots.pem", "insights-token");
    assertThat(container(sync).mapping("resources"))
        .isEqualTo(Documents.yaml("{limits: {memory: 768Mi}, requests: {cpu: 50m}}"));
    assertThat(podMetadata(sync).mapping("labels").text("cost")).contains("sync");
    assertThat(podMetadata(sync).mapping("annotations").text("team")).contains("platform");
    assertThat(variable(sync, "TIMEOUT")).isEqualTo("900s");
    var first = runAs(sync, "sync");
    assertThat(first.exitCode()).as(first.all()).isZero();
    assertThat(first.summary().texts("updated")).containsExactly("team-label");
    assertThat(first.summary().texts("removed")).containsExactly("left-over");
    before.remove("left-over");
    assertThat(specs()).isEqualTo(before);
    assertThat(insights.statuses()).hasSize(2);
    var second = runAs(sync, "sync");
    assertThat(second.summary().field("unchanged")).contains(Value.Numeric.of(1));
    assertThat(insights.statuses()).hasSize(2);
    aJobSucceeds();
    assertThat(page("Cut over the sync", 3)).contains("team-label");

    assertThat(Documents.json(page("Cut over the report", 0)).fields()).containsKey("findings");
    upgradeOldChart("kyverno-policy-sync.enabled=false,kyverno.enabled=false");
    page("Cut over the report", 1);
    var report = cronJob("kyverno");
    assertThat(report.mapping("spec").text("schedule")).contains("23 * * * *");
    assertThat(variable(report, "TIMEOUT")).isEqualTo("300s");
    assertThat(podMetadata(report).mapping("labels").fields()).doesNotContainKey("cost");
    assertThat(podMetadata(report).mapping("annotations").text("team")).contains("platform");
    var sent = runAs(report, "report");
    assertThat(sent.exitCode()).as(sent.all()).isZero();
    assertThat(insights.reports()).hasSize(1);

    goBack();
    assertThat(specs()).isEqualTo(before);
    goAgentApplies(POLICY);
    assertThat(specs()).isEqualTo(before);
  }

  @Test
  void leadsThereAndBackWithASecretARegistryAndADryRun() throws Exception {
    begin("existing-secret");
    goAgentApplies(POLICY);
    before = specs();
    insights.expects(Feeds.of(POLICY));

    page("Before", 3);
    assertThat(values().mapping("notConverted"))
        .isEqualTo(
            Documents.yaml(
                "{kyverno-policy-sync: {image: {repository: registry.example/fairwinds/policy-sync}}}"));
    assertThat(values().mapping("insights").mapping("tokenSecret").text("name"))
        .contains("our-token");
    page("Before", 4);

    page("Cut over the sync", 0);
    upgradeOldChart("kyverno-policy-sync.enabled=false");
    page("Cut over the sync", 1);
    assertThat(runLastJob().exitCode()).isZero();
    page("Cut over the sync", 2);
    var sync = cronJob("kyverno-policy-sync");
    assertThat(settings("pinned")).contains("DRY_RUN=true");
    assertThat(pod(sync).toString()).contains("our-token");
    assertThat(pod(sync).items("imagePullSecrets")).hasSize(1);
    assertThat(pod(sync).mapping("nodeSelector").text("pool")).contains("system");
    assertThat(podMetadata(sync).mapping("labels").text("azure.workload.identity/use"))
        .contains("true");
    assertThat(podMetadata(sync).mapping("annotations").text("linkerd.io/inject"))
        .contains("disabled");
    assertThat(variable(sync, "LOG_LEVEL")).isEqualTo("debug");
    assertThat(runAs(sync, "sync").exitCode()).isZero();
    assertThat(insights.statuses()).isEmpty();
    assertThat(specs()).isEqualTo(before);

    upgradeOldChart("kyverno-policy-sync.enabled=false,kyverno.enabled=false");
    page("Cut over the report", 1);
    var report = cronJob("kyverno");
    assertThat(settings("report")).doesNotContain("DRY_RUN=true");
    assertThat(podMetadata(report).mapping("labels").fields())
        .doesNotContainKey("azure.workload.identity/use");
    assertThat(runAs(report, "report").exitCode()).isZero();
    assertThat(insights.reports()).hasSize(1);

    goBack();
    assertThat(specs()).isEqualTo(before);
  }

  @Test
  void leadsThereAndBackWithTheReportAlone() throws Exception {
    begin("report-alone");
    goAgentApplies(POLICY);
    before = specs();
    insights.expects(Feeds.of(POLICY.replace("team-label", "another")));

    page("Before", 3);
    assertThat(values().fields()).doesNotContainKey("notConverted");
    page("Cut over the report", 0);
    upgradeOldChart("kyverno.enabled=false");
    page("Cut over the report", 1);

    assertThat(cluster.admin().get(CRON_JOBS + "kyverno-policy-sync").status()).isEqualTo(404);
    var report = cronJob("kyverno");
    assertThat(container(report).mapping("resources"))
        .isEqualTo(Documents.yaml("{limits: {memory: 512Mi}}"));
    assertThat(runAs(report, "report").exitCode()).isZero();
    assertThat(insights.reports()).hasSize(1);
    assertThat(insights.feedRequests()).isZero();
    assertThat(specs()).isEqualTo(before);

    typed(block("Rollback", 0));
    upgradeOldChart("kyverno.enabled=true");
    assertThat(cronJob("kyverno").mapping("metadata").mapping("labels").text("app"))
        .contains("insights-agent");
    assertThat(specs()).isEqualTo(before);
  }

  /// Helm installs the one of two objects of one name that it applies last, without a word.
  @Test
  void noticesBothAgentsInOneRelease() throws Exception {
    var parent = Files.createDirectory(folder.resolve("agents"));
    Files.writeString(
        parent.resolve("Chart.yaml"), "{apiVersion: v2, name: agents, version: 1.0.0}");
    Chart.copyTo(parent.resolve("charts").resolve("kyverno-policy-sync"));
    typed("cp -r " + OLD_CHART + " " + parent.resolve("charts").resolve("insights-agent"));
    var both =
        Files.writeString(
            parent.resolve("values.yaml"),
            """
            insights-agent:
              insights: {organization: acme, cluster: prod-1, base64token: YQ==}
              kyverno-policy-sync: {enabled: true}
            kyverno-policy-sync:
              insights: {organization: acme, cluster: prod-1}
            """);
    insights.expects(Feeds.of(POLICY));
    var release = "agents " + parent + " --namespace=" + NAMESPACE;
    var upgrade = "helm upgrade " + release + " --reset-values";
    typed("helm install " + release + " --set kyverno-policy-sync.enabled=false");
    assertThat(refused("policy-sync status"))
        .contains("The Go agent runs, not this one: CronJob insights-agent/kyverno-policy-sync");
    typed(block("Cut over the sync", 0));

    typed(upgrade);
    assertThat(cronJob("kyverno-policy-sync").mapping("metadata").mapping("labels").text("app"))
        .contains("kyverno-policy-sync");

    var template = TEMPLATE.matcher(Files.readString(PAGE));
    assertThat(template.find()).isTrue();
    Files.writeString(
        Files.createDirectory(parent.resolve("templates")).resolve("one-agent.yaml"),
        template.group(1));
    assertThat(refused(upgrade)).contains("two agents that sync policies");
    Files.writeString(both, Files.readString(both).replace("enabled: true", "enabled: false"));
    typed(upgrade);
    assertThat(cronJob("kyverno-policy-sync").mapping("spec").field("suspend"))
        .contains(new Value.Bool(true));
    page("In one chart with others", 0);
    typed(upgrade);
    assertThat(cronJob("kyverno-policy-sync").mapping("spec").field("suspend"))
        .contains(new Value.Bool(false));
  }

  private void begin(String shape) throws Exception {
    oldValues = RESOURCES.resolve("migration").resolve(shape + ".values.yaml").toAbsolutePath();
    typed(
        "helm install insights-agent %s --namespace=%s --values=%s"
            .formatted(OLD_CHART, NAMESPACE, oldValues));
  }

  private void upgradeOldChart(String set) throws Exception {
    typed(
        "helm upgrade insights-agent %s --namespace=%s --values=%s --set %s"
            .formatted(OLD_CHART, NAMESPACE, oldValues, set));
  }

  private void goAgentApplies(String... policies) throws Exception {
    Files.writeString(laptop.resolve("policies.yaml"), String.join("---\n", policies));
    typed("kubectl apply --filename=policies.yaml");
  }

  private void goBack() throws Exception {
    typed(block("Rollback", 0));
    typed(
        "helm upgrade insights-agent %s --namespace=%s --values=%s"
            .formatted(OLD_CHART, NAMESPACE, oldValues));
    for (var name : List.of("kyverno-policy-sync", "kyverno")) {
      assertThat(cronJob(name).mapping("metadata").mapping("labels").text("app"))
          .contains("insights-agent");
    }
  }

  /// The policies' uids, generations and specs, by name.
  private Map<String, Value> specs() {
    return cluster
        .admin()
        .get("/apis/kyverno.io/v1/clusterpolicies")
        .body()
        .mappings("items")
        .stream()
        .collect(
            Collectors.toMap(
                policy -> policy.mapping("metadata").text("name").orElseThrow(),
                policy ->
                    Value.Mapping.EMPTY
                        .with("uid", policy.mapping("metadata").text("uid").orElseThrow())
                        .with("spec", policy.mapping("spec")),
                (one, _) -> one,
                TreeMap::new));
  }

  private Value.Mapping values() throws IOException {
    return Documents.yaml(Files.readString(laptop.resolve("values.yaml")));
  }

  private Value.Mapping cronJob(String name) {
    return cluster.admin().get(CRON_JOBS + name).ok();
  }

  private static Value.Mapping template(Value.Mapping cronJob) {
    return cronJob.mapping("spec").mapping("jobTemplate").mapping("spec").mapping("template");
  }

  private static Value.Mapping pod(Value.Mapping cronJob) {
    return template(cronJob).mapping("spec");
  }

  private static Value.Mapping podMetadata(Value.Mapping cronJob) {
    return template(cronJob).mapping("metadata");
  }

  private static Value.Mapping container(Value.Mapping cronJob) {
    return pod(cronJob).mappings("containers").getFirst();
  }

  private static String variable(Value.Mapping cronJob, String name) {
    return variables(container(cronJob)).getOrDefault(name, "");
  }

  private static Map<String, String> variables(Value.Mapping container) {
    var variables = new TreeMap<String, String>();
    for (var entry : container.mappings("env")) {
      entry.text("value").ifPresent(value -> variables.put(entry.text("name").orElse(""), value));
    }
    return variables;
  }

  private List<String> settings(String key) {
    var path = "/api/v1/namespaces/" + NAMESPACE + "/configmaps/kyverno-policy-sync";
    return cluster.admin().get(path).ok().mapping("data").text(key).orElseThrow().lines().toList();
  }

  private String secret(String name) {
    var path = "/api/v1/namespaces/" + NAMESPACE + "/secrets/" + name;
    return cluster.admin().get(path).ok().mapping("data").text("token").orElseThrow();
  }

  /// As the controller of CronJobs notes it.
  private void aJobSucceeds() {
    var now = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
    var status = Value.Mapping.EMPTY.with("lastScheduleTime", now).with("lastSuccessfulTime", now);
    cluster
        .admin()
        .merge(CRON_JOBS + "kyverno-policy-sync/status", Value.Mapping.EMPTY.with("status", status))
        .ok();
  }

  /// Runs what the page's last Job would run.
  private Agent.Run runLastJob() throws IOException {
    var job = Files.readString(laptop.resolve("last-job")).strip().replace("job/", "");
    var path = "/apis/batch/v1/namespaces/" + NAMESPACE + "/jobs/" + job;
    var container =
        cluster
            .admin()
            .get(path)
            .ok()
            .mapping("spec")
            .mapping("template")
            .mapping("spec")
            .mappings("containers")
            .getFirst();
    return runAs(container, "sync", "pinned");
  }

  private Agent.Run runAs(Value.Mapping cronJob, String command) throws IOException {
    var mounted = pod(cronJob).mappings("volumes").getFirst().mapping("configMap");
    var key = mounted.mappings("items").stream().findFirst().flatMap(item -> item.text("key"));
    return runAs(container(cronJob), command, key.orElse("pinned"));
  }

  /// Runs the agent with a container's variables, arguments and mounted settings. Host, token,
  /// proxy and certificate authority are those of the test's API, and no start is delayed.
  private Agent.Run runAs(Value.Mapping container, String command, String key) throws IOException {
    assertThat(container.texts("args")).containsExactly(command);
    var pinned =
        settings(key).stream()
            .filter(line ->
                !line.matches(
                    "(FAIRWINDS_INSIGHTS_HOST|FAIRWINDS_TOKEN_FILE|ALLOW_HTTP|LINT|HTTPS_PROXY|NO_PROXY|SSL_CERT_FILE)=.*"))
            .collect(Collectors.joining("\n", "", "\n"));
    var file = Files.writeString(folder.resolve("pinned"), pinned);
    var pod = new Agent(cluster, insights.environment(), Files.createTempDirectory(folder, "job"));
    variables(container).forEach(pod::with);
    return pod.as(cluster.serviceAccountToken(NAMESPACE, "kyverno-policy-sync"))
        .with("POD_NAME", "a-pod")
        .with("START_JITTER", "0")
        .withProperty("policysync.pinned", file.toString())
        .run(command);
  }

  /// Types a block of commands of the page.
  private String page(String heading, int number) throws Exception {
    return typed(block(heading, number));
  }

  private static String block(String heading, int number) throws IOException {
    var text = Files.readString(PAGE);
    var begin = text.indexOf("\n## " + heading + "\n");
    assertThat(begin).as(heading).isPositive();
    var end = text.indexOf("\n## ", begin + 1);
    return COMMANDS
        .matcher(text.substring(begin, end < 0 ? text.length() : end))
        .results()
        .skip(number)
        .findFirst()
        .map(found -> found.group(1).replaceAll("(?m)^   ", ""))
        .orElseThrow(() -> new AssertionError(heading + " has no block " + number));
  }

  private String typed(String script) throws Exception {
    var said = new StringBuilder();
    assertThat(status(script, said)).as(script + "\n" + said).isZero();
    return said.toString();
  }

  private String refused(String script) throws Exception {
    var said = new StringBuilder();
    assertThat(status(script, said)).as(script + "\n" + said).isNotZero();
    return said.toString();
  }

  /// Runs it in a shell, as who reads the page does.
  private int status(String script, StringBuilder said) throws Exception {
    var output = folder.resolve("said.txt");
    var builder = new ProcessBuilder("bash", "-euo", "pipefail", "-c", script);
    var go = System.getenv("PATH");
    builder.environment().clear();
    builder.environment().putAll(insights.environment());
    builder.environment().put("HOME", System.getProperty("user.home"));
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder.environment().put("KUBECONFIG", laptop.resolve("kubeconfig").toString());
    builder
        .environment()
        .put(
            "PATH",
            folder.resolve("programs")
                + ":"
                + Path.of("target", "dist", "bin").toAbsolutePath()
                + ":"
                + go);
    var process =
        builder
            .directory(laptop.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    process.getOutputStream().close();
    assertThat(process.waitFor(TimeLimits.WAIT)).as(script).isTrue();
    said.append(Files.readString(output));
    return process.exitValue();
  }
}

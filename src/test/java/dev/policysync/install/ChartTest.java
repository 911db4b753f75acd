package dev.policysync.install;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.marcnuri.helm.Helm;
import com.marcnuri.helm.TemplateCommand;
import dev.policysync.base.Value;
import dev.policysync.policy.PolicyKind;
import dev.policysync.testcluster.Documents;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What the chart promises whatever the values, and which values it refuses.
class ChartTest {
  /// Values that are whatever Kubernetes makes of them.
  private static final Set<String> FREE =
      Set.of(
          "global",
          "global.nodeSelector",
          "global.affinity",
          "source.volume",
          "podSecurityContext",
          "securityContext",
          "affinity",
          "podSpec",
          "dnsConfig");

  @Test
  void passesTheStrictestLint() {
    var lint = new Helm(Chart.FOLDER).lint().strict().call();

    assertThat(lint.isFailed()).as(lint.getMessages().toString()).isFalse();
    assertThat(lint.getMessages()).noneMatch(message -> message.contains("[WARNING]"));
  }

  @Test
  void allowsWhatThePlainManifestsAllow() {
    var rendered = Manifests.of(Chart.rendered("minimal", "insights-agent"));

    for (var kind :
        List.of("ServiceAccount", "ClusterRole", "ClusterRoleBinding", "Role", "RoleBinding")) {
      assertThat(withoutLabels(rendered.only(kind)))
          .isEqualTo(withoutLabels(Manifests.rbac().only(kind)));
    }
  }

  @Test
  void takesAwayWhatMayRemove() {
    var role = Manifests.of(Chart.rendered("no-removals", "insights-agent")).only("ClusterRole");

    var allowed = Permission.in(role);

    assertThat(allowed).noneMatch(permission -> permission.verb().equals("delete"));
    assertThat(allowed)
        .filteredOn(permission -> permission.resource().matches(".*(cleanup|deleting).*"))
        .extracting(Permission::verb)
        .containsOnly("list", "get");
    assertThat(allowed)
        .contains(
            new Permission("patch", "clusterpolicies", "kyverno.io", ""),
            new Permission("create", "validatingpolicies", "policies.kyverno.io", ""));
  }

  @Test
  void writesOnlyWhatNeitherChangesNorDeletesWithTheProfileValidating() {
    var harmless =
        Set.of(
            PolicyKind.Type.VALIDATING,
            PolicyKind.Type.IMAGE_VALIDATING,
            PolicyKind.Type.VALIDATING_BINDING,
            PolicyKind.Type.RULE_EXCEPTION,
            PolicyKind.Type.CEL_POLICY_EXCEPTION,
            PolicyKind.Type.CONTEXT_ENTRY);
    var rendered = Manifests.of(Chart.rendered("validating", "insights-agent"));
    var allowed = Permission.in(rendered.only("ClusterRole"));
    var pinned = rendered.only("ConfigMap").mapping("data").text("pinned").orElseThrow();
    var excluded =
        Set.of(
            pinned
                .lines()
                .filter(line -> line.startsWith("EXCLUDE_KINDS="))
                .findFirst()
                .orElseThrow()
                .substring("EXCLUDE_KINDS=".length())
                .split(","));

    for (var kind : PolicyKind.all()) {
      var written = harmless.contains(kind.type());
      for (var verb : Permission.VERBS) {
        // The report lists every kind, for titles.
        assertThat(allowed.contains(Permission.of(verb, kind)))
            .as(verb + " " + kind)
            .isEqualTo(written || verb.equals("list"));
      }
      assertThat(excluded.contains(kind.label()) || excluded.contains(kind.qualified()))
          .as(kind.label())
          .isEqualTo(!written);
    }
  }

  @Test
  void givesNoRightsOnExcludedKinds() {
    var role = Manifests.of(Chart.with("excludeKinds[0]", "ClusterPolicy")).only("ClusterRole");

    assertThat(Permission.in(role))
        .noneMatch(permission -> permission.resource().equals("clusterpolicies"))
        .contains(Permission.of("patch", PolicyKind.NAMESPACED_POLICY));
  }

  @Test
  void reportsAtAMinuteThatIsTheClustersOwn() {
    assertThat(Set.of("prod-1", "prod-2", "prod-3", "staging"))
        .extracting(ChartTest::reportSchedule)
        .allMatch(schedule -> schedule.matches("[1-5]?[0-9] \\* \\* \\* \\*"))
        .doesNotHaveDuplicates();
    assertThat(reportSchedule("prod-1")).isEqualTo(reportSchedule("prod-1"));
  }

  @Test
  void letsNoPodSpeakBesideTheNetworkPolicy() {
    var rendered = Manifests.of(Chart.rendered("report-every-setting", "insights-agent"));
    var selected =
        rendered
            .only("NetworkPolicy")
            .mapping("spec")
            .mapping("podSelector")
            .mapping("matchLabels");

    assertThat(rendered.all("CronJob"))
        .hasSize(2)
        .allSatisfy(cronJob ->
            assertThat(
                    cronJob
                        .mapping("spec")
                        .mapping("jobTemplate")
                        .mapping("spec")
                        .mapping("template")
                        .mapping("metadata")
                        .mapping("labels")
                        .fields())
                .containsAllEntriesOf(selected.fields()));
  }

  private static String reportSchedule(String cluster) {
    var rendered =
        Chart.template(
            Chart.FOLDER,
            "insights-agent",
            command ->
                command
                    .set("insights.organization", "acme")
                    .set("insights.cluster", cluster)
                    .set("report.enabled", "true"));
    return Manifests.of(rendered).all("CronJob").stream()
        .filter(job -> job.mapping("metadata").text("name").orElse("").equals("kyverno"))
        .findFirst()
        .orElseThrow()
        .mapping("spec")
        .text("schedule")
        .orElseThrow();
  }

  @Test
  void mayBePartOfAnotherChart(@TempDir Path parent) throws IOException {
    Files.writeString(
        parent.resolve("Chart.yaml"), "{apiVersion: v2, name: agents, version: 1.0.0}");
    Chart.copyTo(parent.resolve("charts").resolve("kyverno-policy-sync"));
    var values =
        Files.writeString(
            parent.resolve("own.yaml"),
            """
            global: {region: eu}
            kyverno-policy-sync:
              dryRun: true
              insights: {organization: acme, cluster: prod-1}
            """);

    var rendered =
        Manifests.of(Chart.template(parent, "agents", command -> command.withValuesFile(values)));

    assertThat(rendered.only("CronJob").mapping("metadata").text("name"))
        .contains("kyverno-policy-sync");
    assertThat(rendered.only("ConfigMap").mapping("data").text("pinned").orElseThrow())
        .contains("DRY_RUN=true");
  }

  /// Flux appends the digest of what it pulled.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "0.1.0+1a2b3c4d5e6f",
        "0.1.0-a.prerelease.whose.name.is.too.long+1a2b3c4d5e6f",
        "0.1.0-a.prerelease.whose.name.is.longer.than.is.good"
      })
  void hasValidLabelsWhateverItsVersion(String version, @TempDir Path folder) throws IOException {
    var chart = Chart.copyTo(folder.resolve("chart"));
    var file = chart.resolve("Chart.yaml");
    Files.writeString(
        file, Files.readString(file).replaceAll("(?m)^version: .*$", "version: " + version));

    var rendered = Chart.template(chart, "insights-agent", Chart::withWhatIsRequired);

    assertThat(Manifests.of(rendered).objects())
        .isNotEmpty()
        .allSatisfy(object ->
            assertThat(object.mapping("metadata").mapping("labels").text("helm.sh/chart"))
                .hasValueSatisfying(label ->
                    assertThat(label)
                        .startsWith("kyverno-policy-sync-0.1.0")
                        .matches("[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"dryrun", "DryRun", "dry_run", "dry-run", "DRY_RUN", "Dryrun"})
  void saysHowADryRunIsSpelt(String misspelt) {
    assertThatThrownBy(() -> Chart.with(misspelt, "true"))
        .hasMessageContaining("at '/" + misspelt + "': ")
        .hasMessageContaining("a dry run is asked for by dryRun, spelt like that");
  }

  @Test
  void saysThatADryRunIsNotBelowConfig() {
    assertThatThrownBy(() -> Chart.with("config.dryRun", "true"))
        .hasMessageContaining("at '/config': ")
        .hasMessageContaining("there is no config here: dryRun, logLevel and the others stand");
  }

  @ParameterizedTest
  @CsvSource({
    "dryRn, dryRun",
    "maxRemoval, maxRemovals",
    "insights.organisation, organization",
    "insights.tokenSecret.nme, name",
    "rbac.removal, removals",
    "resources.limit, limits",
    "image.sha, digest",
    "imagePullSecrets[0].secret, name"
  })
  void namesTheNamesThatThereAre(String name, String right) {
    var place = "/" + name.replaceAll("\\[(\\d)]", ".$1").replace('.', '/');

    assertThatThrownBy(() -> Chart.with(name, "true"))
        .hasMessageContaining(
            "at '" + place + "': value must be 'no value has this name; here are ")
        .hasMessageMatching("(?s).*here are [^']*\\b" + right + "\\b.*")
        .hasMessageNotContaining("at ''");
  }

  @ParameterizedTest
  @CsvSource({
    "dryRun, yes please, /dryRun",
    "logLevel, loud, /logLevel",
    "lint, hard, /lint",
    "enforceGuard, please, /enforceGuard",
    "enforceGuardThreshold, 0, /enforceGuardThreshold",
    "convert, always, /convert",
    "approvedFeed, sha256:ab, /approvedFeed",
    "adopt, sometimes, /adopt",
    "maxRemovals, a few, /maxRemovals",
    "maxRemovals, 120%, /maxRemovals",
    "approvedFeed, empty@2026-13-01T00:00Z, /approvedFeed",
    "approvedFeed, empty@2026-12-01T24:00Z, /approvedFeed",
    "excludeKinds[0], Foo, /excludeKinds/0",
    "report.titles, some, /report/titles",
    "concurrency, 33, /concurrency",
    "timeout, 4 minutes, /timeout",
    "timeout, 1.5m, /timeout",
    "insights.host, insights.fairwinds.com, /insights/host",
    "image.digest, sha256:12, /image/digest",
    "concurrencyPolicy, Allow, /concurrencyPolicy"
  })
  void refusesAValueThatTheAgentWouldRefuse(String name, String value, String place) {
    assertThatThrownBy(() -> Chart.with(name, value)).hasMessageContaining("at '" + place + "'");
  }

  @Test
  void excludesTheKindsThatTheAgentKnows() throws IOException {
    var schema = Documents.json(Files.readString(Chart.FOLDER.resolve("values.schema.json")));
    var names =
        schema.mapping("properties").mapping("excludeKinds").mapping("items").items("enum").stream()
            .map(name -> ((Value.Text) name).text())
            .toList();

    assertThat(names)
        .containsExactlyInAnyOrderElementsOf(
            PolicyKind.all().stream()
                .flatMap(kind -> Stream.of(kind.label(), kind.qualified()))
                .distinct()
                .toList());
  }

  /// A CronJob that was suspended with `kubectl patch` stays so in an upgrade, with server-side
  /// apply as well.
  @Test
  void leavesTheSuspensionToOthersUnlessItSuspends() {
    assertThat(
            Manifests.of(Chart.with("suspend", "false")).only("CronJob").mapping("spec").fields())
        .doesNotContainKey("suspend");
    assertThat(Manifests.of(Chart.with("suspend", "true")).only("CronJob").mapping("spec").fields())
        .containsEntry("suspend", new Value.Bool(true));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "schedule|hello|schedule is \"hello\", which is not a cron expression",
        "schedule|61 * * * *|schedule is \"61 * * * *\", which is not a cron",
        "schedule|* 24 * * *|is not a cron expression",
        "schedule|* * 0 * *|is not a cron expression",
        "schedule|* * * 13 *|is not a cron expression",
        "schedule|* * * * 7|is not a cron expression",
        "schedule|*/0 * * * *|is not a cron expression",
        "schedule|* * * *|is not a cron expression",
        "report.schedule|hello|report.schedule is \"hello\"",
        "lockWait|2h|lockWait is 2h; it is at most 1h",
        "convertRehearsal|200h|convertRehearsal is 200h; it is at most 168h",
        "insights.host|http://insights.example|insights.host is http://insights.example, which sends",
        "image.repository|registry.example:5000/a:1.2|image.repository is registry.example:5000/a:1.2, with a tag",
        "image.repository|a@sha256:12|with a tag or digest",
      })
  void refusesWhatRendersAndNeverWorks(String name, String value, String message) {
    assertThatThrownBy(() -> Chart.with(name, value)).hasMessageContaining(message);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0/30 * * * *",
        "1,31 0-6/2 1-7 JAN-mar mon-FRI",
        "? ? ? ? ?",
        "@hourly",
        "59 23 31 12 6"
      })
  void acceptsTheSchedulesOfKubernetes(String schedule) {
    assertThat(Manifests.of(Chart.with("schedule", schedule)).all("CronJob")).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"http://localhost:8080", "http://127.0.0.1", "http://[::1]:1"})
  void acceptsPlainHttpWhereTheAgentDoes(String host) {
    assertThat(Chart.with("insights.host", host)).contains("FAIRWINDS_INSIGHTS_HOST=" + host);
  }

  @Test
  void acceptsARegistryWithAPort() {
    assertThat(Chart.with("image.repository", "registry.example:5000/policy-sync"))
        .contains("registry.example:5000/policy-sync:");
  }

  /// Helm 4, Flux and Argo CD refuse two entries of one name.
  @Test
  void refusesEachVariableThatItSetsItself() {
    var rendered = Manifests.of(Chart.rendered("every-setting", "insights-agent"));
    var pinned =
        rendered
            .only("ConfigMap")
            .mapping("data")
            .text("pinned")
            .orElseThrow()
            .lines()
            .map(line -> line.substring(0, line.indexOf('=')));
    var set =
        rendered.all("CronJob").stream()
            .flatMap(cronJob -> variables(cronJob).stream())
            .map(entry -> ((Value.Mapping) entry).text("name").orElseThrow());
    var mayBeReplaced =
        Set.of(
            "HTTPS_PROXY",
            "HTTP_PROXY",
            "NO_PROXY",
            "SSL_CERT_FILE",
            "METRICS_PUSH_URL",
            "METRICS_FILE",
            "_JAVA_OPTIONS");

    assertThat(Stream.concat(pinned, set).distinct().filter(name -> !mayBeReplaced.contains(name)))
        .hasSizeGreaterThan(20)
        .allSatisfy(name -> {
          for (var list : List.of("extraEnv", "report.overrides.extraEnv")) {
            assertThatThrownBy(() -> Chart.with(list + "[0].name", name))
                .hasMessageContaining(list + " has " + name + ", which the chart sets");
          }
        });
  }

  private static List<Value> variables(Value.Mapping cronJob) {
    return pod(cronJob).mappings("containers").getFirst().items("env");
  }

  private static Value.Mapping pod(Value.Mapping cronJob) {
    var pod = cronJob;
    for (var name : List.of("spec", "jobTemplate", "spec", "template", "spec")) {
      pod = pod.mapping(name);
    }
    return pod;
  }

  @ParameterizedTest
  @CsvSource({
    "containers, and cannot be changed",
    "volumes, use the value extraVolumes",
    "securityContext, use the value podSecurityContext",
    "nodeSelector, use the value nodeSelector"
  })
  void leavesNoFieldThatItSetsToPodSpec(String field, String message) {
    for (var list : List.of("podSpec", "report.overrides.podSpec")) {
      assertThatThrownBy(() -> Chart.with(list + "." + field, "a"))
          .hasMessageContaining(list + "." + field + " is set by the chart")
          .hasMessageContaining(message);
    }
  }

  /// Every field of the Pod that is there without it.
  @Test
  void knowsTheFieldsOfThePodThatItSets() {
    for (var values : List.of("every-setting", "report-every-setting")) {
      for (var cronJob : Manifests.of(Chart.rendered(values, "insights-agent")).all("CronJob")) {
        for (var field : pod(cronJob).fields().keySet()) {
          assertThatThrownBy(() -> Chart.with("podSpec." + field, "a"))
              .hasMessageContaining("podSpec." + field + " is set by the chart");
        }
      }
    }
  }

  @Test
  void namesTheValueOfAVariable() {
    assertThatThrownBy(() -> Chart.with("extraEnv[0].name", "MAX_REMOVALS"))
        .hasMessageContaining(
            "extraEnv has MAX_REMOVALS, which the chart sets from maxRemovals; leave it out");
  }

  /// The file with the pinned settings would pin it to an empty value, and each report would fail.
  @Test
  void pinsNothingThatTheReportTakesFromItsOwnVariables(@TempDir Path folder) throws IOException {
    var values =
        Files.writeString(
            folder.resolve("own.yaml"),
            """
            insights: {organization: acme, cluster: prod-1}
            report:
              enabled: true
              overrides:
                extraEnv: [{name: HTTPS_PROXY, value: "http://proxy.example:3128"}]
            """);

    var rendered =
        Manifests.of(
            Chart.template(Chart.FOLDER, "agents", command -> command.withValuesFile(values)));

    var data = rendered.only("ConfigMap").mapping("data");
    assertThat(data.text("pinned").orElseThrow().lines()).contains("HTTPS_PROXY=");
    assertThat(data.text("report").orElseThrow().lines())
        .contains("NO_PROXY=", "MAX_REMOVALS=20%")
        .doesNotContain("HTTPS_PROXY=");
    assertThat(rendered.all("CronJob"))
        .filteredOn(job -> job.mapping("metadata").text("name").orElse("").equals("kyverno"))
        .singleElement()
        .satisfies(job -> assertThat(job.toString()).contains("report"));
  }

  @ParameterizedTest
  @CsvSource({"4m, 300", "1h, 3660", "2m30s, 210", "90500ms, 151"})
  void leavesAJobAMinuteMoreThanItsRun(String timeout, String seconds) {
    var cronJob = Manifests.of(Chart.with("timeout", timeout)).only("CronJob");

    assertThat(
            cronJob
                .mapping("spec")
                .mapping("jobTemplate")
                .mapping("spec")
                .field("activeDeadlineSeconds"))
        .contains(new Value.Numeric(seconds));
  }

  @ParameterizedTest
  @CsvSource({
    "startJitter, 4m, 'startJitter is 4m and timeout 4m, from which that wait is taken'",
    "startJitter, 240000ms, 'startJitter is 240000ms and timeout 4m'",
    "timeout, 0s, 'timeout is 0s; a run has more than 0'",
    "timeout, 61m, 'timeout is 61m; a run has more than 0 and at most 1h'",
    "activeDeadlineSeconds, 240, 'activeDeadlineSeconds is 240 and ends a Job before'"
  })
  void refusesTimesThatLeaveARunNone(String name, String value, String problem) {
    assertThatThrownBy(() -> Chart.with(name, value)).hasMessageContaining(problem);
  }

  @ParameterizedTest
  @CsvSource({
    "resources.limits.memory, 200Mi, '', 224, 128",
    "resources.limits.memory, 223.9Mi, '', 224, 128",
    "resources.limits.memory, 230M, '', 224, 128",
    "resources.limits.memory, 134217728, '', 224, 128",
    "resources.limits.memory, 256Mi, -Xmx256m, 352, 256",
    "resources.limits.memory, 1Gi, '-Xmx64m -Xmx1g', 1120, 1024",
    "report.resources.limits.memory, 128Mi, '', 224, 128"
  })
  void refusesAMemoryLimitBelowWhatTheHeapNeeds(
      String name, String limit, String javaOptions, int needed, int heap) {
    assertThatThrownBy(() -> withMemory(name, limit, javaOptions))
        .hasMessageContaining(
            "%s is %s, and a run needs up to %dMi: %dMi of heap and 96Mi for Java itself"
                .formatted(name, limit, needed, heap));
  }

  @ParameterizedTest
  @CsvSource({
    "224Mi, ''",
    "0.25Gi, ''",
    "236M, ''",
    "256Mi, -Xmx160m",
    "128Mi, -Xmx32m",
    "1Ti, -Xmx8g",
    "null, ''"
  })
  void takesAMemoryLimitThatTheHeapFitsInto(String limit, String javaOptions) {
    assertThat(withMemory("resources.limits.memory", limit, javaOptions)).contains("kind: CronJob");
  }

  /// The chart, the agent and the image mean the same heap, and the same room beside it.
  @Test
  void knowsTheHeapOfTheImage() throws IOException {
    var refusals = Files.readString(Chart.FOLDER.resolve("templates/_refusals.tpl"));

    assertThat(Files.readString(Path.of("dev/dist/java.options"))).contains("\n-Xmx128m\n");
    assertThat(refusals).contains("(list \"-Xmx128m\")", "add $mebibytes 96");
    assertThat(Files.readString(Path.of("src/main/java/dev/policysync/inspect/MemoryLimit.java")))
        .contains("BESIDE_THE_HEAP = 96 * MIB");
  }

  private static String withMemory(String name, String limit, String javaOptions) {
    return Chart.template(
        Chart.FOLDER,
        "insights-agent",
        command ->
            Chart.withWhatIsRequired(command)
                .set("report.enabled", name.startsWith("report."))
                .set(name, limit)
                .set("javaOptions", javaOptions));
  }

  @ParameterizedTest
  @ValueSource(strings = {"podSecurityContext", "securityContext", "resources", "affinity"})
  void leavesOutWhatIsNull(String name) {
    assertThat(Chart.with(name, "null")).contains("kind: CronJob").doesNotContain("null");
  }

  @ParameterizedTest
  @ValueSource(strings = {"podLabels", "commonLabels"})
  void refusesALabelThatItsPodsAreFoundBy(String values) {
    assertThatThrownBy(() -> Chart.with(values + ".app", "agents"))
        .hasMessageContaining(values + ".app is a label of the chart's own");
  }

  @ParameterizedTest
  @CsvSource({
    "registry.example, registry.example/policy-sync/policy-sync",
    "registry.example:5000/mirror/, registry.example:5000/mirror/policy-sync/policy-sync"
  })
  void takesItsImageFromTheRegistryOfAllCharts(String registry, String repository) {
    assertThat(imageOf(Chart.FOLDER, command -> command.set("global.imageRegistry", registry)))
        .matches(Pattern.quote(repository) + ":.*");
  }

  /// What is false or empty for the report wins over what is not for the sync.
  @Test
  void givesTheReportsCronJobValuesOfItsOwn() {
    var rendered =
        Chart.template(
            Chart.FOLDER,
            "insights-agent",
            command ->
                Chart.withWhatIsRequired(command)
                    .set("suspend", "true")
                    .set("report.enabled", "true")
                    .set("report.overrides.suspend", "false")
                    .set("report.overrides.timeout", "8m"));

    var cronJobs = Manifests.of(rendered).all("CronJob");
    assertThat(cronJobs)
        .extracting(cronJob -> cronJob.mapping("spec").field("suspend"))
        .containsExactly(Optional.of(new Value.Bool(true)), Optional.empty());
    assertThat(cronJobs)
        .extracting(cronJob ->
            cronJob
                .mapping("spec")
                .mapping("jobTemplate")
                .mapping("spec")
                .field("activeDeadlineSeconds")
                .orElseThrow())
        .containsExactly(new Value.Numeric("300"), new Value.Numeric("540"));
  }

  @Test
  void opensThePortsOfApiAndProxyInItsNetworkPolicy() {
    var egress =
        Manifests.of(Chart.rendered("behind-a-proxy", "insights-agent"))
            .only("NetworkPolicy")
            .mapping("spec")
            .items("egress");

    assertThat(egress.toString())
        .contains("literal=53]", "literal=5353]", "literal=8443]", "literal=3128]");
  }

  @Test
  void asksForNoUserOnOpenShift() {
    var pod = podOf(Manifests.of(Chart.rendered("openshift", "insights-agent")).only("CronJob"));

    assertThat(pod.toString()).doesNotContain("runAsUser", "runAsGroup", "fsGroup");
    assertThat(pod.mapping("securityContext").field("runAsNonRoot")).contains(new Value.Bool(true));
  }

  @Test
  void namesEachValueOnceInItsReadme() throws IOException {
    var table = ValuesTable.of(Chart.FOLDER.resolve("values.yaml"));

    assertThat(table.rows()).extracting(ValuesTable.Row::name).doesNotHaveDuplicates();
    assertThat(table.rows())
        .extracting(ValuesTable.Row::name)
        .contains("report.resources.limits.cpu", "resources.limits.cpu")
        .doesNotContain("report");
  }

  /// Each key of the Go agent's chart that cannot be copied.
  @ParameterizedTest
  @CsvSource({
    "kyverno-policy-sync.config.dryRun, true, values of this chart stand at the top level",
    "kyverno.enabled, true, report.enabled",
    "cronjobs.backoffLimit, 1, each value of cronjobs has its name at the top level",
    "uploader.sendFailures, true, write report.sendFailures",
    "fleetInstall, true, make it at the API",
    "customWorkloadAnnotations.team, platform, write annotations for the CronJobs",
    "insights.base64token, YWJj, 'write insights.token, which is not encoded'",
    "insights.tokenSecretName, own, write insights.tokenSecret.name",
    "insights.apiToken, abc, make it at the API",
    "rbac.disabled, true, write rbac.create: false",
    "config.logLevel, debug, there is no config here",
    "global.proxy.https, http://proxy.example:3128, 'write proxy.https, proxy.http and"
        + " proxy.noProxy'",
    "global.sslCertFileSecretName, company-ca, write caBundle.secretName=company-ca",
    "schedule, rand * * * *, there is no rand here; write a minute",
    "report.schedule, rand * * * *, there is no rand here; write a minute",
    "timeout, 600, 'timeout is 600, without a unit; write 600s'",
    "image.repository, us-docker.pkg.dev/fairwinds-ops/oss/kyverno-policy-sync, leave image away"
  })
  void saysWhatToWriteInsteadOfTheGoAgentsValues(String name, String value, String instead) {
    assertThatThrownBy(() -> Chart.with(name, value)).hasMessageContaining(instead);
  }

  @Test
  void leavesTheGlobalValuesOfOtherChartsAloneWhereItHasItsOwn() {
    var rendered =
        Chart.template(
            Chart.FOLDER,
            "insights-agent",
            command ->
                Chart.withWhatIsRequired(command)
                    .set("global.proxy.https", "http://proxy.example:3128")
                    .set("proxy.noProxy", "*"));

    assertThat(rendered).contains("NO_PROXY=*", "HTTPS_PROXY=\n");
  }

  /// A released chart has the digest of its image.
  @Test
  void runsTheImageThatItWasReleasedWith(@TempDir Path folder) throws IOException {
    var chart = Chart.copyTo(folder.resolve("chart"));
    var digest = "sha256:" + "0".repeat(64);
    Chart.release(chart, "0.1.0", digest);
    var other = "sha256:" + "1".repeat(64);

    assertThat(imageOf(chart, command -> command)).endsWith("policy-sync@" + digest);
    assertThat(imageOf(chart, command -> command.set("image.tag", "0.2.0")))
        .endsWith("policy-sync:0.2.0");
    assertThat(imageOf(chart, command -> command.set("image.digest", other)))
        .endsWith("policy-sync@" + other);
    assertThatThrownBy(() ->
            imageOf(chart, command -> command.set("image.tag", "0.2.0").set("image.digest", other)))
        .hasMessageContaining("image.tag and image.digest are both set");
  }

  private static String imageOf(Path chart, UnaryOperator<TemplateCommand> values) {
    var rendered =
        Chart.template(
            chart, "insights-agent", command -> values.apply(Chart.withWhatIsRequired(command)));
    var container =
        (Value.Mapping)
            podOf(Manifests.of(rendered).only("CronJob")).items("containers").getFirst();
    return container.text("image").orElseThrow();
  }

  private static Value.Mapping podOf(Value.Mapping cronJob) {
    return cronJob
        .mapping("spec")
        .mapping("jobTemplate")
        .mapping("spec")
        .mapping("template")
        .mapping("spec");
  }

  @ParameterizedTest
  @ValueSource(strings = {"insights.organization", "insights.cluster"})
  void saysWhatItCannotDoWithout(String name) {
    assertThatThrownBy(() -> Chart.with(name, "")).hasMessageContaining(name + " is required: ");
  }

  @Test
  void schemaHasEveryValueAndIsClosedEverywhere() throws IOException {
    var schema = Documents.json(Files.readString(Chart.FOLDER.resolve("values.schema.json")));
    var values = Documents.yaml(Files.readString(Chart.FOLDER.resolve("values.yaml")));

    var known = new TreeSet<>(schema.mapping("properties").fields().keySet());
    assertThat(known).isEqualTo(new TreeSet<>(values.fields().keySet()));
    requireClosed("", schema);
  }

  /// An object either has named properties and no others, or any names with values of one form.
  private static void requireClosed(String place, Value.Mapping schema) {
    var properties = schema.mapping("properties").fields();
    if (!properties.isEmpty() && !FREE.contains(place)) {
      assertThat(schema.mapping("additionalProperties").text("const"))
          .as(place)
          .contains("no value has this name; here are " + String.join(", ", properties.keySet()));
    } else if (schema.text("type").orElse("").equals("object")
        && !FREE.contains(place)
        && !place.endsWith("[]")) {
      assertThat(schema.mapping("additionalProperties").fields()).as(place).isNotEmpty();
    }
    if (schema.field("items").orElse(null) instanceof Value.Mapping item) {
      requireClosed(place + "[]", item);
    }
    properties.forEach((name, property) ->
        requireClosed((place.isEmpty() ? "" : place + ".") + name, (Value.Mapping) property));
  }

  private static Value.Mapping withoutLabels(Value.Mapping object) {
    return object.with("metadata", object.mapping("metadata").without("labels"));
  }
}

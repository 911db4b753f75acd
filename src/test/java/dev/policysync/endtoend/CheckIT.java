package dev.policysync.endtoend;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static com.github.tomakehurst.wiremock.core.WireMockConfiguration.options;
import static org.assertj.core.api.Assertions.assertThat;

import com.github.tomakehurst.wiremock.WireMockServer;
import dev.policysync.base.Value;
import dev.policysync.harness.Agent;
import dev.policysync.harness.FakeInsights;
import dev.policysync.harness.Feeds;
import dev.policysync.harness.TestAuthority;
import dev.policysync.remote.http.RawServer;
import dev.policysync.testcluster.AgentTraces;
import dev.policysync.testcluster.Documents;
import dev.policysync.testcluster.KubeconfigFile;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// `check` by the whole program, against a real API server.
class CheckIT extends EndToEnd {
  private FakeKyverno kyverno;

  @BeforeEach
  void installKyverno() {
    createNamespace("kyverno");
    kyverno = new FakeKyverno(cluster);
    kyverno.install(2, Instant.now());
    insights.expects(Feeds.clusterPolicy("team-label", "Audit"));
  }

  @AfterEach
  void removeKyverno() {
    kyverno.remove();
  }

  @Test
  void findsNothingWrongWhereAllIsWell() {
    var check = agent.run("check");

    assertThat(check.exitCode()).as(check.all()).isZero();
    assertThat(check.stdout())
        .contains(
            "settings            valid; the policies are those of acme/prod-1",
            "API                 GET " + insights.url(),
            "Kubernetes v1.36.3 at https://127.0.0.1:",
            "21 of 21 kinds are served",
            "list, get, create, patch, delete on 21 kinds",
            "Kyverno             v1.19.0, Deployment kyverno/kyverno-admission-controller, 2 of 2"
                + " replicas ready",
            "kyverno-policy-validating-webhook-cfg → kyverno/kyverno-svc",
            "accept a new ClusterPolicy",
            "class cache         Java 25")
        .endsWith(" ok, 0 warnings, 0 failures\n")
        .doesNotContain(FakeInsights.TOKEN);
  }

  @Test
  void changesNothing() {
    var log = cluster.auditLog();

    var check = agent.run("check", "-o", "json");

    assertThat(check.exitCode()).as(check.all()).isZero();
    assertThat(log.writes())
        .isNotEmpty()
        .allMatch(
            entry -> entry.resource().equals("selfsubjectaccessreviews.authorization.k8s.io"));
    assertThat(log.entries()).anyMatch(entry -> entry.dryRun() && entry.verb().equals("create"));
    assertThat(exists("clusterpolicies", "team-label")).isFalse();
    assertThat(insights.statuses()).isEmpty();
    assertThat(insights.feedRequests()).as("one for the token, one for the kinds").isEqualTo(2);
  }

  @Test
  void asksEverythingFromALaptopToo() throws IOException {
    new AgentTraces(cluster.admin()).removeAll();
    var kubeconfig = KubeconfigFile.ofAdmin(cluster).write(folder.resolve("kubeconfig"));

    var check = agent.run("check", "--kubeconfig", kubeconfig.toString(), "-o", "json");

    assertThat(check.exitCode()).as(check.all()).isZero();
    assertThat(verdicts(check)).doesNotContain("failure", "unknown");
  }

  @Test
  void failsWithoutKyverno() {
    kyverno.remove();
    cluster.stopKyverno();

    var check = agent.run("check", "-o", "json");

    assertThat(check.exitCode()).isEqualTo(1);
    assertThat(verdict(check, "Kyverno")).isEqualTo("warning");
    assertThat(verdict(check, "Kyverno's webhooks")).isEqualTo("warning");
    assertThat(verdict(check, "Kyverno's health")).isEqualTo("failure");
    assertThat(found(check, "Kyverno's health"))
        .isEqualTo(
            "Kyverno is not running: no namespace has the Lease kyverno-health of its admission"
                + " controller");
    assertThat(verdict(check, "dry run")).isEqualTo("ok");
  }

  @Test
  void seesAKyvernoThatIsDown() {
    kyverno.install(0, Instant.now().minus(Duration.ofHours(1)));
    kyverno.webhookCalls("\"service\": {\"namespace\": \"kyverno\", \"name\": \"kyverno-svc\"}");

    var check = agent.run("check", "-o", "json");

    assertThat(check.exitCode()).isEqualTo(1);
    assertThat(found(check, "Kyverno")).contains("0 of 2 replicas ready");
    assertThat(verdict(check, "Kyverno")).isEqualTo("failure");
    assertThat(found(check, "Kyverno's webhooks")).contains("has no target or no CA bundle");
    assertThat(verdict(check, "Kyverno's health")).isEqualTo("failure");
    assertThat(found(check, "Kyverno's health"))
        .startsWith(
            "Kyverno is not running: its admission controller has not renewed Lease"
                + " kyverno/kyverno-health since ");
  }

  @Test
  void namesAWrongToken() {
    var check = agent.with("FAIRWINDS_TOKEN", "a-token-of-yesterday").run("check");

    assertThat(check.exitCode()).isEqualTo(1);
    assertThat(check.stdout())
        .contains(
            "returned 401: the token is not accepted",
            "→ check FAIRWINDS_TOKEN or FAIRWINDS_TOKEN_FILE",
            "list, get, create, patch, delete on 21 kinds")
        .containsOnlyOnce("returned 401")
        .containsPattern("feed +skipped because of the failure above: API")
        .doesNotContain("a-token-of-yesterday");
  }

  @Test
  void namesAClusterThatTheApiDoesNotKnow() {
    insights.answers(aResponse().withStatus(404));

    var check = agent.run("check");

    assertThat(check.exitCode()).isEqualTo(1);
    assertThat(check.stdout())
        .contains("returned 404: organization, cluster or API not found", "FAIRWINDS_CLUSTER");
  }

  @Test
  void namesAnApiWhoseNameDoesNotResolve() {
    var check =
        agent.with("FAIRWINDS_INSIGHTS_HOST", "https://nowhere.invalid").run("check", "-o", "json");

    assertThat(check.exitCode()).isEqualTo(1);
    assertThat(found(check, "API name"))
        .contains("the host name nowhere.invalid could not be resolved");
    assertThat(verdict(check, "API")).isEqualTo("unknown");
    assertThat(verdict(check, "Lease")).isEqualTo("ok");
  }

  @Test
  void namesAnApiThatIsAwayAndAnswersAllElse() {
    var check =
        agent.with("FAIRWINDS_INSIGHTS_HOST", "http://127.0.0.1:1").run("check", "-o", "json");

    assertThat(check.exitCode()).isEqualTo(1);
    assertThat(found(check, "API")).contains("could not connect");
    assertThat(verdict(check, "policy permissions")).isEqualTo("ok");
  }

  @Test
  void isNotKeptFromAnsweringByAnApiThatIsSilent() throws IOException {
    try (var silent = RawServer.silent()) {
      var check = agent.with("FAIRWINDS_INSIGHTS_HOST", silent.url()).run("check", "-o", "json");

      assertThat(check.exitCode()).isEqualTo(1);
      assertThat(found(check, "API")).contains("timed out");
      assertThat(verdict(check, "policy permissions")).isEqualTo("ok");
    }
  }

  @Test
  void namesAnApiWhoseCertificateNobodyVouchesFor() {
    var https = new WireMockServer(options().dynamicHttpsPort().bindAddress("127.0.0.1"));
    https.start();
    try {
      var check =
          agent
              .with("FAIRWINDS_INSIGHTS_HOST", "https://127.0.0.1:" + https.httpsPort())
              .run("check");

      assertThat(check.exitCode()).isEqualTo(1);
      assertThat(check.stdout()).contains("the certificate is not trusted", "SSL_CERT_FILE");
    } finally {
      https.stop();
    }
  }

  @Test
  void namesAnApiServerThatIsAwayAndAsksItNothingElse() {
    var check = agent.with("KUBERNETES_SERVICE_PORT", "1").run("check", "-o", "json");

    assertThat(check.exitCode()).isEqualTo(1);
    assertThat(found(check, "API server")).contains("could not connect");
    assertThat(verdict(check, "API")).isEqualTo("ok");
    assertThat(verdict(check, "Lease")).isEqualTo("unknown");
    assertThat(verdict(check, "dry run")).isEqualTo("unknown");
  }

  @Test
  void namesAnApiServerOfAnotherAuthority() {
    var other = TestAuthority.shared().pem();

    var check = agent.through(cluster.url().port(), other).run("check", "-o", "json");

    assertThat(check.exitCode()).isEqualTo(1);
    assertThat(found(check, "API server"))
        .contains("the certificate is not signed by the configured CA");
  }

  @Test
  void namesAServiceAccountThatIsGone() {
    var check = agent.as("not-a-token").run("check", "-o", "json");

    assertThat(check.exitCode()).isEqualTo(1);
    assertThat(found(check, "API server")).contains("HTTP 401");
  }

  @Test
  void tellsEveryWrongSettingAndAsksWhatItCan() {
    var check =
        agent.with("MAX_REMOVALS", "many").with("CONCURRENCY", "0").run("check", "-o", "json");

    assertThat(check.exitCode()).isEqualTo(2);
    assertThat(answers(check))
        .filteredOn(answer -> answer.text("subject").orElse("").equals("settings"))
        .extracting(answer -> answer.text("found").orElse(""))
        .satisfiesExactly(
            first -> assertThat(first).contains("MAX_REMOVALS"),
            second -> assertThat(second).contains("CONCURRENCY"));
    assertThat(verdict(check, "API")).isEqualTo("ok");
    assertThat(verdict(check, "Lease")).isEqualTo("ok");
  }

  @Test
  void sendsNoTokenWhereThePinnedHostIsContradicted() throws IOException {
    var pinned =
        Files.writeString(
            folder.resolve("pinned"), "FAIRWINDS_INSIGHTS_HOST=https://insights.example.com\n");

    var check =
        agent.withProperty("policysync.pinned", pinned.toString()).run("check", "-o", "json");

    assertThat(check.exitCode()).isEqualTo(2);
    assertThat(found(check, "settings")).contains("FAIRWINDS_INSIGHTS_HOST is pinned");
    assertThat(verdict(check, "API")).isEqualTo("unknown");
    assertThat(insights.feedRequests()).isZero();
  }

  @Test
  void takesALeaseHeldByARunForAllRight() {
    hold(Instant.now(), 60);

    assertThat(verdict(agent.run("check", "-o", "json"), "Lease")).isEqualTo("ok");
  }

  @Test
  void warnsOfALeaseWhoseHolderIsGone() {
    hold(Instant.now().minus(Duration.ofMinutes(10)), 60);

    var check = agent.run("check", "-o", "json");

    assertThat(check.exitCode()).isZero();
    assertThat(verdict(check, "Lease")).isEqualTo("warning");
    assertThat(found(check, "Lease"))
        .contains("held by somebody, which no longer renews it, renewed 6");
  }

  @Test
  void failsOnALeaseThatIsHeldForGood() {
    hold(Instant.now(), 86_400);

    var check = agent.run("check", "-o", "json");

    assertThat(check.exitCode()).isEqualTo(1);
    assertThat(answer(check, "Lease").text("fix").orElse(""))
        .contains("kubectl patch lease kyverno-policy-sync-lock");
  }

  private void hold(Instant renewed, int seconds) {
    cluster
        .admin()
        .apply(
            LEASE + "?fieldManager=test&force=true",
            """
            {"apiVersion": "coordination.k8s.io/v1", "kind": "Lease",
             "metadata": {"name": "kyverno-policy-sync-lock"},
             "spec": {"holderIdentity": "somebody", "leaseDurationSeconds": %1$d,
                      "acquireTime": "%2$s.000000Z", "renewTime": "%2$s.000000Z"}}
            """
                .formatted(seconds, renewed.toString().substring(0, 19)))
        .ok();
  }

  private static List<Value.Mapping> answers(Agent.Run check) {
    return Documents.json(check.stdout()).items("answers").stream()
        .map(Value.Mapping.class::cast)
        .toList();
  }

  private static Value.Mapping answer(Agent.Run check, String subject) {
    return answers(check).stream()
        .filter(answer -> answer.text("subject").orElse("").equals(subject))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no answer about " + subject + ": " + check.all()));
  }

  private static String verdict(Agent.Run check, String subject) {
    return answer(check, subject).text("verdict").orElse("");
  }

  private static String found(Agent.Run check, String subject) {
    return answer(check, subject).text("found").orElse("");
  }

  private static List<String> verdicts(Agent.Run check) {
    return answers(check).stream().map(answer -> answer.text("verdict").orElse("")).toList();
  }
}

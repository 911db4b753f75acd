package dev.policysync.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.inspect.ApiChecks;
import dev.policysync.inspect.ApiChecks.Route;
import dev.policysync.inspect.ApiDiagnostics.Certificate;
import dev.policysync.inspect.ApiDiagnostics.Probe;
import dev.policysync.inspect.Check;
import dev.policysync.inspect.CheckResult;
import dev.policysync.inspect.CheckRunner;
import dev.policysync.inspect.ClusterChecks;
import dev.policysync.inspect.ClusterDiagnostics.Kyverno;
import dev.policysync.inspect.ClusterDiagnostics.LeaseState;
import dev.policysync.inspect.FakeClusterDiagnostics;
import dev.policysync.inspect.FakeFullPolicies;
import dev.policysync.inspect.KyvernoChecks;
import dev.policysync.inspect.PermissionChecks;
import dev.policysync.inspect.PermissionChecks.Removals;
import dev.policysync.inspect.ProbeResult;
import dev.policysync.inspect.SettingsChecks;
import dev.policysync.inspect.WebhookChecks;
import dev.policysync.policy.PolicyKind;
import dev.policysync.policy.kyverno.KyvernoHealth;
import dev.policysync.sync.LeaseHold;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/// What people see of a good and of a bad check, with the real questions.
class CheckCommandTest {
  private static final Clock CLOCK =
      Clock.fixed(Instant.parse("2026-11-21T12:00:00Z"), ZoneOffset.UTC);
  private static final String FEED =
      "https://insights.example.com/v0/organizations/acme/clusters/prod-1/kyverno-policies/with-app-groups-applied/yaml";

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  @Test
  void printsAGoodCheck() {
    var code = command(OutputFormat.TEXT).run(CheckCommandTest::good, () -> "");

    assertThat(code).isEqualTo(ExitCode.OK);
    Golden.assertEqual("check-good.txt", out.toString(UTF_8));
  }

  @Test
  void printsABadCheck() {
    var code = command(OutputFormat.TEXT).run(CheckCommandTest::bad, () -> "");

    assertThat(code).isEqualTo(ExitCode.FAILED);
    Golden.assertEqual("check-bad.txt", out.toString(UTF_8));
  }

  @Test
  void printsABadCheckAsOneObject() {
    command(OutputFormat.JSON).run(CheckCommandTest::bad, () -> "");

    Golden.assertEqual("check-bad.json", out.toString(UTF_8));
  }

  @Test
  void endsWithTheCodeOfWrongSettingsWhereThereAreSome() {
    var code =
        command(OutputFormat.TEXT)
            .run(
                told -> {
                  told.accept(CheckResult.failure(SettingsChecks.SETTINGS, "TIMEOUT is \"x\""));
                  told.accept(CheckResult.failure("API", "could not connect"));
                },
                () -> "");

    assertThat(code).isEqualTo(ExitCode.USAGE);
  }

  @Test
  void saysWhatItFoundWhereItIsStopped() {
    var command = command(OutputFormat.JSON);

    command.run(
        told -> {
          told.accept(CheckResult.ok("memory", "enough"));
          command.printCutOff("stopped by a signal");
          told.accept(CheckResult.ok("API", "too late"));
        },
        () -> "");

    assertThat(out.toString(UTF_8))
        .isEqualTo(
            "{\"success\":false,\"stopped\":\"stopped by a"
                + " signal\",\"answers\":[{\"subject\":\"memory\",\"verdict\":\"ok\",\"found\":\"enough\",\"fix\":\"\"}]}\n");
  }

  private static void good(Consumer<CheckResult> told) {
    var certificate =
        new Certificate(
            "TLSv1.3", "CN=insights.example.com", Instant.parse("2027-02-01T00:00:00Z"));
    ask(
        List.of(),
        new Route("insights.example.com", Optional.empty()),
        new Probe.Answered(
            FEED, Optional.of(certificate), Optional.of(Duration.ZERO), Optional.empty()),
        new FakeClusterDiagnostics(),
        told);
  }

  private static void bad(Consumer<CheckResult> told) {
    var cluster =
        new FakeClusterDiagnostics()
            .forbids("list mutatingpolicies.policies.kyverno.io")
            .forbids("patch clusterpolicies.kyverno.io")
            .forbids("delete clusterpolicies.kyverno.io")
            .forbids("create deletingpolicies.policies.kyverno.io")
            .forbids("update leases.coordination.k8s.io")
            .forbids("patch events.events.k8s.io")
            .forbids("list policyreports.wgpolicyk8s.io");
    cluster.kinds =
        new ProbeResult.Got<>(
            FakeClusterDiagnostics.servedBut(EnumSet.of(PolicyKind.GENERATING_POLICY)));
    cluster.lease =
        new ProbeResult.Got<>(
            new LeaseState(
                "insights-agent/kyverno-policy-sync-lock",
                LeaseHold.EXPIRED,
                "kyverno-policy-sync-29384-x7k2p-3f9a1c2e",
                Optional.of(Duration.ofSeconds(700)),
                Optional.of(Duration.ofSeconds(640)),
                "kubectl patch lease …"));
    cluster.kyverno =
        new ProbeResult.Got<>(
            new Kyverno("kyverno", "kyverno/kyverno-admission-controller", "v1.19.0", 3, 0));
    cluster.webhooks.put(
        "kyverno-cleanup-validating-webhook-cfg",
        new ProbeResult.Forbidden<>(
            "read ValidatingWebhookConfiguration kyverno-cleanup-validating-webhook-cfg: HTTP 403,"
                + " forbidden; add the verb get on"
                + " validatingwebhookconfigurations.admissionregistration.k8s.io to the agent's"
                + " ClusterRole"));
    cluster.health =
        KyvernoHealth.of(
            "kyverno",
            Optional.of(Instant.parse("2026-11-20T09:00:00Z")),
            Instant.parse("2026-11-20T10:00:00Z"));
    cluster.tried =
        new ProbeResult.Failed<>(
            "create a ClusterPolicy as a dry run: HTTP 500, Internal error occurred: failed calling"
                + " webhook \"validate-policy.kyverno.svc\"; check that Kyverno is running");
    ask(
        List.of(),
        new Route("insights.example.com", Optional.of(new Route.Proxy("proxy.corp", 3128))),
        new Probe.Answered(
            FEED,
            Optional.of(
                new Certificate(
                    "TLSv1.2", "CN=insights.example.com", Instant.parse("2026-11-23T00:00:00Z"))),
            Optional.of(Duration.ofSeconds(-90)),
            Optional.of(
                "GET "
                    + FEED
                    + ": returned 401: the token is not accepted; check FAIRWINDS_TOKEN or"
                    + " FAIRWINDS_TOKEN_FILE, and that the token still exists")),
        cluster,
        told);
  }

  private static void ask(
      List<String> problems,
      Route route,
      Probe probe,
      FakeClusterDiagnostics cluster,
      Consumer<CheckResult> told) {
    var questions = new ArrayList<Check>();
    questions.add(SettingsChecks.question(problems, "acme/prod-1"));
    questions.addAll(new ApiChecks(route, CheckCommandTest::address, () -> probe, CLOCK).all());
    questions.addAll(new ClusterChecks(cluster).all());
    questions.addAll(
        new PermissionChecks(cluster, cluster, "insights-agent", Removals.WANTED, Set.of()).all());
    questions.addAll(new KyvernoChecks(cluster).all());
    questions.addAll(new WebhookChecks(cluster, cluster, new FakeFullPolicies(), Set.of()).all());
    new CheckRunner(questions, Duration.ofSeconds(30), () -> Duration.ofMinutes(1)).run(told);
  }

  private static List<InetAddress> address(String host) throws UnknownHostException {
    return List.of(InetAddress.getByAddress(host, new byte[] {10, 1, 2, 3}));
  }

  private CheckCommand command(OutputFormat format) {
    return new CheckCommand(
        format, TextStyle.PLAIN, new Output(new PrintStream(out, false, UTF_8)));
  }
}

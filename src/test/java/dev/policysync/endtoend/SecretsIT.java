package dev.policysync.endtoend;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static dev.policysync.endtoend.ForbiddenOutput.MARKER;
import static dev.policysync.endtoend.ForbiddenOutput.assertUnsaid;
import static dev.policysync.harness.FakeInsights.TOKEN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.tomakehurst.wiremock.client.ResponseDefinitionBuilder;
import dev.policysync.base.Value;
import dev.policysync.harness.Agent;
import dev.policysync.harness.FakeInsights;
import dev.policysync.harness.Feeds;
import dev.policysync.policy.PolicyKind;
import dev.policysync.remote.http.RawServer;
import dev.policysync.testcluster.AdmissionWebhook;
import dev.policysync.testcluster.Documents;
import dev.policysync.testcluster.KubeconfigFile;
import dev.policysync.testcluster.Sandbox;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Promise 13: no part of the token and nothing of a policy leaves, whatever fails. Every case runs
/// at the debug level and twice: as in a pod, in JSON and with the token in the environment, and as
/// by hand, in text and with the token in a file that ends with a newline. Each proves first that
/// it did fail, and why.
class SecretsIT extends EndToEnd {
  private static final String POLICY =
      Feeds.clusterPolicy("quoted", "Audit")
          .replace("set the label team", MARKER)
          .replace("Names a team", MARKER)
          .replace("?*", MARKER);
  private static final String SAID_BACK = "{{request.headers.Authorization}} " + MARKER;

  private Path tokenFile;
  private Sandbox sandbox;

  @BeforeEach
  void expectAPolicyThatCanBeRecognised(Sandbox sandbox) throws IOException {
    this.sandbox = sandbox;
    this.tokenFile = Files.writeString(folder.resolve("token"), "\n" + TOKEN + "\r\n");
    insights.expects(POLICY);
  }

  @AfterEach
  void theClusterWasNotToldEither() {
    for (var path : List.of("/api/v1/events", "/apis/coordination.k8s.io/v1/leases")) {
      assertUnsaid(cluster.admin().get(path).ok().toString());
    }
  }

  static Stream<Arguments> answers() {
    return Stream.of(
        Arguments.of("401", saidBack(401)),
        Arguments.of("403", saidBack(403)),
        Arguments.of("404", saidBack(404).withHeader("Content-Type", "text/html; x=" + TOKEN)),
        Arguments.of("returned 204", aResponse().withStatus(204).withStatusMessage(TOKEN)),
        Arguments.of("web page", saidBack(200).withHeader("Content-Type", "text/html")),
        Arguments.of("no document of feed", saidBack(200)),
        Arguments.of("no document of feed", aResponse().withBody("{\"error\": \"" + TOKEN + "\"}")),
        Arguments.of("redirect to another host", to("https://u:" + TOKEN + "@a.example/" + TOKEN)),
        Arguments.of("redirect to another host", to("https://" + TOKEN + ".example/")),
        Arguments.of("a URL that is not http or https", to("mailto:" + TOKEN)),
        Arguments.of("Retry-After is", saidBack(429).withHeader("Retry-After", "999999")));
  }

  @ParameterizedTest
  @MethodSource("answers")
  void errorsOfTheApiShowNoToken(String reason, ResponseDefinitionBuilder answer)
      throws IOException {
    insights.answers(answer);

    assertSaid(run(Map.of()), 1, reason);
  }

  @Test
  void retriesShowNoToken() throws IOException {
    try (var truncating = new TruncatingServer(POLICY);
        var failing = new FakeInsights();
        var busy = new FakeInsights()) {
      failing.answers(saidBack(500));
      busy.answers(saidBack(429).withHeader("Retry-After", TOKEN));
      var hosts =
          Map.of(
              "response truncated", truncating.url(),
              "returned 500", failing.url(),
              "returned 429", busy.url(),
              "could not connect", "http://127.0.0.1:1");
      var processes = new HashMap<String, List<Process>>();
      for (var host : hosts.entrySet()) {
        var voices = voices(Map.of("FAIRWINDS_INSIGHTS_HOST", host.getValue()));
        processes.put(host.getKey(), started(voices));
      }

      for (var voices : processes.entrySet()) {
        assertSaid(ended(voices.getValue()), 1, voices.getKey());
      }
    }
  }

  @Test
  void aProxyThatEchoesTheTokenShowsNoToken() throws IOException {
    var answer = "HTTP/1.1 407 " + TOKEN + "\r\nProxy-Authenticate: Basic realm=" + TOKEN;
    try (var proxy =
        RawServer.answering(answer + "\r\nConnection: close\r\nContent-Length: 0\r\n\r\n")) {
      var url = "http://" + TOKEN + ":" + TOKEN + "@" + proxy.url().substring("http://".length());

      assertSaid(
          run(
              Map.of(
                  "FAIRWINDS_INSIGHTS_HOST", "http://insights.example",
                  "ALLOW_HTTP", "true",
                  "HTTP_PROXY", url)),
          1,
          "the proxy requires authentication");
    }
  }

  @Test
  void echoedStatusesShowNoPolicy() throws IOException {
    insights.answersStatuses(
        aResponse()
            .withStatus(500)
            .withTransformers("response-template")
            .withBody(SAID_BACK + "{{request.body}}"));

    var runs = ended(started(voices(Map.of()).subList(0, 1)));

    assertThat(insights.statuses().getFirst()).contains(MARKER);
    assertSaid(runs, 0, "the API did not accept 1 status");
  }

  static Stream<Arguments> wrongSettings() {
    return Stream.of(
        Arguments.of(
            Map.of(
                "FAIRWINDS_ORG", TOKEN,
                "LOG_LEVEL", TOKEN,
                "MAX_REMOVALS", TOKEN,
                "KUBECONFIG", "/" + TOKEN,
                "SSL_CERT_FILE", TOKEN,
                "NO_PROXY", "corp," + TOKEN + ":443",
                "FAIRWINDS_INSIGHTS_HOST", "https://u:" + TOKEN + "@a.example"),
            List.of(
                "FAIRWINDS_ORG (--organization) contains the token",
                "LOG_LEVEL (--log-level) is a value of",
                "MAX_REMOVALS (--max-removals) is a value of",
                "KUBECONFIG (--kubeconfig) contains the token",
                "SSL_CERT_FILE contains the token",
                "NO_PROXY contains the token",
                "FAIRWINDS_INSIGHTS_HOST (--insights-host) must contain only")),
        Arguments.of(
            Map.of("FAIRWINDS_TOKEN", TOKEN + "\u0007" + TOKEN),
            List.of("the token in FAIRWINDS_TOKEN contains a character")),
        Arguments.of(
            Map.of("FAIRWINDS_TOKEN", "", "FAIRWINDS_TOKEN_FILE", TOKEN),
            List.of("FAIRWINDS_TOKEN_FILE (--token-file) does not name a readable file")),
        Arguments.of(
            Map.of("HTTPS_PROXY", "ftp://" + TOKEN + "@a.example"),
            List.of("HTTPS_PROXY: expected a proxy")));
  }

  @ParameterizedTest
  @MethodSource("wrongSettings")
  void invalidSettingsShowNoToken(Map<String, String> environment, List<String> reasons)
      throws IOException {
    var runs = run(environment);

    reasons.forEach(reason -> assertSaid(runs, 2, reason));
  }

  @Test
  void aFileWithoutCertificatesShowsNoContent() throws IOException {
    var insteadOfIt = Files.writeString(folder.resolve("ca.crt"), TOKEN + MARKER);
    insights.answers(aResponse().withStatus(200));

    assertSaid(
        run(
            Map.of(
                "SSL_CERT_FILE",
                insteadOfIt.toString(),
                "FAIRWINDS_INSIGHTS_HOST",
                "https://a.example")),
        2,
        "contains no certificate");
  }

  @Test
  void argumentsOfTheCommandLineShowNoToken() throws IOException {
    assertSaid(List.of(agent.run("sync", "--token", TOKEN)), 2, "sync has no option --token");
    assertSaid(List.of(agent.run(TOKEN)), 2, "unknown command");
    assertSaid(List.of(agent.run("--output=" + TOKEN)), 2, "unsupported output format");
  }

  /// A document of the feed that is refused, and why.
  record Bad(String document, String reason) {}

  private static final List<Bad> UNREADABLE =
      List.of(
          new Bad(
              "apiVersion: kyverno.io/v1\nmetadata: {name: a1}\nspec: {x: MARKER}",
              "kind is missing"),
          new Bad(
              "kind: ClusterPolicy\nmetadata: {name: a2}\nspec: {x: MARKER}",
              "apiVersion is missing"),
          new Bad(
              "kind: MARKER MARKER\napiVersion: kyverno.io/v1\nmetadata: {name: a3}",
              "unsupported kind"),
          new Bad(
              "kind: Secret\napiVersion: v1\nmetadata: {name: a4}\nstringData: {x: MARKER}",
              "Secret (v1) is not a supported kind"),
          new Bad(
              "kind: ClusterPolicy\napiVersion: kyverno.io/MARKER\nmetadata: {name: a5}\nspec: {}",
              "apiVersion has no version"),
          bad("spec: {x: MARKER}", "metadata is missing"),
          bad("metadata: MARKER\nspec: {}", "metadata is not a mapping"),
          bad(
              "metadata: {generateName: MARKER}\nspec: {}",
              "metadata.generateName would create a new policy"),
          bad(
              "metadata: {name: MARKER MARKER}\nspec: {}",
              "metadata.name is not a valid Kubernetes name"),
          bad(
              "metadata: {name: " + MARKER.repeat(20) + "}\nspec: {}",
              "metadata.name is not a valid Kubernetes name"),
          bad(
              "metadata: {name: a7, labels: {MARKER: 1}}\nspec: {x: MARKER}",
              "metadata.labels has a value that is not a string"),
          bad(
              "metadata: {name: a8, annotations: [MARKER]}\nspec: {x: MARKER}",
              "metadata.annotations is not a mapping"),
          bad("metadata: {name: a9}\nspec: MARKER", "spec is not a mapping"),
          bad("metadata: {name: b1}\nspec: {MARKER: MARKER, MARKER: 2}", "duplicate key"),
          bad("metadata: {name: b2}\nspec: {rules: [MARKER", "unclosed"),
          bad("metadata: {name: b3}\nspec:\n  a: MARKER: MARKER", "unexpected ': '"),
          bad("metadata: {name: b4}\nspec:\n  a: \"MARKER", "an unclosed quoted text"),
          bad("metadata: {name: b5}\nspec:\n\ta: MARKER", "a tab where only spaces are allowed"),
          bad("metadata: {name: b6}\nspec: {a: *MARKER}", "alias"),
          bad("metadata: {name: b7}\nspec: {a: !!int MARKER}", "a value does not match its tag"),
          bad(
              "metadata: {name: b8}\nspec: {a: !MARKER!x MARKER}",
              "a tag (!) with an undefined prefix"),
          bad("metadata: {name: b9}\nspec: {a: \"\\MARKER\"}", "an unknown escape"),
          bad("metadata: {name: c1}\nspec: {<<: MARKER}", "a merge (<<) requires a mapping"),
          bad("metadata: {name: c2}\nspec: {a: MARKER\u0001}", "a control character"),
          bad("metadata: {name: c3}\nspec: " + "[".repeat(2_000) + "MARKER", "nested deeper"),
          bad("metadata: {name: c4}\nspec:\n" + bomb(), "alias"),
          new Bad("MARKER", "not a mapping of fields"),
          new Bad("kind: List\napiVersion: v1\nitems: [MARKER]", "a list item is not a mapping"));

  @Test
  void invalidDocumentsShowNoPolicy() throws IOException {
    var twins = Feeds.of(POLICY.replace("quoted", "twin"), POLICY.replace("quoted", "twin"));
    insights.expects(Feeds.of(POLICY, twins, feed(UNREADABLE)));

    var runs = run(Map.of());

    assertSaid(runs, 1, "2 documents define this policy");
    assertRefused(runs, UNREADABLE, 1);
  }

  private static final List<Bad> INVALID =
      List.of(
          bad(
              "metadata: {name: a1}\nspec: {background: MARKER}",
              ".spec.background: expected boolean"),
          bad("metadata: {name: a2}\nspec: {rules: MARKER}", ".spec.rules: expected list"),
          bad("metadata: {name: a3}\nspec: {rules: {a: MARKER}}", ".spec.rules: expected list"),
          bad(
              "metadata: {name: a4}\nspec: {backgruond: MARKER}",
              ".spec.backgruond: field not declared"),
          bad(
              "metadata: {name: a5}\nspec: {failurePolicy: MARKER}",
              "spec.failurePolicy: Unsupported value"),
          bad(
              "metadata: {name: a6}\nspec: {webhookTimeoutSeconds: MARKER}",
              ".spec.webhookTimeoutSeconds: expected numeric"),
          bad(
              "metadata: {name: a7}\nspec: {rules: [{name: " + MARKER.repeat(3) + ", match: {}}]}",
              "spec.rules[0].name: Too long"),
          bad(
              "metadata: {name: a8, labels: {x: MARKER MARKER}}\nspec: {}",
              "metadata.labels: Invalid value"),
          bad(
              "metadata: {name: a9, labels: {MARKER MARKER: x}}\nspec: {}",
              "metadata.labels: Invalid value"),
          bad(
              "metadata: {name: b1, annotations: {MARKER MARKER: x}}\nspec: {}",
              "metadata.annotations: Invalid value"),
          bad(
              "metadata: {name: b2, annotations: {x: " + MARKER.repeat(13_000) + "}}\nspec: {}",
              "metadata.annotations: Too long"),
          cel("b3", "validations: [{expression: \"MARKER == 1\"}]", "undeclared reference to"),
          cel("b4", "validations: [{expression: \"has(MARKER MARKER)\"}]", "Syntax error"),
          cel("b5", "validations: [{expression: \"'MARKER' + 1\"}]", "compilation failed"),
          cel(
              "b6",
              "validations: [{expression: 'true', messageExpression: \"MARKER\"}]",
              "messageExpression: Invalid value"),
          cel(
              "b7",
              "validations: [{expression: 'true', reason: MARKER}]",
              "reason: Unsupported value"),
          cel("b8", "failurePolicy: MARKER", "failurePolicy: Unsupported value"),
          cel("b9", "variables: [{name: MARKER-, expression: 'true'}]", "name: Invalid value"),
          vpol(
              "c1",
              "validationActions: [MARKER, MARKER]",
              ".spec.validationActions: duplicate entries"),
          vpol("c2", "validationActions: [MARKER]", "spec.validationActions[0]: Unsupported value"),
          vpol("c3", "matchConstraints: {resourceRules: [{apiGroups: MARKER}]}", "expected list"),
          vpol("c4", "matchConditions: [{name: a, expression: [MARKER]}]", "expected string"));

  @Test
  void policiesThatTheApiServerRejectsShowNoPolicy() throws IOException {
    insights.expects(Feeds.of(POLICY, feed(INVALID)));

    var runs = run(Map.of());

    assertSaid(runs, 1, "HTTP 422");
    assertRefused(runs, INVALID, 0);
  }

  @Test
  void thePreviewOfAConversionShowsNoPolicy() throws IOException {
    insights.expects(
        Feeds.of(
            POLICY,
            feed(
                List.of(
                    denying("a1", "MARKER"),
                    denying("a2", "request.MARKER"),
                    denying("a3", "MARKER(request.object)"),
                    denying("a4", "'MARKER"),
                    denying("a5", "request.object.\\\"MARKER\\\" || MARKER")))));

    var runs = run(Map.of("CONVERT", "preview"));

    assertSaid(runs, 0, "a variable that is not of the object");
    assertSaid(runs, 0, "JMESPath that cannot be read");
    assertSaid(runs, 0, "JMESPath without an exact counterpart");
  }

  private static Bad denying(String name, String variable) {
    return bad(
        """
        metadata: {name: %s}
        spec:
          rules:
            - name: denied
              match: {any: [{resources: {kinds: [v1/ConfigMap]}}]}
              validate:
                message: MARKER
                deny: {conditions: {any: [{key: "{{ %s }}", operator: Equals, value: MARKER}]}}
        """
            .formatted(name, variable),
        "not refused");
  }

  @Test
  void denialsAndWarningsOfAWebhookShowNoPolicy() throws IOException {
    var message =
        "you said {{jsonPath request.body '$.request.object.spec.rules[0].validate.message'}}";
    try (var webhook = AdmissionWebhook.on(cluster, PolicyKind.CLUSTER_POLICY)) {
      webhook.denies(400, message);
      assertSaid(run(Map.of()), 1, "denied the request: you said …");

      webhook.answers(aResponse().withStatus(500).withBody(message));
      assertSaid(run(Map.of()), 1, "failed calling webhook");

      webhook.allows(message);
      var runs = ended(started(voices(Map.of()).subList(0, 1)));
      assertSaid(runs, 0, "ClusterPolicy/quoted: you said …");
    }
  }

  @Test
  void aDeniedRemovalShowsNoPolicy() throws IOException {
    insights.expects(Feeds.of(POLICY, Feeds.clusterPolicy("stays", "Audit")));
    agent.run();
    insights.expects(Feeds.clusterPolicy("stays", "Audit"));
    try (var webhook = AdmissionWebhook.on(cluster, PolicyKind.CLUSTER_POLICY)) {
      webhook.denies(
          400,
          "you said {{jsonPath request.body"
              + " '$.request.oldObject.spec.rules[0].validate.message'}}");

      assertSaid(run(Map.of()), 1, "denied the request: you said …");
    }
  }

  @Test
  void aMissingPermissionShowsNoSecret() throws IOException {
    var token =
        sandbox.tokenOf(
            "reader",
            new Sandbox.Rule("kyverno.io", List.of("*"), List.of("list")),
            new Sandbox.Rule("policies.kyverno.io", List.of("*"), List.of("list")),
            new Sandbox.Rule("admissionregistration.k8s.io", List.of("*"), List.of("list")),
            new Sandbox.Rule("coordination.k8s.io", List.of("leases"), List.of("*")));

    var runs = runAs(token);

    assertSaid(runs, 1, "add the verb patch on clusterpolicies.kyverno.io");
    assertThat(runs).noneMatch(run -> run.all().contains(token.substring(token.length() - 20)));
  }

  @Test
  void aRejectedServiceAccountTokenIsNotShown() throws IOException {
    var runs = runAs(TOKEN);

    assertSaid(runs, 1, "HTTP 401");
  }

  @Test
  void aMalformedServiceAccountTokenIsNotShown() throws IOException {
    var broken = TOKEN + "\u0007" + TOKEN;

    var runs = runAs(broken);

    assertSaid(runs, 1, "contains a character that is not printable ASCII");
  }

  @Test
  void anUnreachableClusterShowsNoSecret() throws IOException {
    assertSaid(run(Map.of("KUBERNETES_SERVICE_PORT", "1")), 1, "could not connect");
  }

  static Stream<Arguments> kubeconfigs() {
    return Stream.of(
        Arguments.of("HTTP 401", 1, Map.of(), Map.of("token", TOKEN)),
        Arguments.of(
            "contains a character that is not printable ASCII",
            2,
            Map.of(),
            Map.of("token", TOKEN + "\u0007")),
        Arguments.of(
            "cannot be used",
            2,
            Map.of("server", "https://" + TOKEN + ":" + TOKEN),
            Map.of("token", TOKEN)),
        Arguments.of(
            "could not connect",
            1,
            Map.of("server", "https://u:" + TOKEN + "@127.0.0.1:1"),
            Map.of("token", TOKEN)),
        Arguments.of(
            "cannot be used",
            2,
            Map.of("certificate-authority-data", TOKEN),
            Map.of("token", TOKEN)),
        Arguments.of(
            "cannot be used",
            2,
            Map.of(),
            Map.of("client-certificate-data", TOKEN, "client-key-data", TOKEN)));
  }

  @ParameterizedTest
  @MethodSource("kubeconfigs")
  void credentialsOfAKubeconfigAreNotShown(
      String reason, int exitCode, Map<String, String> clusterFields, Map<String, String> user)
      throws IOException {
    var credentials = new HashMap<String, Value>();
    user.forEach((name, value) -> credentials.put(name, new Value.Text(value)));

    assertSaid(run(kubeconfig(clusterFields, credentials)), exitCode, reason);
  }

  @ParameterizedTest
  @ValueSource(strings = {"echo %s", "echo '{\"kind\": \"%s\"}'"})
  void invalidOutputOfACredentialPluginIsNotShown(String script) throws IOException {
    var plugin =
        Documents.yaml(
                "{apiVersion: client.authentication.k8s.io/v1, interactiveMode: Never, command:"
                    + " sh}")
            .with(
                "args",
                new Value.Sequence(
                    List.of(new Value.Text("-c"), new Value.Text(script.formatted(TOKEN)))));

    var runs = run(kubeconfig(Map.of(), Map.of("exec", plugin)));

    assertThat(runs).noneMatch(run -> run.exitCode() == 0);
    runs.forEach(run -> assertUnsaid(run.all()));
  }

  private Map<String, String> kubeconfig(Map<String, String> more, Map<String, Value> user)
      throws IOException {
    var fields = new HashMap<String, Value>();
    fields.put("server", new Value.Text(cluster.url().toString()));
    fields.put("certificate-authority", new Value.Text(cluster.certificateAuthority().toString()));
    more.forEach((name, value) -> fields.put(name, new Value.Text(value)));
    var file =
        new KubeconfigFile()
            .cluster("test", fields)
            .user("me", user)
            .context("test", "test", "me", "default")
            .write(folder.resolve("config"));
    return Map.of("KUBECONFIG", file.toString());
  }

  @Test
  void anInvalidKubeconfigIsNotShown() throws IOException {
    var file = Files.writeString(folder.resolve("config"), "users: {" + TOKEN + ": [" + TOKEN);

    assertSaid(run(Map.of("KUBECONFIG", file.toString())), 2, "cannot read the kubeconfig");
  }

  @Test
  void aSecretInTheOutputWouldBeFound() {
    assertThatThrownBy(() -> assertUnsaid("token=" + TOKEN)).isInstanceOf(AssertionError.class);
    assertThatThrownBy(() -> assertUnsaid("xw9-jt3r")).isInstanceOf(AssertionError.class);
    assertThatThrownBy(() -> assertUnsaid("…bleTk41vexMa…")).isInstanceOf(AssertionError.class);
    assertUnsaid("Policy sync failed: ClusterPolicy/quoted");
  }

  private static ResponseDefinitionBuilder saidBack(int status) {
    return aResponse()
        .withStatus(status)
        .withStatusMessage(TOKEN)
        .withHeader("X-Said", TOKEN)
        .withTransformers("response-template")
        .withBody(SAID_BACK);
  }

  private static ResponseDefinitionBuilder to(String location) {
    return saidBack(302).withHeader("Location", location);
  }

  private static Bad bad(String fields, String reason) {
    return new Bad("apiVersion: kyverno.io/v1\nkind: ClusterPolicy\n" + fields, reason);
  }

  private static Bad cel(String name, String spec, String reason) {
    var type = "apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicy\n";
    var constraints =
        "matchConstraints: {resourceRules: [{apiGroups: [''], apiVersions: [v1], operations:"
            + " [CREATE], resources: [pods]}]}";
    var sound = spec.contains("validations") ? "" : ", validations: [{expression: 'true'}]";
    return new Bad(
        type + "metadata: {name: " + name + "}\nspec: {" + constraints + ", " + spec + sound + "}",
        reason);
  }

  private static Bad vpol(String name, String spec, String reason) {
    var type = "apiVersion: policies.kyverno.io/v1\nkind: ValidatingPolicy\n";
    return new Bad(type + "metadata: {name: " + name + "}\nspec: {" + spec + "}", reason);
  }

  private static String bomb() {
    var bomb = new StringBuilder("  a0: &a0 [MARKER, MARKER]\n");
    for (int i = 1; i <= 10_000; i++) {
      bomb.append("  a" + i + ": &a" + i + " [*a" + (i - 1) + ", *a" + (i - 1) + "]\n");
    }
    return bomb.toString();
  }

  private static String feed(List<Bad> documents) {
    var texts = documents.stream().map(bad -> bad.document().replace("MARKER", MARKER) + "\n");
    return Feeds.of(texts.toArray(String[]::new));
  }

  /// One of the two ways in which it runs.
  private record Voice(Agent agent, List<String> arguments) {
    Voice as(String token) {
      return new Voice(agent.as(token), arguments);
    }
  }

  private List<Voice> voices(Map<String, String> environment) throws IOException {
    var byHand = new HashMap<>(environment);
    byHand.put("DRY_RUN", "true");
    if (!environment.containsKey("FAIRWINDS_TOKEN")) {
      byHand.put("FAIRWINDS_TOKEN", "");
      byHand.put("FAIRWINDS_TOKEN_FILE", tokenFile.toString());
    }
    return List.of(
        new Voice(agent(environment), List.of()),
        new Voice(agent(byHand), List.of("sync", "-o", "text")));
  }

  private Agent agent(Map<String, String> environment) throws IOException {
    var pod = Files.createTempDirectory(folder, "pod");
    var agent = new Agent(cluster, insights.environment(), pod).with("LOG_LEVEL", "debug");
    environment.forEach(agent::with);
    return agent;
  }

  /// Runs in both voices at once.
  private List<Agent.Run> run(Map<String, String> environment) throws IOException {
    return ended(started(voices(environment)));
  }

  private List<Agent.Run> runAs(String serviceAccount) throws IOException {
    return ended(
        started(voices(Map.of()).stream().map(voice -> voice.as(serviceAccount)).toList()));
  }

  private static List<Process> started(List<Voice> voices) throws IOException {
    var processes = new ArrayList<Process>();
    for (var voice : voices) {
      processes.add(voice.agent().start(voice.arguments().toArray(String[]::new)));
    }
    return processes;
  }

  private static List<Agent.Run> ended(List<Process> processes) throws IOException {
    var runs = new ArrayList<Agent.Run>();
    for (var process : processes) {
      runs.add(Agent.ended(process));
    }
    return runs;
  }

  private static void assertSaid(List<Agent.Run> runs, int exitCode, String reason) {
    for (var run : runs) {
      assertThat(run.exitCode()).as(run.all()).isEqualTo(exitCode);
      assertThat(run.all()).contains(reason);
      assertUnsaid(run.all());
    }
  }

  private static void assertRefused(List<Agent.Run> runs, List<Bad> documents, int more) {
    assertThat(runs.getFirst().summary().items("errors")).hasSize(documents.size() + more);
    for (var run : runs) {
      for (var bad : documents) {
        assertThat(run.stdout().replace("\\\"", "\"")).contains(bad.reason());
      }
    }
  }
}

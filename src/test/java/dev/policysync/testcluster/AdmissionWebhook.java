package dev.policysync.testcluster;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static com.github.tomakehurst.wiremock.client.WireMock.any;
import static com.github.tomakehurst.wiremock.client.WireMock.anyUrl;
import static com.github.tomakehurst.wiremock.client.WireMock.matchingJsonPath;
import static com.github.tomakehurst.wiremock.core.WireMockConfiguration.options;

import com.github.tomakehurst.wiremock.WireMockServer;
import com.github.tomakehurst.wiremock.client.ResponseDefinitionBuilder;
import dev.policysync.base.CanonicalJson;
import dev.policysync.harness.TestAuthority;
import dev.policysync.policy.PolicyKind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Base64;
import org.awaitility.Awaitility;

/// A validating webhook for one kind of policy that answers as it is told to: what Kyverno's own
/// may say or fail to say. The API server calls it over HTTPS for each creation, update and
/// removal.
public final class AdmissionWebhook implements AutoCloseable {
  private static final String CONFIGURATIONS =
      "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations";
  private static final String UID = "{{jsonPath request.body '$.request.uid'}}";

  private final RawApi admin;
  private final PolicyKind kind;
  private final WireMockServer server;
  private boolean stopped;

  private AdmissionWebhook(RawApi admin, PolicyKind kind, WireMockServer server) {
    this.admin = admin;
    this.kind = kind;
    this.server = server;
  }

  /// A webhook that allows everything until it is told otherwise, from the moment on that the API
  /// server calls it.
  ///
  /// @param kind one that lives in no namespace
  public static AdmissionWebhook on(TestCluster cluster, PolicyKind kind) {
    return on(cluster, kind, "*");
  }

  /// The same for some of the requests.
  ///
  /// @param operations `CREATE, UPDATE`
  public static AdmissionWebhook on(TestCluster cluster, PolicyKind kind, String operations) {
    var authority = TestAuthority.shared();
    var server =
        new WireMockServer(
            options()
                .httpDisabled(true)
                .dynamicHttpsPort()
                .bindAddress("127.0.0.1")
                .globalTemplating(true)
                .keystorePath(authority.keyStore().toString())
                .keystorePassword(TestAuthority.PASSWORD)
                .keyManagerPassword(TestAuthority.PASSWORD));
    server.start();
    var webhook = new AdmissionWebhook(cluster.admin(), kind, server);
    webhook.allows();
    webhook.register(authority, operations);
    return webhook;
  }

  /// What the API server calls it: `said.example.com`.
  public static String name() {
    return "said.example.com";
  }

  /// Allows everything, with these warnings.
  public void allows(String... warnings) {
    var list = warnings.length == 0 ? "" : "\"" + String.join("\", \"", warnings) + "\"";
    review("\"allowed\": true, \"warnings\": [" + list + "]");
  }

  /// Denies everything, with that status and no reason, as Kyverno does.
  public void denies(int code, String message) {
    review(
        "\"allowed\": false, \"status\": {\"code\": %d, \"message\": \"%s\"}"
            .formatted(code, message));
  }

  private void review(String response) {
    var body =
        "{\"apiVersion\": \"admission.k8s.io/v1\", \"kind\": \"AdmissionReview\","
            + " \"response\": {\"uid\": \""
            + UID
            + "\", "
            + response
            + "}}";
    answers(aResponse().withHeader("Content-Type", "application/json").withBody(body));
  }

  /// Answers whatever that is. Its body may name parts of the request: `{{jsonPath request.body
  /// '$.request.object.spec'}}`.
  public void answers(ResponseDefinitionBuilder answer) {
    server.resetMappings();
    server.stubFor(any(anyUrl()).willReturn(answer));
  }

  /// Fails each review of that operation, `UPDATE`, with HTTP 500 from now on.
  public void fails(String operation) {
    server.stubFor(
        any(anyUrl())
            .withRequestBody(
                matchingJsonPath("$.request[?(@.operation == '%s')]".formatted(operation)))
            .willReturn(aResponse().withStatus(500)));
  }

  /// Takes its time for each answer from now on; it is given up after two seconds.
  public void hesitates(Duration time) {
    server.setGlobalFixedDelay((int) time.toMillis());
  }

  /// Is not there any more, like a Kyverno without pods.
  public void stops() {
    server.stop();
    stopped = true;
  }

  /// How often it was called.
  public int calls() {
    return server.getAllServeEvents().size();
  }

  private void register(TestAuthority authority, String operations) {
    admin
        .post(
            CONFIGURATIONS,
            Documents.yaml(
                """
                metadata: {name: said}
                webhooks:
                  - name: %s
                    clientConfig: {url: "https://127.0.0.1:%d/", caBundle: %s}
                    rules: [{apiGroups: [%s], apiVersions: ["*"], operations: [%s], resources: [%s]}]
                    timeoutSeconds: 2
                    sideEffects: None
                    admissionReviewVersions: [v1]
                """
                    .formatted(
                        name(),
                        server.httpsPort(),
                        caBundle(authority),
                        kind.group(),
                        operations.equals("*") ? "\"*\"" : operations,
                        kind.plural())))
        .ok();
    Awaitility.await("the API server to call the webhook")
        .atMost(TimeLimits.WAIT)
        .pollInterval(Duration.ofMillis(50))
        .until(this::isCalled);
    server.resetRequests();
  }

  private static String caBundle(TestAuthority authority) {
    try {
      return Base64.getEncoder().encodeToString(Files.readAllBytes(authority.pem()));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read the webhook's authority", e);
    }
  }

  /// Whether a dry run that would be no change gets as far as here.
  private boolean isCalled() {
    var before = calls();
    return tried().status() >= 500 || calls() > before;
  }

  private RawApi.Reply tried() {
    var example = KindExamples.of(kind, "none");
    var version = kind.versions().getFirst();
    return admin.apply(
        RawApi.path(example.id(), version) + "-tried?dryRun=All&force=true&fieldManager=tried",
        CanonicalJson.write(
            example
                .content()
                .with("metadata", Documents.yaml("{name: " + example.id().name() + "-tried}"))));
  }

  /// Ends when the API server has forgotten it.
  @Override
  public void close() {
    admin.delete(CONFIGURATIONS + "/said").ok();
    Awaitility.await("the API server to call the webhook no more")
        .atMost(TimeLimits.WAIT)
        .pollInterval(Duration.ofMillis(50))
        .until(() -> !isCalled());
    if (!stopped) {
      server.stop();
    }
  }
}

package dev.policysync.dist;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static com.github.tomakehurst.wiremock.client.WireMock.any;
import static com.github.tomakehurst.wiremock.client.WireMock.get;
import static com.github.tomakehurst.wiremock.client.WireMock.ok;
import static com.github.tomakehurst.wiremock.client.WireMock.post;
import static com.github.tomakehurst.wiremock.client.WireMock.put;
import static com.github.tomakehurst.wiremock.client.WireMock.urlPathMatching;
import static com.github.tomakehurst.wiremock.core.WireMockConfiguration.options;
import static java.util.Map.entry;

import com.github.tomakehurst.wiremock.WireMockServer;
import com.github.tomakehurst.wiremock.core.WireMockConfiguration;
import dev.policysync.harness.ManyReports;
import dev.policysync.harness.TestAuthority;
import dev.policysync.testcluster.Documents;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/// Stands in for both servers that a run meets, the API server and the remote API: a build has no
/// cluster to train with.
///
/// On the wire each is as a real one may be, down to the `Date` of an answer: code that no training
/// run has needed is missing from the class cache. So they differ as much as they can. The API
/// server speaks HTTP/2 and lets us choose the cipher; the remote API speaks HTTP/1.1 and chooses
/// by itself, which is AES.
final class StandIn implements AutoCloseable {
  private static final String CLUSTER = "/v0/organizations/acme/clusters/prod-1/";
  private static final int REPORTS = 96;
  private static final int RESULTS = 3;

  private final TestAuthority authority = TestAuthority.shared();
  private final StoredObjects objects = new StoredObjects();
  private final String reported;
  private final WireMockServer apiServer =
      new WireMockServer(tls().httpServerFactory(ApiServerTls.factory()).extensions(objects));
  private final WireMockServer remoteApi = new WireMockServer(tls().http2TlsDisabled(true));

  StandIn() throws IOException {
    try (var reports = new ManyReports(REPORTS, RESULTS)) {
      for (var i = 0; i < REPORTS; i++) {
        objects.put(Documents.json(reports.toCreate(i)));
      }
      reported =
          "Fail %d, Error 0, Warn 0, Pass %d, Skip 0"
              .formatted(reports.findings(), reports.counted() - reports.findings());
    }
    apiServer.start();
    apiServer.stubFor(
        any(urlPathMatching("/apis.*"))
            .willReturn(aResponse().withTransformers(StoredObjects.NAME)));
    remoteApi.start();
    // The feed comes in chunks, this with its length.
    remoteApi.stubFor(
        put(urlPathMatching(CLUSTER + "policies/apply-status"))
            .willReturn(ok("{}").withHeader("Content-Length", "2")));
    remoteApi.stubFor(post(urlPathMatching(CLUSTER + "data/kyverno")).willReturn(ok()));
  }

  private WireMockConfiguration tls() {
    return options()
        .httpDisabled(true)
        .dynamicHttpsPort()
        .bindAddress("127.0.0.1")
        .keystorePath(authority.keyStore().toString())
        .keystorePassword(TestAuthority.PASSWORD)
        .keyManagerPassword(TestAuthority.PASSWORD);
  }

  /// The summary of a report on what is here.
  String reported() {
    return reported;
  }

  /// What the remote API expects from now on.
  void expects(String yaml) {
    remoteApi.stubFor(
        get(urlPathMatching(CLUSTER + "kyverno-policies/with-app-groups-applied/yaml"))
            .willReturn(ok(yaml).withHeader("Content-Type", "text/yaml")));
  }

  /// Lets the next run be the first that takes the Lease, as far as it can tell.
  void forgetLease() {
    objects.forget("/leases/kyverno-policy-sync-lock");
  }

  /// Makes that folder a pod's ServiceAccount.
  void writeServiceAccount(Path folder) throws IOException {
    Files.createDirectories(folder);
    Files.copy(authority.pem(), folder.resolve("ca.crt"));
    Files.writeString(folder.resolve("namespace"), "insights-agent");
    Files.writeString(folder.resolve("token"), "not-checked");
  }

  /// The environment of a pod between the two.
  Map<String, String> environment() {
    return Map.ofEntries(
        entry("KUBERNETES_SERVICE_HOST", "127.0.0.1"),
        entry("KUBERNETES_SERVICE_PORT", Integer.toString(apiServer.httpsPort())),
        entry("NAMESPACE", "insights-agent"),
        entry("POD_NAME", "kyverno-policy-sync-29000000-abcde"),
        // By its name, since that of the real one has to be looked up too.
        entry("FAIRWINDS_INSIGHTS_HOST", "https://localhost:" + remoteApi.httpsPort()),
        entry("FAIRWINDS_ORG", "acme"),
        entry("FAIRWINDS_CLUSTER", "prod-1"),
        entry("FAIRWINDS_TOKEN", "not-checked"),
        entry("SSL_CERT_FILE", authority.pem().toString()));
  }

  @Override
  public void close() {
    apiServer.stop();
    remoteApi.stop();
  }
}

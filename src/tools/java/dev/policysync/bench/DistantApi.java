package dev.policysync.bench;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static com.github.tomakehurst.wiremock.client.WireMock.anyUrl;
import static com.github.tomakehurst.wiremock.client.WireMock.get;
import static com.github.tomakehurst.wiremock.client.WireMock.getRequestedFor;
import static com.github.tomakehurst.wiremock.client.WireMock.put;
import static com.github.tomakehurst.wiremock.client.WireMock.putRequestedFor;
import static com.github.tomakehurst.wiremock.core.WireMockConfiguration.options;

import com.github.tomakehurst.wiremock.WireMockServer;
import dev.policysync.harness.TestAuthority;
import java.time.Duration;

/// The remote API over HTTP/2, as behind a load balancer, and as far away as is wanted: each answer
/// takes that much longer. It takes more work for each than [FeedServer], which speaks no HTTP/2.
final class DistantApi implements AutoCloseable {
  /// Enough for all requests that are under way at once.
  private static final int THREADS = 60;

  private final WireMockServer server;

  DistantApi(TestAuthority authority) {
    this.server =
        new WireMockServer(
            options()
                .httpDisabled(true)
                .dynamicHttpsPort()
                .bindAddress("127.0.0.1")
                .containerThreads(THREADS)
                .asynchronousResponseEnabled(true)
                .asynchronousResponseThreads(THREADS)
                .keystorePath(authority.keyStore().toString())
                .keystorePassword(TestAuthority.PASSWORD)
                .keyManagerPassword(TestAuthority.PASSWORD));
    server.start();
  }

  /// What the API expects from now on, and how much longer each answer takes.
  void expects(String yaml, Duration distance) {
    var delay = (int) distance.toMillis();
    server.resetMappings();
    server.stubFor(
        get(anyUrl())
            .willReturn(
                aResponse()
                    .withHeader("Content-Type", "text/yaml")
                    .withBody(yaml)
                    .withFixedDelay(delay)));
    server.stubFor(put(anyUrl()).willReturn(aResponse().withFixedDelay(delay)));
  }

  /// How many requests there were since this was last asked.
  FeedServer.Counts counts() {
    var feeds = server.findAll(getRequestedFor(anyUrl())).size();
    var statuses = server.findAll(putRequestedFor(anyUrl())).size();
    server.resetRequests();
    return new FeedServer.Counts(feeds, statuses);
  }

  String url() {
    return "https://127.0.0.1:" + server.httpsPort();
  }

  @Override
  public void close() {
    server.stop();
  }
}

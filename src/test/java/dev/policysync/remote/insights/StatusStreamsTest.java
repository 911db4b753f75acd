package dev.policysync.remote.insights;

import static com.github.tomakehurst.wiremock.client.WireMock.any;
import static com.github.tomakehurst.wiremock.client.WireMock.anyUrl;
import static com.github.tomakehurst.wiremock.client.WireMock.ok;
import static com.github.tomakehurst.wiremock.core.WireMockConfiguration.options;
import static org.assertj.core.api.Assertions.assertThat;

import com.github.tomakehurst.wiremock.extension.ResponseDefinitionTransformerV2;
import com.github.tomakehurst.wiremock.http.ResponseDefinition;
import com.github.tomakehurst.wiremock.junit5.WireMockExtension;
import com.github.tomakehurst.wiremock.stubbing.ServeEvent;
import dev.policysync.harness.TestAuthority;
import dev.policysync.remote.http.Connections;
import dev.policysync.remote.http.ProxyRules;
import dev.policysync.remote.http.Trust;
import dev.policysync.sync.PolicyStatus;
import dev.policysync.sync.PolicyStatus.Operation;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// Statuses to an API that speaks HTTP/2.
class StatusStreamsTest {
  private static final TestAuthority AUTHORITY = TestAuthority.shared();

  /// As many as HTTP/1.1 would have under way; these are answered at once.
  private static final int FIRST = 4;

  private static final Gathering GATHERING = new Gathering(16);

  @RegisterExtension
  private static final WireMockExtension SERVER =
      WireMockExtension.newInstance()
          .options(
              options()
                  .httpDisabled(true)
                  .dynamicHttpsPort()
                  .bindAddress("127.0.0.1")
                  .containerThreads(60)
                  .keystorePath(AUTHORITY.keyStore().toString())
                  .keystorePassword(TestAuthority.PASSWORD)
                  .keyManagerPassword(TestAuthority.PASSWORD)
                  .extensions(GATHERING))
          .build();

  @Test
  void shareOneConnectionManyAtATime() {
    SERVER.stubFor(any(anyUrl()).willReturn(ok()));
    var url = "https://127.0.0.1:" + SERVER.getHttpsPort();

    try (var connections = Connections.tls(Trust.only(AUTHORITY.pem()), ProxyRules.none())) {
      var api = TestApi.connection(url, "acme", "prod-1");
      var statuses = IntStream.range(0, 60).mapToObj(StatusStreamsTest::status).toList();

      var transmission =
          new InsightsStatuses(connections, api, "1.2.3", () -> Duration.ofMinutes(1)).begin(60);
      statuses.forEach(status -> transmission.send(status, () -> ""));

      assertThat(transmission.end()).isEmpty();
      assertThat(GATHERING.missing.getCount()).as("those that did not come in time").isZero();
      assertThat(connections.client().connectionPool().connectionCount()).isOne();
    }
    assertThat(SERVER.getAllServeEvents().stream().map(e -> e.getRequest().getBodyAsString()))
        .hasSize(60)
        .doesNotHaveDuplicates();
  }

  private static PolicyStatus status(int number) {
    return new PolicyStatus("p" + number, Operation.APPLY, true, Instant.EPOCH, "", List.of());
  }

  /// Answers nobody before so many ask at the same time, the first ones aside.
  private static final class Gathering implements ResponseDefinitionTransformerV2 {
    private final AtomicInteger asked = new AtomicInteger();
    private final CountDownLatch missing;

    private Gathering(int many) {
      missing = new CountDownLatch(many);
    }

    @Override
    public String getName() {
      return "gathering";
    }

    @Override
    public ResponseDefinition transform(ServeEvent event) {
      if (asked.incrementAndGet() > FIRST) {
        missing.countDown();
        try {
          // Less than the time of an attempt.
          missing.await(4, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
        }
      }
      return event.getResponseDefinition();
    }
  }
}

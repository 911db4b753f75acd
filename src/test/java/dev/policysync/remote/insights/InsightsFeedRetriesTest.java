package dev.policysync.remote.insights;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static com.github.tomakehurst.wiremock.client.WireMock.any;
import static com.github.tomakehurst.wiremock.client.WireMock.anyUrl;
import static com.github.tomakehurst.wiremock.client.WireMock.ok;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.github.tomakehurst.wiremock.client.ResponseDefinitionBuilder;
import com.github.tomakehurst.wiremock.http.Fault;
import com.github.tomakehurst.wiremock.junit5.WireMockExtension;
import com.github.tomakehurst.wiremock.stubbing.Scenario;
import dev.policysync.policy.feed.FeedProblem;
import dev.policysync.remote.http.RawServer;
import java.io.IOException;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class InsightsFeedRetriesTest {
  @RegisterExtension private static final WireMockExtension server = TestApi.server();

  @ParameterizedTest
  @ValueSource(ints = {408, 429, 500, 502, 503, 504})
  void triesAgainWhatMayPassInAMoment(int status) {
    answerFirstAndThenTheFeed(aResponse().withStatus(status));

    try (var api = TestApi.at(server.baseUrl())) {
      assertReadsTheFeed(api);

      assertThat(server.getAllServeEvents()).hasSize(2);
      assertThat(api.clock().waits()).containsExactly(Duration.ofMillis(500));
    }
  }

  @ParameterizedTest
  @EnumSource(Fault.class)
  void triesAgainWhenTheConnectionBreaks(Fault fault) {
    answerFirstAndThenTheFeed(aResponse().withFault(fault));

    try (var api = TestApi.at(server.baseUrl())) {
      assertReadsTheFeed(api);

      assertThat(server.getAllServeEvents()).hasSize(2);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {408, 429, 500, 502, 503, 504})
  void givesUpAfterFourAttempts(int status) {
    server.stubFor(any(anyUrl()).willReturn(aResponse().withStatus(status)));

    try (var api = TestApi.at(server.baseUrl())) {
      var problem = api.problem();

      assertThat(problem)
          .hasMessageContaining("returned " + status + ": ")
          .hasMessageEndingWith(" (4 attempts)");
      assertThat(problem.retryable()).isTrue();
      assertThat(server.getAllServeEvents()).hasSize(4);
      assertThat(api.clock().waits())
          .containsExactly(Duration.ofMillis(500), Duration.ofSeconds(1), Duration.ofSeconds(2));
    }
  }

  @Test
  void countsARequestThatTheHttpClientWouldRepeatByItself() {
    server.stubFor(
        any(anyUrl()).willReturn(aResponse().withStatus(503).withHeader("Retry-After", "0")));

    try (var api = TestApi.at(server.baseUrl())) {
      api.problem();

      assertThat(server.getAllServeEvents()).hasSize(4);
    }
  }

  @Test
  void waitsAsLongAsTheServerAsksAndALittleMore() {
    answerFirstAndThenTheFeed(aResponse().withStatus(429).withHeader("Retry-After", "7"));

    try (var api = TestApi.at(server.baseUrl())) {
      assertReadsTheFeed(api);

      assertThat(api.clock().waits()).containsExactly(Duration.ofMillis(7500));
    }
  }

  @Test
  void waitsUntilTheDateThatTheServerNames() {
    answerFirstAndThenTheFeed(
        aResponse().withStatus(503).withHeader("Retry-After", "Fri, 20 Nov 2026 09:30:12 GMT"));

    try (var api = TestApi.at(server.baseUrl())) {
      assertReadsTheFeed(api);

      assertThat(api.clock().waits()).containsExactly(Duration.ofMillis(12_500));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"soon", "", "-5", "Fri, 20 Nov 2020 09:30:12 GMT"})
  void waitsAsUsualWhereTheServerAsksForNothingSensible(String value) {
    answerFirstAndThenTheFeed(aResponse().withStatus(503).withHeader("Retry-After", value));

    try (var api = TestApi.at(server.baseUrl())) {
      assertReadsTheFeed(api);

      assertThat(api.clock().waits()).containsExactly(Duration.ofMillis(500));
    }
  }

  @Test
  void givesUpAtOnceWhenTheServerAsksForMoreThanThereIs() {
    server.stubFor(
        any(anyUrl()).willReturn(aResponse().withStatus(429).withHeader("Retry-After", "120")));

    try (var api = TestApi.at(server.baseUrl())) {
      var problem = api.problem();

      assertThat(problem)
          .hasMessageEndingWith("; Retry-After is 120 s, longer than this run can wait");
      assertThat(problem.retryable()).isTrue();
      assertThat(server.getAllServeEvents()).hasSize(1);
      assertThat(api.clock().waits()).isEmpty();
    }
  }

  @Test
  void neverWaitsLongerThanThirtySecondsInAll() {
    server.stubFor(
        any(anyUrl()).willReturn(aResponse().withStatus(429).withHeader("Retry-After", "13")));

    try (var api = TestApi.at(server.baseUrl())) {
      assertThat(api.problem())
          .hasMessageEndingWith(
              "; Retry-After is 13 s, longer than this run can wait (3 attempts)");

      assertThat(api.clock().waits())
          .containsExactly(Duration.ofMillis(13_500), Duration.ofSeconds(14));
    }
  }

  @Test
  void spreadsItsWaitsByHalf() {
    server.stubFor(any(anyUrl()).willReturn(aResponse().withStatus(503)));

    try (var api = TestApi.at(server.baseUrl())) {
      TestApi.problem(api.feed(RetryRules.FEED, 1024));

      var waits = api.clock().waits();
      assertThat(waits).hasSize(3);
      assertThat(waits.get(0)).isBetween(Duration.ofMillis(250), Duration.ofMillis(750));
      assertThat(waits.get(1)).isBetween(Duration.ofMillis(500), Duration.ofMillis(1500));
      assertThat(waits.get(2)).isBetween(Duration.ofSeconds(1), Duration.ofSeconds(3));
    }
  }

  @Test
  void saysThatNothingListens() throws IOException {
    int port;
    try (var socket = new ServerSocket(0)) {
      port = socket.getLocalPort();
    }

    try (var api = TestApi.at("http://127.0.0.1:" + port)) {
      var problem = api.problem();

      assertThat(problem)
          .hasMessageContaining(": could not connect; check FAIRWINDS_INSIGHTS_HOST, ")
          .hasMessageEndingWith(" (4 attempts)");
      assertThat(problem.retryable()).isTrue();
    }
  }

  @Test
  void doesNotWaitForAnAnswerThatTricklesIn() {
    server.stubFor(
        any(anyUrl()).willReturn(ok("a".repeat(1000)).withChunkedDribbleDelay(100, 600_000)));
    var rules =
        new RetryRules(
            4, Duration.ofMillis(500), 0, Duration.ofMillis(700), Duration.ofMillis(700));

    try (var api = TestApi.at(server.baseUrl())) {
      var problem = TestApi.problem(api.feed(rules, 1024 * 1024));

      assertThat(problem).hasMessageEndingWith(": did not complete the response in time");
      assertThat(problem.retryable()).isTrue();
      assertThat(server.getAllServeEvents()).hasSizeLessThanOrEqualTo(1);
    }
  }

  @Test
  void stopsReadingWhenCancelled() throws Exception {
    try (var silent = RawServer.silent();
        var api = TestApi.at(silent.url())) {
      var reading = CompletableFuture.supplyAsync(api::problem);
      await().until(() -> !silent.requests().isEmpty());

      api.connections().cancel();

      assertThat(reading)
          .succeedsWithin(Duration.ofSeconds(5))
          .satisfies(problem -> assertThat(problem).hasMessageEndingWith(": stopped"))
          .extracting(FeedProblem::retryable)
          .isEqualTo(true);
    }
  }

  @Test
  void triesNoLongerThanTheRunHasLeft() {
    server.stubFor(any(anyUrl()).willReturn(aResponse().withStatus(503)));

    try (var api = TestApi.at(server.baseUrl())) {
      api.clock().runEndsIn(Duration.ofSeconds(1));

      assertThat(api.problem()).hasMessageEndingWith("(2 attempts)");
      assertThat(api.clock().waits()).containsExactly(Duration.ofMillis(500));
    }
  }

  @Test
  void stopsWaitingWhenCancelled() {
    server.stubFor(any(anyUrl()).willReturn(aResponse().withStatus(503)));
    var patient =
        new RetryRules(4, Duration.ofHours(1), 0, Duration.ofDays(1), Duration.ofMinutes(1));

    try (var api = TestApi.at(server.baseUrl())) {
      var clock = RetryClock.of(api.connections(), () -> Duration.ofMinutes(4));
      var feed =
          new InsightsFeed(
              api.connections(), api.api(), "1.2.3", patient, clock, TestApi.limit(1024));
      var reading = CompletableFuture.supplyAsync(() -> TestApi.problem(feed));
      await().until(() -> !server.getAllServeEvents().isEmpty());

      api.connections().cancel();

      assertThat(reading)
          .succeedsWithin(Duration.ofSeconds(5))
          .extracting(FeedProblem::retryable)
          .isEqualTo(true);
      assertThat(server.getAllServeEvents()).hasSize(1);
    }
  }

  @Test
  void stopsWaitingWhenInterruptedAndStaysInterrupted() {
    server.stubFor(any(anyUrl()).willReturn(aResponse().withStatus(503)));

    try (var api = TestApi.at(server.baseUrl())) {
      var clock =
          new FakeRetryClock() {
            @Override
            public boolean pause(Duration wait) throws InterruptedException {
              throw new InterruptedException();
            }
          };
      var feed =
          new InsightsFeed(
              api.connections(), api.api(), "1.2.3", TestApi.RULES, clock, TestApi.limit(1024));
      var problem = TestApi.problem(feed);

      assertThat(Thread.interrupted()).isTrue();
      assertThat(problem).hasMessageEndingWith("; interrupted while waiting to retry");
      assertThat(server.getAllServeEvents()).hasSize(1);
    }
  }

  private static void answerFirstAndThenTheFeed(ResponseDefinitionBuilder first) {
    server.stubFor(
        any(anyUrl())
            .inScenario("s")
            .whenScenarioStateIs(Scenario.STARTED)
            .willReturn(first)
            .willSetStateTo("later"));
    server.stubFor(
        any(anyUrl()).inScenario("s").whenScenarioStateIs("later").willReturn(ok("kind: x\n")));
  }

  private static void assertReadsTheFeed(TestApi api) {
    var manifests = api.feed().read();
    assertThat(new String(manifests.getFirst().bytes(), UTF_8)).isEqualTo("kind: x\n");
  }
}

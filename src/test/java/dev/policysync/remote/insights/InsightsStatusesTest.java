package dev.policysync.remote.insights;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static com.github.tomakehurst.wiremock.client.WireMock.any;
import static com.github.tomakehurst.wiremock.client.WireMock.anyUrl;
import static com.github.tomakehurst.wiremock.client.WireMock.equalTo;
import static com.github.tomakehurst.wiremock.client.WireMock.matchingJsonPath;
import static com.github.tomakehurst.wiremock.client.WireMock.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.github.tomakehurst.wiremock.client.ResponseDefinitionBuilder;
import com.github.tomakehurst.wiremock.junit5.WireMockExtension;
import com.github.tomakehurst.wiremock.stubbing.Scenario;
import dev.policysync.remote.http.LogLines;
import dev.policysync.remote.http.RawServer;
import dev.policysync.sync.PolicyStatus;
import dev.policysync.sync.PolicyStatus.Operation;
import dev.policysync.sync.StatusSink;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class InsightsStatusesTest {
  private static final String PATH = "/v0/organizations/acme/clusters/prod-1/policies/apply-status";
  private static final RetryRules RULES = TestApi.withoutChance(RetryRules.STATUS);

  @RegisterExtension private static final WireMockExtension server = TestApi.server();

  @Test
  void putsOneStatusExactly() {
    answer(aResponse().withStatus(200));
    var status =
        new PolicyStatus(
            "team-label",
            Operation.APPLY,
            false,
            Instant.parse("2026-11-20T09:30:00.987654Z"),
            "Policy/shop/team-label: admission webhook denied: rule name too long",
            List.of());

    var body = "apiVersion: kyverno.io/v1\nkind: ClusterPolicy\n# \"größe\"\n";
    try (var api = TestApi.at(server.baseUrl())) {
      assertThat(send(sink(api, RULES), List.of(status), body)).isEmpty();
    }

    assertThat(server.getAllServeEvents()).hasSize(1);
    var request = server.getAllServeEvents().getFirst().getRequest();
    assertThat(request.getMethod().getName()).isEqualTo("PUT");
    assertThat(request.getUrl()).isEqualTo(PATH);
    assertThat(request.getHeader("Authorization")).isEqualTo("Bearer t0ken-hunter2");
    assertThat(request.getHeader("Content-Type")).isEqualTo("application/json");
    assertThat(request.getHeader("User-Agent")).isEqualTo("policy-sync/1.2.3");
    assertThat(request.getBodyAsString())
        .isEqualTo(
            "{\"policyName\":\"team-label\",\"reportType\":\"kyverno\",\"action\":\"apply\","
                + "\"status\":\"failed\",\"lastAppliedAt\":\"2026-11-20T09:30:00Z\","
                + "\"policyBody\":\"apiVersion: kyverno.io/v1\\nkind: ClusterPolicy\\n"
                + "# \\\"größe\\\"\\n\","
                + "\"output\":\"Policy/shop/team-label: admission webhook denied: rule name too"
                + " long\"}");
  }

  @Test
  void tellsARemovalThatSucceeded() {
    answer(aResponse().withStatus(204));

    send(
        List.of(
            new PolicyStatus(
                "old",
                Operation.DELETE,
                true,
                Instant.parse("2026-01-02T03:04:05Z"),
                "",
                List.of())));

    assertThat(server.getAllServeEvents().getFirst().getRequest().getBodyAsString())
        .isEqualTo(
            "{\"policyName\":\"old\",\"reportType\":\"kyverno\",\"action\":\"delete\","
                + "\"status\":\"success\",\"lastAppliedAt\":\"2026-01-02T03:04:05Z\","
                + "\"policyBody\":\"\",\"output\":\"\"}");
  }

  @Test
  void sendsNothingWhereThereIsNothingToTell() {
    answer(aResponse().withStatus(200));

    assertThat(send(List.of())).isEmpty();
    assertThat(server.getAllServeEvents()).isEmpty();
  }

  @Test
  void sendsEachOfManyOnceOverKeptConnections() {
    answer(aResponse().withStatus(200));

    try (var api = TestApi.at(server.baseUrl())) {
      assertThat(send(api, statuses(50))).isEmpty();

      assertThat(api.connections().client().connectionPool().connectionCount()).isBetween(1, 4);
    }
    assertThat(server.getAllServeEvents()).hasSize(50);
    assertThat(server.getAllServeEvents().stream().map(e -> e.getRequest().getBodyAsString()))
        .doesNotHaveDuplicates();
  }

  @Test
  void sendsWhileTheRunGoesOn() throws InterruptedException {
    answer(aResponse().withStatus(200));
    try (var api = TestApi.at(server.baseUrl())) {
      var transmission = sink(api, RULES).begin(2);

      transmission.send(statuses(2).getFirst(), () -> "");
      await().until(() -> server.getAllServeEvents().size() == 1);
      api.clock().pause(RULES.budget().multipliedBy(2));
      transmission.send(statuses(2).getLast(), () -> "");

      assertThat(transmission.end()).as("its time counts from the run's last write").isEmpty();
    }
    assertThat(server.getAllServeEvents()).hasSize(2);
  }

  @Test
  void makesOneBodyAtATimeForEachThatIsUnderWay() throws Exception {
    var bodies = new AtomicInteger();
    try (var silent = RawServer.silent();
        var api = TestApi.at(silent.url())) {
      var transmission = sink(api, RULES).begin(100);
      for (var status : statuses(100)) {
        transmission.send(status, () -> "body " + bodies.incrementAndGet());
      }

      await().until(() -> silent.connections() == 4);

      assertThat(bodies).hasValue(4);
      api.connections().cancel();
      assertThat(transmission.end()).isEqualTo(statuses(100));
    }
  }

  @Test
  void sendsFourAtOnceAndNoMore() throws Exception {
    try (var silent = RawServer.silent();
        var api = TestApi.at(silent.url())) {
      var sending = Thread.ofPlatform().daemon().start(() -> send(api, statuses(9)));

      await().until(() -> silent.connections() == 4);
      await().during(Duration.ofMillis(100)).until(() -> silent.connections() == 4);

      api.connections().cancel();
      assertThat(sending.join(Duration.ofSeconds(5))).isTrue();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {408, 429, 500, 503})
  void triesAgainWhatMayPassInAMoment(int status) {
    server.stubFor(
        any(anyUrl())
            .inScenario("s")
            .whenScenarioStateIs(Scenario.STARTED)
            .willReturn(aResponse().withStatus(status))
            .willSetStateTo("later"));
    server.stubFor(
        any(anyUrl())
            .inScenario("s")
            .whenScenarioStateIs("later")
            .willReturn(aResponse().withStatus(200)));

    try (var api = TestApi.at(server.baseUrl())) {
      assertThat(send(api, statuses(1))).isEmpty();

      assertThat(server.getAllServeEvents()).hasSize(2);
      assertThat(api.clock().waits()).containsExactly(Duration.ofMillis(250));
    }
  }

  @Test
  void answersWithThoseThatWereRefusedAndSendsTheOthers() {
    answer(aResponse().withStatus(200));
    for (var name : List.of("p1", "p3", "p5", "p7", "p9")) {
      server.stubFor(
          put(anyUrl())
              .withRequestBody(matchingJsonPath("$.policyName", equalTo(name)))
              .willReturn(aResponse().withStatus(422).withBody("hunter2")));
    }

    try (var log = LogLines.capture()) {
      var rest = send(statuses(10));

      assertThat(rest).extracting(PolicyStatus::name).containsExactly("p1", "p3", "p5", "p7", "p9");
      assertThat(server.getAllServeEvents()).hasSize(10);
      assertThat(warnings(log))
          .containsExactly(
              "WARN Policy statuses not accepted by the API count=5 reason=PUT "
                  + server.baseUrl()
                  + PATH
                  + ": returned 422: the API does not accept the status of 0.1 kB; it may be too"
                  + " large, or hold what this API does not know");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {401, 403, 404, 500, 503})
  void givesUpOnTheRestWhenTheApiListensToNone(int status) {
    answer(aResponse().withStatus(status));

    try (var log = LogLines.capture()) {
      var rest = send(statuses(100));

      assertThat(rest).isEqualTo(statuses(100));
      assertThat(server.getAllServeEvents()).hasSizeLessThanOrEqualTo(6 * 3);
      assertThat(warnings(log)).hasSize(1);
      assertThat(warnings(log).getFirst()).contains("count=100").contains("returned " + status);
    }
  }

  @Test
  void asksASilentApiAFewTimesHoweverMuchThereIsToTell() throws Exception {
    try (var silent = RawServer.silent();
        var api = TestApi.at(silent.url());
        var log = LogLines.capture()) {
      var impatient =
          new RetryRules(
              3, Duration.ofMillis(250), 0, Duration.ofMinutes(1), Duration.ofMillis(300));

      var rest = send(sink(api, impatient), statuses(1000), "");

      assertThat(rest).isEqualTo(statuses(1000));
      // Four at once fail together, and each may have begun another before the rest had failed.
      assertThat(silent.connections()).isBetween(3, 8);
      assertThat(warnings(log).getFirst()).endsWith("did not complete the response in time");
    }
  }

  @Test
  void keepsTheStatusesOfAnApiThatIsNotThere() {
    try (var api = TestApi.at("http://127.0.0.1:1")) {
      assertThat(send(api, statuses(5))).isEqualTo(statuses(5));
    }
  }

  @Test
  void spendsNoMoreThanItsBudget() {
    answer(aResponse().withStatus(429).withHeader("Retry-After", "6"));

    try (var api = TestApi.at(server.baseUrl())) {
      assertThat(send(api, statuses(1))).hasSize(1);

      assertThat(api.clock().waits()).containsExactly(Duration.ofMillis(6250));
      assertThat(server.getAllServeEvents()).hasSize(2);
    }
  }

  @Test
  void followsNoRedirect() {
    answer(aResponse().withStatus(307).withHeader("Location", "/elsewhere"));

    assertThat(send(statuses(1))).hasSize(1);
    assertThat(server.getAllServeEvents()).hasSize(1);
  }

  @Test
  void sendsNothingOnceTheRunsTimeIsUp() {
    try (var api = TestApi.at(server.baseUrl())) {
      api.clock().runEndsIn(Duration.ZERO);

      assertThat(send(api, statuses(3))).hasSize(3);
      assertThat(server.getAllServeEvents()).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(classes = {IllegalStateException.class, StackOverflowError.class})
  void sendsTheOthersWhereOneCannotBeMade(Class<? extends Throwable> defect) {
    answer(aResponse().withStatus(200));
    var statuses = statuses(3);

    try (var api = TestApi.at(server.baseUrl());
        var log = LogLines.capture()) {
      var transmission = sink(api, RULES).begin(3);
      for (var status : statuses) {
        transmission.send(
            status,
            () -> {
              if (!status.equals(statuses.getFirst())) {
                return "";
              }
              if (defect == StackOverflowError.class) {
                throw new StackOverflowError("secret");
              }
              throw new IllegalStateException("secret");
            });
      }

      assertThat(transmission.end()).containsExactly(statuses.getFirst());
      assertThat(warnings(log).toString())
          .contains("no request could be made: " + defect.getName())
          .doesNotContain("secret");
    }
    assertThat(server.getAllServeEvents()).hasSize(2);
  }

  @Test
  void returnsAtOnceWhenInterrupted() throws Exception {
    try (var silent = RawServer.silent();
        var api = TestApi.at(silent.url())) {
      var rest = new ArrayList<PolicyStatus>();
      var sending = Thread.ofPlatform().daemon().start(() -> rest.addAll(send(api, statuses(9))));
      await().until(() -> silent.connections() == 4);

      sending.interrupt();

      assertThat(sending.join(Duration.ofSeconds(5))).isTrue();
      assertThat(rest).isEqualTo(statuses(9));
    }
  }

  private static List<PolicyStatus> send(List<PolicyStatus> statuses) {
    try (var api = TestApi.at(server.baseUrl())) {
      return send(api, statuses);
    }
  }

  private static List<PolicyStatus> send(TestApi api, List<PolicyStatus> statuses) {
    return send(sink(api, RULES), statuses, "");
  }

  private static List<PolicyStatus> send(
      StatusSink sink, List<PolicyStatus> statuses, String body) {
    var transmission = sink.begin(statuses.size());
    statuses.forEach(status -> transmission.send(status, () -> body));
    return transmission.end();
  }

  private static StatusSink sink(TestApi api, RetryRules rules) {
    return new InsightsStatuses(api.connections(), api.api(), "1.2.3", rules, api.clock());
  }

  private static List<PolicyStatus> statuses(int count) {
    var statuses = new ArrayList<PolicyStatus>();
    for (var i = 0; i < count; i++) {
      statuses.add(new PolicyStatus("p" + i, Operation.APPLY, true, Instant.EPOCH, "", List.of()));
    }
    return statuses;
  }

  private static List<String> warnings(LogLines log) {
    return log.all().stream().filter(line -> line.startsWith("WARN")).toList();
  }

  private static void answer(ResponseDefinitionBuilder response) {
    server.stubFor(any(anyUrl()).willReturn(response));
  }
}

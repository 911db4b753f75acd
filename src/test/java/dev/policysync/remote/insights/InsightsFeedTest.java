package dev.policysync.remote.insights;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static com.github.tomakehurst.wiremock.client.WireMock.any;
import static com.github.tomakehurst.wiremock.client.WireMock.anyUrl;
import static com.github.tomakehurst.wiremock.client.WireMock.ok;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.github.tomakehurst.wiremock.client.ResponseDefinitionBuilder;
import com.github.tomakehurst.wiremock.junit5.WireMockExtension;
import dev.policysync.remote.http.LogLines;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class InsightsFeedTest {
  private static final String PATH =
      "/v0/organizations/acme/clusters/prod-1/kyverno-policies/with-app-groups-applied/yaml";
  private static final String FEED = "apiVersion: kyverno.io/v1\nkind: ClusterPolicy\n";

  @RegisterExtension private static final WireMockExtension server = TestApi.server();

  @Test
  void readsTheFeedAsOneManifest() {
    answer(ok(FEED).withHeader("Content-Type", "text/yaml; charset=utf-8"));

    try (var api = TestApi.at(server.baseUrl())) {
      var manifests = api.feed().read();

      assertThat(manifests).hasSize(1);
      assertThat(manifests.getFirst().name()).isEqualTo("feed");
      assertThat(new String(manifests.getFirst().bytes(), UTF_8)).isEqualTo(FEED);
    }
  }

  @Test
  void asksOnceAsTheAgentsInUseDo() {
    answer(ok(FEED));

    try (var api = TestApi.at(server.baseUrl() + "//")) {
      api.feed().read();
    }

    assertThat(server.getAllServeEvents()).hasSize(1);
    var request = server.getAllServeEvents().getFirst().getRequest();
    assertThat(request.getMethod().getName()).isEqualTo("GET");
    assertThat(request.getUrl()).isEqualTo(PATH);
    assertThat(request.getHeader("Authorization")).isEqualTo("Bearer t0ken-hunter2");
    assertThat(request.getHeader("Content-Type")).isEqualTo("application/json");
    assertThat(request.getHeader("Accept")).isEqualTo("application/yaml, */*;q=0.5");
    assertThat(request.getHeader("Accept-Encoding")).isEqualTo("gzip");
    assertThat(request.getHeader("User-Agent")).isEqualTo("policy-sync/1.2.3");
    assertThat(request.getBody()).isEmpty();
  }

  @Test
  void asksForNamesWithSlashesAndSpacesAsOneSegmentEach() {
    answer(ok(FEED));
    var names = TestApi.connection(server.baseUrl(), "a/../b", "100% größer cluster");

    try (var api = TestApi.at(server.baseUrl())) {
      new InsightsFeed(api.connections(), names, "1.2.3", () -> Duration.ofMinutes(4)).read();
    }

    assertThat(server.getAllServeEvents().getFirst().getRequest().getUrl())
        .isEqualTo(
            "/v0/organizations/a%2F..%2Fb/clusters/100%25%20gr%C3%B6%C3%9Fer%20cluster"
                + "/kyverno-policies/with-app-groups-applied/yaml");
  }

  @Test
  void takesAnEmptyBodyForAFeedWithoutPolicies() {
    answer(ok().withHeader("Content-Length", "0"));

    try (var api = TestApi.at(server.baseUrl())) {
      assertThat(api.feed().read().getFirst().bytes()).isEmpty();
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "204 | expected 200 with the policies; check FAIRWINDS_INSIGHTS_HOST and the proxy",
        "203 | expected 200 with the policies; check FAIRWINDS_INSIGHTS_HOST and the proxy",
        "206 | expected 200 with the policies; check FAIRWINDS_INSIGHTS_HOST and the proxy",
        "304 | expected 200 with the policies; check FAIRWINDS_INSIGHTS_HOST and the proxy",
        "400 | the request was rejected; check FAIRWINDS_INSIGHTS_HOST",
        "401 | the token is not accepted; check FAIRWINDS_TOKEN or FAIRWINDS_TOKEN_FILE, and"
            + " that the token still exists",
        "403 | the token has no permission; check that it belongs to this cluster in this"
            + " organization",
        "404 | organization, cluster or API not found; check FAIRWINDS_ORG, FAIRWINDS_CLUSTER and"
            + " FAIRWINDS_INSIGHTS_HOST",
      })
  void triesWhatNoRepetitionMendsOnceAndSaysWhatToDo(int status, String meaning) {
    answer(aResponse().withStatus(status));

    try (var api = TestApi.at(server.baseUrl())) {
      var problem = api.problem();

      assertThat(problem)
          .hasMessage("GET " + server.baseUrl() + PATH + ": returned " + status + ": " + meaning);
      assertThat(problem.retryable()).isFalse();
      assertThat(server.getAllServeEvents()).hasSize(1);
      assertThat(api.clock().waits()).isEmpty();
    }
  }

  @Test
  void leavesAnUnusualServerErrorToTheNextRun() {
    answer(aResponse().withStatus(507));

    try (var api = TestApi.at(server.baseUrl())) {
      var problem = api.problem();

      assertThat(problem)
          .hasMessageEndingWith(
              "returned 507: the API or a gateway in front of it is failing; the next run retries");
      assertThat(problem.retryable()).isTrue();
      assertThat(server.getAllServeEvents()).hasSize(1);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"text/html", "Text/HTML; charset=utf-8", "application/xhtml+xml"})
  void refusesAWebPageThoughItComesWith200(String contentType) {
    answer(ok("<html>hunter2</html>").withHeader("Content-Type", contentType));

    try (var api = TestApi.at(server.baseUrl())) {
      var problem = api.problem();

      assertThat(problem)
          .hasMessageContaining("returned 200 with a web page (")
          .hasMessageEndingWith(
              ") instead of policies, possibly from a proxy or a login page; check"
                  + " FAIRWINDS_INSIGHTS_HOST and HTTPS_PROXY");
      assertThat(problem.retryable()).isFalse();
      assertThat(server.getAllServeEvents()).hasSize(1);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "application/octet-stream; charset=x, application/octet-stream",
    "t0ken-hunter2, malformed",
  })
  void readsAFeedOfAnotherContentTypeAndSaysSo(String contentType, String logged) {
    answer(ok(FEED).withHeader("Content-Type", contentType));

    try (var api = TestApi.at(server.baseUrl());
        var log = LogLines.capture()) {
      assertThat(api.feed().read()).hasSize(1);

      assertThat(log.all()).contains("DEBUG Unexpected content type of the feed reason=" + logged);
    }
  }

  @Test
  void saysThatAnErrorIsAWebPage() {
    answer(aResponse().withStatus(403).withHeader("Content-Type", "text/html").withBody("<html>"));

    try (var api = TestApi.at(server.baseUrl())) {
      assertThat(api.problem())
          .hasMessageEndingWith(
              " (the response is a web page, possibly from a proxy or a login page)");
    }
  }

  private static void answer(ResponseDefinitionBuilder response) {
    server.stubFor(any(anyUrl()).willReturn(response));
  }
}

package dev.policysync.remote.insights;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static com.github.tomakehurst.wiremock.client.WireMock.post;
import static com.github.tomakehurst.wiremock.client.WireMock.urlPathEqualTo;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.tomakehurst.wiremock.client.ResponseDefinitionBuilder;
import com.github.tomakehurst.wiremock.http.Fault;
import com.github.tomakehurst.wiremock.http.Request;
import com.github.tomakehurst.wiremock.junit5.WireMockExtension;
import com.github.tomakehurst.wiremock.stubbing.Scenario;
import com.github.tomakehurst.wiremock.stubbing.ServeEvent;
import dev.policysync.report.UploadBody;
import dev.policysync.report.UploadFailed;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class InsightsReportsTest {
  private static final String PATH = "/v0/organizations/acme/clusters/prod-1/data/kyverno";
  private static final RetryRules RULES = TestApi.withoutChance(RetryRules.REPORT);

  @RegisterExtension private static final WireMockExtension server = TestApi.server();

  private final UploadBody body = new Content("{\"kyvernoVersion\":\"größe\"}".getBytes(UTF_8));

  @Test
  void postsTheReportOnceWithItsLengthAndTheDocumentedHeaders() {
    answer(PATH, aResponse().withStatus(200));

    send();

    assertThat(requests()).hasSize(1);
    var request = requests().getFirst();
    assertThat(request.getBodyAsString()).isEqualTo("{\"kyvernoVersion\":\"größe\"}");
    assertThat(request.getHeader("Content-Length")).isEqualTo(Long.toString(body.length()));
    assertThat(request.getHeader("Transfer-Encoding")).isNull();
    assertThat(request.getHeader("Content-Type")).isEqualTo("application/json");
    assertThat(request.getHeader("Authorization")).isEqualTo("Bearer " + TestApi.TOKEN);
    assertThat(request.getHeader("X-Fairwinds-Agent-Version")).isEqualTo("1.2.3");
    assertThat(request.getHeader("X-Fairwinds-Report-Version")).isEqualTo("1.2.3");
    assertThat(request.getHeader("X-Fairwinds-Agent-Chart-Version")).isEqualTo("6.5.0");
  }

  @Test
  void u1One503DoesNotLoseTheReport() {
    first(aResponse().withStatus(503), aResponse().withStatus(204));

    send();

    assertThat(requests())
        .extracting(Request::getBodyAsString)
        .containsExactly("{\"kyvernoVersion\":\"größe\"}", "{\"kyvernoVersion\":\"größe\"}");
  }

  @Test
  void sendsAgainOnceWhereTheAnswerWasLost() {
    answer(PATH, aResponse().withFault(Fault.CONNECTION_RESET_BY_PEER));

    assertThatThrownBy(this::send)
        .isInstanceOf(UploadFailed.class)
        .hasMessageContaining("may have accepted the report");
    assertThat(requests()).hasSize(2);
  }

  @Test
  void neverRepeatsWhatIsRefusedForGood() {
    answer(PATH, aResponse().withStatus(401).withBody("nothing of this is shown"));

    assertThatThrownBy(this::send)
        .isInstanceOf(UploadFailed.class)
        .hasMessageContaining("POST http://localhost")
        .hasMessageContaining("returned 401: the token is not accepted")
        .hasMessageNotContaining("nothing of this");
    assertThat(requests()).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource({
    "413, the report of 4.8 MB is too large for the API or a proxy in front of it",
    "422, the API does not accept the report of 4.8 MB; it may be too large"
  })
  void saysHowLargeAReportIsThatIsRefusedForIt(int status, String why) {
    answer(PATH, aResponse().withStatus(status));
    var large = new byte[4_800_000];

    try (var api = TestApi.at(server.baseUrl())) {
      var reports = reports(api, api.clock());
      assertThatThrownBy(() -> reports.send(new Content(large)))
          .isInstanceOf(UploadFailed.class)
          .hasMessageContaining("returned " + status + ": " + why)
          .hasMessageNotContaining("FAIRWINDS_INSIGHTS_HOST");
    }
    assertThat(requests()).hasSize(1);
  }

  @Test
  void takesARedirectForNoSuccess() {
    answer(PATH, aResponse().withStatus(302).withHeader("Location", "/login"));

    assertThatThrownBy(this::send).isInstanceOf(UploadFailed.class);
  }

  @Test
  void u2TellsThatThereIsNoReportEvenWhenNoTimeIsLeft() {
    answer(PATH + "/failure", aResponse().withStatus(200));

    try (var api = TestApi.at(server.baseUrl())) {
      reports(api, new FakeRetryClock().runEndsIn(Duration.ZERO)).sendFailure("list …: HTTP 403");
    }

    assertThat(requests()).extracting(Request::getUrl).containsExactly(PATH + "/failure");
    assertThat(requests()).extracting(Request::getBodyAsString).containsExactly("list …: HTTP 403");
  }

  private void send() {
    try (var api = TestApi.at(server.baseUrl())) {
      reports(api, api.clock()).send(body);
    }
  }

  private static InsightsReports reports(TestApi api, RetryClock clock) {
    return new InsightsReports(
        api.connections(),
        api.api(),
        "1.2.3",
        "6.5.0",
        RULES,
        RetryRules.REPORT_FAILURE,
        clock,
        new FakeRetryClock());
  }

  private static void answer(String path, ResponseDefinitionBuilder answer) {
    server.stubFor(post(urlPathEqualTo(path)).willReturn(answer));
  }

  private static void first(ResponseDefinitionBuilder one, ResponseDefinitionBuilder then) {
    server.stubFor(
        post(urlPathEqualTo(PATH))
            .inScenario("twice")
            .whenScenarioStateIs(Scenario.STARTED)
            .willReturn(one)
            .willSetStateTo("again"));
    server.stubFor(
        post(urlPathEqualTo(PATH))
            .inScenario("twice")
            .whenScenarioStateIs("again")
            .willReturn(then));
  }

  private static List<Request> requests() {
    return server.getAllServeEvents().reversed().stream()
        .map(ServeEvent::getRequest)
        .map(Request.class::cast)
        .toList();
  }

  @SuppressWarnings("ArrayRecordComponent") // compared by nobody
  private record Content(byte[] bytes) implements UploadBody {
    @Override
    public long length() {
      return bytes.length;
    }

    @Override
    public void writeTo(OutputStream out) throws IOException {
      out.write(bytes);
    }
  }
}

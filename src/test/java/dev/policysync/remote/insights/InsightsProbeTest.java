package dev.policysync.remote.insights;

import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.base.Secret;
import dev.policysync.inspect.ApiDiagnostics.Probe;
import dev.policysync.remote.http.Connections;
import dev.policysync.remote.http.ProxyRules;
import dev.policysync.remote.http.RawServer;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class InsightsProbeTest {
  private static final Clock CLOCK =
      Clock.fixed(Instant.parse("2026-11-21T12:00:10.500Z"), ZoneOffset.UTC);

  /// The server hangs up after these bytes, so whoever wanted the rest would fail.
  @Test
  void hangsUpAfterTheFirstBytesOfALongFeed() throws IOException {
    var answer =
        probe(
            "apiVersion: kyverno.io/v1 # and so on, for longer than is looked at",
            "Content-Type: text/yaml",
            "Content-Length: 50000000",
            "Date: Sat, 21 Nov 2026 12:00:00 GMT");

    assertThat(answer.refusal()).isEmpty();
    assertThat(answer.ahead()).contains(Duration.ofSeconds(10));
    assertThat(answer.certificate()).isEmpty();
  }

  @Test
  void takesAnEmptyFeedForAnAnswer() throws IOException {
    var answer = probe("HTTP/1.1 200 OK\r\nContent-Type: text/yaml\r\nContent-Length: 0\r\n\r\n");

    assertThat(answer.refusal()).isEmpty();
    assertThat(answer.ahead()).isEqualTo(Optional.empty());
  }

  @Test
  void knowsAPageByItsTypeOrItsFirstBytes() throws IOException {
    var typed = probe("", "Content-Type: text/html", "Content-Length: 0");
    var untyped = probe(" <html>log in</html>", "Content-Type: text/plain", "Content-Length: 20");

    assertThat(typed.refusal()).get().asString().contains("a web page (text/html)");
    assertThat(untyped.refusal()).get().asString().contains("returned 200 with a web page");
  }

  @Test
  void followsNobodyWithTheToken() throws IOException {
    try (var server =
        RawServer.answering(
            answer("302 Found", "", "Location: https://elsewhere.example/", "Content-Length: 0"))) {
      assertThat(ask(server))
          .isInstanceOfSatisfying(
              Probe.Unanswered.class,
              unanswered -> assertThat(unanswered.reason()).contains("redirect to another host"));
      assertThat(server.requests()).hasSize(1);
    }
  }

  private static Probe.Answered probe(String body, String... headers) throws IOException {
    try (var server = RawServer.answering(answer("200 OK", body, headers))) {
      return (Probe.Answered) ask(server);
    }
  }

  private static String answer(String status, String body, String... headers) {
    return "HTTP/1.1 " + status + "\r\n" + String.join("\r\n", headers) + "\r\n\r\n" + body;
  }

  private static Probe ask(RawServer server) {
    var api = InsightsConnection.of(server.url(), "acme", "prod-1", Secret.of("k7Qz-vXw9-Jt3R"));
    try (var connections = Connections.plain(ProxyRules.none())) {
      return new InsightsProbe(connections, api, "0.1.0", CLOCK).probe();
    }
  }
}

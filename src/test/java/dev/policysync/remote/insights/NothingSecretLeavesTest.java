package dev.policysync.remote.insights;

import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.remote.http.LogLines;
import dev.policysync.remote.http.RawServer;
import dev.policysync.sync.PolicyStatus;
import dev.policysync.sync.PolicyStatus.Operation;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Servers that say the token and a policy back to us wherever an answer can hold text.
class NothingSecretLeavesTest {
  private static final String SAID_BACK = "t0ken-hunter2 privileged: true";

  /// `t0ken` in hexadecimal, as some libraries show bytes.
  private static final String HEXADECIMAL = "74306b656e";

  @ParameterizedTest
  @ValueSource(
      strings = {
        "HTTP/1.1 200 %1$s\r\nContent-Length: 30\r\nContent-Type: text/yaml; a=%1$s\r\n\r\n%1$s",
        "HTTP/1.1 200 %1$s\r\nContent-Length: 99\r\n\r\n%1$s",
        "HTTP/1.1 200 %1$s\r\n\r\n%1$s",
        "HTTP/1.1 200 OK\r\nContent-Type: text/html; x=\"%1$s\"\r\nContent-Length: 30\r\n\r\n%1$s",
        "HTTP/1.1 200 OK\r\nContent-Type: text/html%1$s\r\nContent-Encoding: %1$s\r\n\r\n%1$s",
        "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 30\r\n\r\n%1$s",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n%1$s\r\n",
        "HTTP/1.1 200 OK\r\n%1$s\r\n\r\n",
        "HTTP/1.1 401 %1$s\r\nWWW-Authenticate: %1$s\r\nContent-Length: 30\r\n\r\n%1$s",
        "HTTP/1.1 403 %1$s\r\nContent-Length: 30\r\nContent-Type: %1$s\r\n\r\n%1$s",
        "HTTP/1.1 500 %1$s\r\nContent-Length: 30\r\n\r\n%1$s",
        "HTTP/1.1 429 %1$s\r\nRetry-After: %1$s\r\nContent-Length: 30\r\n\r\n%1$s",
        "HTTP/1.1 302 %1$s\r\nLocation: http://u:t0ken-hunter2@a.example/%1$s\r\n\r\n",
        "HTTP/1.1 302 %1$s\r\nLocation: mailto:%1$s\r\n\r\n",
        "%1$s\r\n\r\n",
        "HTTP/1.1 %1$s\r\n\r\n",
        "%1$s",
      })
  void responsesOfTheServerShowNoToken(String answer) throws IOException {
    var bytes = answer.replace("%1$s", SAID_BACK);

    try (var server = RawServer.answering(bytes);
        var api = TestApi.at(server.url());
        var log = LogLines.capture()) {
      var seen = new StringWriter();
      try {
        seen.append(api.feed().read().toString());
      } catch (RuntimeException e) {
        e.printStackTrace(new PrintWriter(seen, true));
      }
      send(api);
      log.all().forEach(seen::append);

      assertThat(server.requests()).anyMatch(head -> head.contains("t0ken-hunter2"));
      assertThat(seen.toString().toLowerCase(Locale.ROOT))
          .contains("http exchange")
          .doesNotContain("t0ken", "hunter2", "privileged", HEXADECIMAL);
    }
  }

  private static void send(TestApi api) {
    var status = new PolicyStatus("p", Operation.APPLY, false, Instant.EPOCH, SAID_BACK, List.of());
    var transmission =
        new InsightsStatuses(api.connections(), api.api(), "1.2.3", TestApi.RULES, api.clock())
            .begin(1);
    transmission.send(status, () -> SAID_BACK);
    transmission.end();
  }
}

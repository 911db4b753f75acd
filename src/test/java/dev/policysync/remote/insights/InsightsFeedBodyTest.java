package dev.policysync.remote.insights;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.github.tomakehurst.wiremock.common.Gzip;
import dev.policysync.remote.http.RawServer;
import java.io.IOException;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What half an answer looks like on the wire, and that none passes for a whole one.
class InsightsFeedBodyTest {
  private static final String OK = "HTTP/1.1 200 OK\r\n";

  @ParameterizedTest
  @ValueSource(
      strings = {
        OK + "Content-Length: 7\r\n\r\nkind: x",
        OK + "Transfer-Encoding: chunked\r\n\r\n4\r\nkind\r\n3\r\n: x\r\n0\r\n\r\n",
        "HTTP/1.0 200 OK\r\nContent-Length: 7\r\n\r\nkind: x",
      })
  void takesABodyWhoseEndIsAnnounced(String answer) throws IOException {
    try (var server = RawServer.answering(answer);
        var api = TestApi.at(server.url())) {
      assertThat(new String(api.feed().read().getFirst().bytes(), UTF_8)).isEqualTo("kind: x");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        OK + "Content-Length: 70\r\n\r\nkind: x",
        OK + "Transfer-Encoding: chunked\r\n\r\n7\r\nkind: x\r\n",
        OK + "Transfer-Encoding: chunked\r\n\r\n70\r\nkind: x",
        OK + "Transfer-Encoding: chunked\r\n\r\n7\r\nkind: x\r\n0\r\n",
        OK + "Content-Length: 0\r\nContent-Encoding: gzip\r\nConnection: close\r\n\r\n",
        OK + "Content-Len",
        "",
      })
  void refusesABodyThatIsCutOffAndTriesAgain(String answer) throws IOException {
    try (var server = RawServer.answering(answer);
        var api = TestApi.at(server.url())) {
      var problem = api.problem();

      assertThat(problem)
          .hasMessageEndingWith(
              ": the connection was reset or the response truncated (4 attempts)");
      assertThat(problem.retryable()).isTrue();
      assertThat(server.requests()).hasSize(4);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        OK + "Connection: close\r\n\r\nkind: x",
        "HTTP/1.0 200 OK\r\n\r\nkind: x",
        OK + "Content-Length: many\r\n\r\nkind: x",
        OK + "Content-Length: -1\r\n\r\nkind: x",
        OK + "Transfer-Encoding: gzip, chunked\r\n\r\n7\r\nkind: x\r\n0\r\n\r\n",
      })
  void refusesABodyThatEndsWithTheConnection(String answer) throws IOException {
    try (var server = RawServer.answering(answer);
        var api = TestApi.at(server.url())) {
      var problem = api.problem();

      assertThat(problem)
          .hasMessageEndingWith(
              ": returned 200 with a body of unknown length, so truncation cannot be detected;"
                  + " check the proxy");
      assertThat(problem.retryable()).isFalse();
      assertThat(server.requests()).hasSize(1);
    }
  }

  @Test
  void unpacksGzip() throws IOException {
    try (var server = RawServer.answering(gzip(Gzip.gzip("kind: x\n".repeat(1000))));
        var api = TestApi.at(server.url())) {
      var bytes = api.feed().read().getFirst().bytes();

      assertThat(new String(bytes, UTF_8)).isEqualTo("kind: x\n".repeat(1000));
    }
  }

  @Test
  void refusesAGzipBodyThatIsCutOff() throws IOException {
    var whole = Gzip.gzip("kind: x\n".repeat(1000));
    var half = Arrays.copyOf(whole, whole.length / 2);

    try (var server = RawServer.answering(gzip(half));
        var api = TestApi.at(server.url())) {
      assertThat(api.problem())
          .hasMessageEndingWith(
              ": the connection was reset or the response truncated (4 attempts)");
    }
  }

  @Test
  void refusesAGzipBodyThatEndsWithTheConnection() throws IOException {
    var head = (OK + "Content-Encoding: gzip\r\n\r\n").getBytes(ISO_8859_1);

    try (var server = RawServer.answering(join(head, Gzip.gzip("kind: x")));
        var api = TestApi.at(server.url())) {
      assertThat(api.problem()).hasMessageContaining("body of unknown length");
    }
  }

  @Test
  void refusesACompressionThatItDidNotAskFor() throws IOException {
    try (var server =
            RawServer.answering(OK + "Content-Encoding: br\r\nContent-Length: 2\r\n\r\nxx");
        var api = TestApi.at(server.url())) {
      var problem = api.problem();

      assertThat(problem)
          .hasMessageEndingWith(
              ": returned 200 with a compression that was not requested; check the proxy");
      assertThat(problem.retryable()).isFalse();
    }
  }

  @Test
  void takesABodyOfExactlyTheLimit() throws IOException {
    try (var server = RawServer.answering(OK + "Content-Length: 7\r\n\r\nkind: x");
        var api = TestApi.at(server.url())) {
      assertThat(api.feed(TestApi.RULES, 7).read().getFirst().bytes()).hasSize(7);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "Content-Length: 7\\r\\n\\r\\nkind: x | feed of 7 bytes | 64m",
        "Content-Length: 99999999999\\r\\n\\r\\nkind: x | feed of 95367.4 MiB | 1525888m",
        "Transfer-Encoding: chunked\\r\\n\\r\\n7\\r\\nkind: x\\r\\n0\\r\\n\\r\\n | feed |"
            + " 256m",
      })
  void refusesABodyOverTheLimit(String escaped, String size, String heap) throws IOException {
    var answer = OK + escaped.replace("\\r\\n", "\r\n");
    try (var server = RawServer.answering(answer);
        var api = TestApi.at(server.url())) {
      var problem = TestApi.problem(api.feed(TestApi.RULES, 6));

      assertThat(problem)
          .hasMessageEndingWith(
              ": the "
                  + size
                  + " exceeds the limit of 6 bytes for a heap of 128.0 MiB; increase the heap"
                  + " with POLICY_SYNC_JAVA_OPTIONS=-Xmx"
                  + heap
                  + " (chart: javaOptions, with a matching memory limit), or check"
                  + " FAIRWINDS_INSIGHTS_HOST");
      assertThat(problem.retryable()).isFalse();
      assertThat(server.requests()).hasSize(1);
    }
  }

  @Test
  void refusesAGzipBodyThatUnpacksToMoreThanTheLimit() throws IOException {
    var bomb = Gzip.gzip(" ".repeat(2_000_000));

    try (var server = RawServer.answering(gzip(bomb));
        var api = TestApi.at(server.url())) {
      assertThat(bomb.length).isLessThan(10_000);
      assertThat(api.problem())
          .hasMessageContaining(": the feed exceeds the limit of 1.0 MiB for a heap of ");
    }
  }

  private static byte[] gzip(byte[] body) {
    var head = OK + "Content-Encoding: gzip\r\nContent-Length: " + body.length + "\r\n\r\n";
    return join(head.getBytes(ISO_8859_1), body);
  }

  private static byte[] join(byte[] head, byte[] body) {
    var all = Arrays.copyOf(head, head.length + body.length);
    System.arraycopy(body, 0, all, head.length, body.length);
    return all;
  }
}

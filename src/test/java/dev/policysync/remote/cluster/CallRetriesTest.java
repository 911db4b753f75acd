package dev.policysync.remote.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.policysync.remote.http.RawServer;
import dev.policysync.sync.execution.ClusterUnavailable;
import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;
import okhttp3.HttpUrl;
import okhttp3.MediaType;
import okhttp3.OkHttpClient;
import okhttp3.Protocol;
import okhttp3.Response;
import okhttp3.ResponseBody;
import okhttp3.internal.http2.ConnectionShutdownException;
import okhttp3.internal.http2.ErrorCode;
import okhttp3.internal.http2.StreamResetException;
import okio.Buffer;
import okio.ForwardingSource;
import okio.Okio;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What is asked again after a failure, and what never: a write that may have been done.
class CallRetriesTest {
  private static final HttpUrl SERVER = HttpUrl.get("https://api.example/");
  private static final MediaType JSON = MediaType.get("application/json");

  private final ArrayDeque<Next> answers = new ArrayDeque<>();
  private final List<String> asked = new ArrayList<>();
  private final FakeTimeBudget patience = FakeTimeBudget.pausing(Duration.ZERO);

  /// What comes back, or does not.
  private interface Next {
    Response.Builder answer() throws IOException;
  }

  @ParameterizedTest
  @ValueSource(ints = {429, 500, 502, 503, 504})
  void asksTwiceMoreWhereTheServerFailsAtARead(int status) {
    answer(status, "{\"message\": \"etcdserver: leader changed\"}");
    answer(status, "{\"message\": \"etcdserver: request timed out\"}");
    answer(200, "{\"kind\": \"Lease\"}");

    assertThat(read().body().text("kind")).contains("Lease");
    assertThat(asked).hasSize(3);
  }

  @Test
  void handsOnTheThirdFailureOfARead() {
    answer(500, "{\"message\": \"a\"}");
    answer(500, "{\"message\": \"b\"}");
    answer(500, "{\"message\": \"c\"}");

    assertThat(read().message()).isEqualTo("c");
    assertThat(asked).hasSize(3);
  }

  @ParameterizedTest
  @CsvSource({"PATCH,429", "PATCH,500", "POST,502", "PUT,503", "DELETE,504"})
  void sendsAWriteOnceThatTheServerFailedAt(String method, int status) {
    answer(status, "{\"message\": \"etcdserver: request timed out\"}");

    assertThat(write(method).status()).isEqualTo(status);
    assertThat(asked).containsExactly(method);
  }

  static Stream<IOException> brokenConnections() {
    return Stream.of(
        new SocketException("Connection reset"),
        new EOFException(),
        new ConnectException("refused"),
        new SocketTimeoutException("connect timed out"),
        new SSLException("Connection reset"),
        new StreamResetException(ErrorCode.INTERNAL_ERROR));
  }

  @ParameterizedTest
  @MethodSource("brokenConnections")
  void readsAgainWhereTheConnectionBreaks(IOException failure) {
    fails(failure);
    answer(200, "{}");

    assertThat(read().ok()).isTrue();
    assertThat(asked).hasSize(2);
  }

  @ParameterizedTest
  @MethodSource("brokenConnections")
  void sendsNoWriteAgainThatMayHaveBeenDone(IOException failure) {
    fails(failure);

    assertThatThrownBy(() -> write("PATCH"))
        .isInstanceOfSatisfying(
            ClusterUnavailable.class, e -> assertThat(e.failure().retryable()).isTrue());
    assertThat(asked).hasSize(1);
  }

  @ParameterizedTest
  @MethodSource("refusals")
  void sendsAWriteAgainThatAnEndingServerDidNotLookAt(IOException refusal) {
    fails(refusal);
    answer(200, "{}");

    assertThat(write("DELETE").ok()).isTrue();
    assertThat(asked).hasSize(2);
  }

  static Stream<IOException> refusals() {
    return Stream.of(
        new StreamResetException(ErrorCode.REFUSED_STREAM), new ConnectionShutdownException());
  }

  @Test
  void readsABodyAnewThatBrokeOff() throws Exception {
    answers.add(() -> response(200).body(broken("half of it")));
    answer(200, "all of it");

    var body =
        api().stream(SERVER, KubeApi.JSON, stream -> new String(stream.readAllBytes(), UTF_8));

    assertThat(body).isEqualTo("all of it");
  }

  @Test
  void asksNoFurtherWhereTimeIsUp() {
    fails(new java.io.InterruptedIOException("timeout"));

    assertThatThrownBy(this::read).hasMessageContaining("no response in time");
    assertThat(asked).hasSize(1);
  }

  @Test
  void asksNoFurtherOnceTheRunIsToldToStop() {
    patience.over("stopped", Duration.ofSeconds(4));
    fails(new SocketException("Socket closed"));

    assertThatThrownBy(this::read).hasMessageContaining("failed: stopped");
    assertThat(asked).hasSize(1);
  }

  @Test
  void triesEveryAddressOfAHost() throws IOException {
    try (var server =
        RawServer.answering(
            "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}")) {
      var url = HttpUrl.get(server.url()).newBuilder().host("api.example").build();
      var addresses =
          List.of(InetAddress.ofLiteral("127.0.0.9"), InetAddress.ofLiteral("127.0.0.1"));
      var http = new OkHttpClient.Builder().dns(_ -> addresses).build();
      var api = new KubeApi(new ClusterConnection(url, http, "default", () -> {}));

      var apiResponse = api.send("PATCH", url, KubeApi.APPLY, "{}", KubeApi.JSON);

      assertThat(apiResponse.ok()).isTrue();
    }
  }

  private ApiResponse read() {
    return api().get(SERVER, KubeApi.JSON);
  }

  private ApiResponse write(String method) {
    return api().send(method, SERVER, KubeApi.JSON_BODY, "{}", KubeApi.JSON);
  }

  private void answer(int status, String body) {
    answers.add(() -> response(status).body(ResponseBody.create(body, JSON)));
  }

  private void fails(IOException failure) {
    answers.add(() -> {
      throw failure;
    });
  }

  private static Response.Builder response(int status) {
    return new Response.Builder()
        .protocol(Protocol.HTTP_2)
        .code(status)
        .message("")
        .header("Content-Type", "application/json");
  }

  private static ResponseBody broken(String text) {
    var source =
        new ForwardingSource(new Buffer().writeUtf8(text)) {
          @Override
          public long read(Buffer sink, long count) throws IOException {
            var read = super.read(sink, count);
            if (read < 0) {
              throw new StreamResetException(ErrorCode.CANCEL);
            }
            return read;
          }
        };
    return ResponseBody.create(Okio.buffer(source), JSON, -1);
  }

  private KubeApi api() {
    var http =
        new OkHttpClient.Builder()
            .addInterceptor(chain -> {
              asked.add(chain.request().method());
              return answers.remove().answer().request(chain.request()).build();
            })
            .build();
    var connection = new ClusterConnection(SERVER, http, "default", () -> {});
    return new KubeApi(connection.withTimeBudget(patience));
  }
}

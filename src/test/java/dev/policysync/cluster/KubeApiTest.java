package dev.policysync.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.policysync.sync.ClusterUnavailable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import okhttp3.HttpUrl;
import okhttp3.Interceptor;
import okhttp3.MediaType;
import okhttp3.OkHttpClient;
import okhttp3.Protocol;
import okhttp3.Response;
import okhttp3.ResponseBody;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// An API server that is busy, and answers that no API server gives.
class KubeApiTest {
  private static final HttpUrl SERVER = HttpUrl.get("https://api.example/");
  private static final String BUSY = "{\"kind\": \"Status\", \"message\": \"too many requests\"}";

  private final List<String> asked = new ArrayList<>();

  @ParameterizedTest
  @ValueSource(ints = {429, 503})
  void asksABusyServerAgain(int status) {
    var api = api(chain -> asked.size() < 3 ? busy(chain, status) : answer(chain, 200, "{}"));

    var answer = api.send("PATCH", SERVER, KubeApi.APPLY, "{}", KubeApi.JSON);

    assertThat(answer.status()).isEqualTo(200);
    assertThat(asked).containsExactly("PATCH", "PATCH", "PATCH");
  }

  @Test
  void asksABusyServerAsOftenAsKubectlDoes() {
    var answer = api(chain -> busy(chain, 429)).get(SERVER, KubeApi.JSON);

    assertThat(answer.status()).isEqualTo(429);
    assertThat(answer.message()).isEqualTo("too many requests");
    assertThat(asked).hasSize(10);
  }

  @ParameterizedTest
  @CsvSource({"GET,5,10", "PATCH,5,3", "PATCH,60,1", "DELETE,60,1", "PUT,11,1"})
  void sendsNoWriteLongAfterTheLeaseWasLookedAt(String method, int pauseSeconds, int times) {
    var time = new AtomicLong();
    var connection =
        connection(chain -> busy(chain, 429))
            .pausingBy(_ -> {
              time.addAndGet(Duration.ofSeconds(pauseSeconds).toNanos());
              return true;
            });
    var api = new KubeApi(connection, time::get);

    var answer =
        method.equals("GET")
            ? api.get(SERVER, KubeApi.JSON)
            : api.send(method, SERVER, KubeApi.JSON_BODY, "{}", KubeApi.JSON);

    assertThat(answer.status()).isEqualTo(429);
    assertThat(asked).hasSize(times);
  }

  @Test
  void sendsNoWriteThatWaitedTooLongForItsTurn() {
    // The clock jumps between the asking and the turn.
    var time = new AtomicLong();
    var api =
        new KubeApi(
            connection(chain -> answer(chain, 200, "{}")),
            () -> time.getAndAdd(Duration.ofSeconds(60).toNanos()));

    assertThatThrownBy(() -> api.send("PATCH", SERVER, KubeApi.APPLY, "{}", KubeApi.JSON))
        .isInstanceOf(ClusterUnavailable.class)
        .hasMessageContaining("too busy; it was not sent");
    assertThat(asked).isEmpty();
  }

  @Test
  void waitsNoLongerOnceTheRunIsToldToStop() {
    var api = new KubeApi(connection(chain -> busy(chain, 429)).pausingBy(_ -> false));

    var answer = api.get(SERVER, KubeApi.JSON);

    assertThat(answer.status()).isEqualTo(429);
    assertThat(answer.message()).isEqualTo("too many requests");
    assertThat(asked).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(ints = {400, 401, 403, 404, 409, 410, 413, 422})
  void asksOnceWhereTheServerDoesNotAskForPatience(int status) {
    var answer = api(chain -> answer(chain, status, BUSY)).get(SERVER, KubeApi.JSON);

    assertThat(answer.status()).isEqualTo(status);
    assertThat(asked).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"{\"s3cret\": ", "{s3cret}", "s3cret"})
  void saysOfAnAnswerThatItCannotReadOnlyThatMuch(String body) {
    var api = api(chain -> answer(chain, 200, body));

    assertThatThrownBy(() -> api.get(SERVER, KubeApi.JSON))
        .isInstanceOf(ClusterUnavailable.class)
        .hasMessageStartingWith("GET https://api.example/ failed: the answer is no JSON")
        .hasMessageNotContainingAny("s3cret", "\n");
    assertThat(asked).hasSize(1);
  }

  private Response busy(Interceptor.Chain chain, int status) {
    return answer(chain, status, BUSY).newBuilder().header("Retry-After", "0").build();
  }

  private static Response answer(Interceptor.Chain chain, int status, String body) {
    return new Response.Builder()
        .request(chain.request())
        .protocol(Protocol.HTTP_2)
        .code(status)
        .message("")
        .header("Content-Type", "application/json")
        .body(ResponseBody.create(body, MediaType.get("application/json")))
        .build();
  }

  private KubeApi api(Interceptor server) {
    return new KubeApi(connection(server));
  }

  private ClusterConnection connection(Interceptor server) {
    var http =
        new OkHttpClient.Builder()
            .addInterceptor(chain -> {
              asked.add(chain.request().method());
              return server.intercept(chain);
            })
            .build();
    return new ClusterConnection(SERVER, http, "default", () -> {});
  }
}

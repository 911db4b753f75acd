package dev.policysync.remote.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.policysync.plan.Failure;
import dev.policysync.sync.execution.ClusterUnavailable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
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

    var apiResponse = api.send("PATCH", SERVER, KubeApi.APPLY, "{}", KubeApi.JSON);

    assertThat(apiResponse.status()).isEqualTo(200);
    assertThat(asked).containsExactly("PATCH", "PATCH", "PATCH");
  }

  @Test
  void asksABusyServerAsOftenAsKubectlDoes() {
    var apiResponse = api(chain -> busy(chain, 429)).get(SERVER, KubeApi.JSON);

    assertThat(apiResponse.status()).isEqualTo(429);
    assertThat(apiResponse.message()).isEqualTo("too many requests");
    assertThat(asked).hasSize(10);
  }

  @ParameterizedTest
  @CsvSource({"GET,5,10", "PATCH,5,3", "PATCH,60,1", "DELETE,60,1", "PUT,11,1"})
  void sendsNoWriteLongAfterTheLeaseWasLookedAt(String method, int pauseSeconds, int times) {
    var patience = FakeTimeBudget.pausing(Duration.ofSeconds(pauseSeconds));
    var api = api(chain -> busy(chain, 429), patience);

    var apiResponse =
        method.equals("GET")
            ? api.get(SERVER, KubeApi.JSON)
            : api.send(method, SERVER, KubeApi.JSON_BODY, "{}", KubeApi.JSON);

    assertThat(apiResponse.status()).isEqualTo(429);
    assertThat(asked).hasSize(times);
    assertThat(apiResponse.attempts().count()).isEqualTo(times);
  }

  @Test
  void sendsNoWriteThatWaitedTooLongForItsTurn() {
    // The clock jumps between the asking and the turn.
    var patience = FakeTimeBudget.pausing(Duration.ZERO).jumping(Duration.ofSeconds(60));
    var api = api(chain -> answer(chain, 200, "{}"), patience);

    assertThatThrownBy(() -> api.send("PATCH", SERVER, KubeApi.APPLY, "{}", KubeApi.JSON))
        .isInstanceOf(ClusterUnavailable.class)
        .hasMessageContaining("overloaded; the request was not sent");
    assertThat(asked).isEmpty();
  }

  /// One policy may take several writes, and in between the Lease can be lost.
  @Test
  void sendsNoWriteOnceTheLeaseIsLost() {
    var ours = new AtomicBoolean(true);
    var api =
        new KubeApi(
            connection(chain -> {
              ours.set(false);
              return answer(chain, 200, "{}");
            }),
            ours::get);
    api.send("PATCH", SERVER, KubeApi.APPLY, "{}", KubeApi.JSON);

    assertThatThrownBy(() -> api.send("PATCH", SERVER, KubeApi.JSON_PATCH, "[]", KubeApi.JSON))
        .isInstanceOfSatisfying(
            ClusterUnavailable.class,
            e -> assertThat(e.failure().cause()).isEqualTo(Failure.Cause.NOT_SENT))
        .hasMessageContaining("the Lease was lost; the request was not sent");
    assertThat(api.get(SERVER, KubeApi.JSON).status()).isEqualTo(200);
    assertThat(asked).containsExactly("PATCH", "GET");
  }

  @Test
  void sendsNoWriteAgainOnceTheLeaseIsLost() {
    var ours = new AtomicBoolean(true);
    var api =
        new KubeApi(
            connection(
                    chain -> {
                      ours.set(false);
                      return busy(chain, 429);
                    })
                .withTimeBudget(FakeTimeBudget.pausing(Duration.ZERO)),
            ours::get);

    var apiResponse = api.send("PATCH", SERVER, KubeApi.APPLY, "{}", KubeApi.JSON);

    assertThat(apiResponse.status()).isEqualTo(429);
    assertThat(asked).containsExactly("PATCH");
  }

  @Test
  void waitsNoLongerOnceTheRunIsToldToStop() {
    var told = FakeTimeBudget.pausing(Duration.ZERO).over("stopped", Duration.ofSeconds(4));
    var api = api(chain -> busy(chain, 429), told);

    var apiResponse = api.get(SERVER, KubeApi.JSON);

    assertThat(apiResponse.status()).isEqualTo(429);
    assertThat(apiResponse.message()).isEqualTo("too many requests");
    assertThat(asked).hasSize(1);
  }

  @Test
  void sendsNothingOnceTheRunsTimeIsUp() {
    var up = FakeTimeBudget.pausing(Duration.ZERO).over("its time is up", Duration.ZERO);
    var api = api(chain -> answer(chain, 200, "{}"), up);

    assertThatThrownBy(() -> api.get(SERVER, KubeApi.JSON))
        .isInstanceOf(ClusterUnavailable.class)
        .hasMessage("GET https://api.example/ failed: its time is up");
    assertThat(asked).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"GET,240,30", "GET,7,7", "PATCH,240,35", "PATCH,7,9"})
  void letsNoCallTakeLongerThanItsKindAndTheRunAllow(String method, int left, int limit) {
    var limits = new ArrayList<Duration>();
    var patience = FakeTimeBudget.pausing(Duration.ZERO).left(Duration.ofSeconds(left));
    var api =
        api(
            chain -> {
              limits.add(Duration.ofNanos(chain.call().timeout().timeoutNanos()));
              return answer(chain, 200, "{}");
            },
            patience);

    if (method.equals("GET")) {
      api.get(SERVER, KubeApi.JSON);
    } else {
      api.send(method, SERVER, KubeApi.APPLY, "{}", KubeApi.JSON);
    }

    assertThat(limits).containsExactly(Duration.ofSeconds(limit));
  }

  @ParameterizedTest
  @ValueSource(ints = {400, 401, 403, 404, 409, 410, 413, 422})
  void asksOnceWhereTheServerDoesNotAskForPatience(int status) {
    var apiResponse = api(chain -> answer(chain, status, BUSY)).get(SERVER, KubeApi.JSON);

    assertThat(apiResponse.status()).isEqualTo(status);
    assertThat(asked).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"{\"s3cret\": ", "{s3cret}", "s3cret"})
  void saysOfAnAnswerThatItCannotReadOnlyThatMuch(String body) {
    var api = api(chain -> answer(chain, 200, body));

    assertThatThrownBy(() -> api.get(SERVER, KubeApi.JSON))
        .isInstanceOf(ClusterUnavailable.class)
        .hasMessageStartingWith(
            "GET https://api.example/ failed: the response is truncated or not JSON")
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

  private KubeApi api(Interceptor server, FakeTimeBudget patience) {
    return new KubeApi(connection(server).withTimeBudget(patience));
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

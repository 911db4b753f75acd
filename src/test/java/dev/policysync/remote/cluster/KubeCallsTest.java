package dev.policysync.remote.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import okhttp3.HttpUrl;
import okhttp3.MediaType;
import okhttp3.OkHttpClient;
import okhttp3.Protocol;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;
import okhttp3.ResponseBody;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// With a webhook that cannot keep up, less is asked at a time.
class KubeCallsTest {
  private static final HttpUrl SERVER = HttpUrl.get("https://api.example/");
  private static final MediaType JSON = MediaType.get("application/json");
  private static final String FAILED =
      "Internal error occurred: failed calling webhook \\\"validate-policy.kyverno.svc\\\": ";

  private final AdaptiveConcurrencyLimiter adaptiveConcurrencyLimiter =
      new AdaptiveConcurrencyLimiter();

  @BeforeEach
  void haveThreeOthersUnderWay() throws InterruptedException {
    adaptiveConcurrencyLimiter.acquire();
    adaptiveConcurrencyLimiter.acquire();
    adaptiveConcurrencyLimiter.acquire();
  }

  @Test
  void asksLessAtATimeWhereAWebhookRunsOutOfTime() {
    var said = write(500, FAILED + "failed to call webhook: context deadline exceeded");

    assertThat(said).as("the answer is whole all the same").contains("context deadline exceeded");
    assertThat(adaptiveConcurrencyLimiter.limit()).isEqualTo(2);
  }

  @Test
  void asksAsMuchWhereAWebhookRefusesOrIsGone() {
    var atFirst = adaptiveConcurrencyLimiter.limit();

    write(400, "admission webhook \\\"x\\\" denied the request: context deadline exceeded");
    write(500, FAILED + "connect: connection refused");
    write(500, "etcdserver: request timed out");

    assertThat(adaptiveConcurrencyLimiter.limit()).isEqualTo(atFirst);
  }

  private String write(int status, String message) {
    var body = "{\"message\": \"" + message + "\"}";
    var http =
        new OkHttpClient.Builder()
            .addInterceptor(chain ->
                new Response.Builder()
                    .request(chain.request())
                    .protocol(Protocol.HTTP_2)
                    .code(status)
                    .message("")
                    .body(ResponseBody.create(body, JSON))
                    .build())
            .build();
    var calls =
        new KubeCalls(
            new ClusterConnection(SERVER, http, "default", () -> {}),
            adaptiveConcurrencyLimiter,
            () -> true);
    var request = new Request.Builder().url(SERVER).patch(RequestBody.create("{}", JSON)).build();
    return calls.exchange(request, (response, _) -> response.body().string());
  }
}

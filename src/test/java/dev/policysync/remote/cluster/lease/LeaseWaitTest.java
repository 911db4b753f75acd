package dev.policysync.remote.cluster.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import dev.policysync.remote.cluster.ClusterConnection;
import dev.policysync.remote.http.LogLines;
import dev.policysync.sync.FakeTime;
import dev.policysync.sync.SyncLock.Attempt;
import java.time.Duration;
import java.util.List;
import okhttp3.HttpUrl;
import okhttp3.MediaType;
import okhttp3.OkHttpClient;
import okhttp3.Protocol;
import okhttp3.Response;
import okhttp3.ResponseBody;
import org.junit.jupiter.api.Test;

/// A crashed run's Lease and a run that waits for less than its duration, by a clock that is off.
class LeaseWaitTest {
  private static final String CRASHED =
      """
      {"kind": "Lease", "metadata": {"name": "kyverno-policy-sync-lock"},
       "spec": {"holderIdentity": "crashed", "leaseDurationSeconds": 60,
                "renewTime": "2026-11-20T03:00:00.000000Z"}}
      """;
  private static final String RIGHT = "Sat, 21 Nov 2026 03:00:00 GMT";
  private static final String AN_HOUR_OFF = "Sat, 21 Nov 2026 04:00:00 GMT";

  @Test
  void isSaidToBeInVain() {
    for (var wait : List.of(Duration.ZERO, Duration.ofSeconds(30), Duration.ofSeconds(59))) {
      assertThat(warnings(AN_HOUR_OFF, wait))
          .as(wait.toString())
          .containsExactly(
              "WARN Lease of a crashed run would never be taken over holder=crashed"
                  + " fix=synchronize the clock of this machine, or set LOCK_WAIT and TIMEOUT to"
                  + " more than 60s");
    }
  }

  @Test
  void isNothingToSpeakOfByAClockThatIsRight() {
    assertThat(warnings(RIGHT, Duration.ZERO)).isEmpty();
  }

  private static List<String> warnings(String date, Duration wait) {
    var time = new FakeTime();
    var http =
        new OkHttpClient.Builder()
            .addInterceptor(chain ->
                new Response.Builder()
                    .request(chain.request())
                    .protocol(Protocol.HTTP_1_1)
                    .code(200)
                    .message("OK")
                    .header("Content-Type", "application/json")
                    .header("Date", date)
                    .body(ResponseBody.create(CRASHED, MediaType.get("application/json")))
                    .build())
            .build();
    var connection =
        new ClusterConnection(HttpUrl.get("https://api.example/"), http, "agent", () -> {});
    var lock = new LeaseLock(connection, "agent", "me", time.clock(), new FakeTicker(time));
    try (var log = LogLines.capture()) {
      assertThat(lock.acquire(wait))
          .asInstanceOf(type(Attempt.HeldBy.class))
          .returns("crashed", Attempt.HeldBy::holder);
      return log.all().stream().filter(line -> line.startsWith("WARN")).toList();
    }
  }
}

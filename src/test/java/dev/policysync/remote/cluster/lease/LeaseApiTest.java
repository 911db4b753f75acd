package dev.policysync.remote.cluster.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.policysync.base.Value;
import dev.policysync.plan.Failure;
import dev.policysync.remote.cluster.ClusterConnection;
import dev.policysync.sync.execution.ClusterUnavailable;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import okhttp3.HttpUrl;
import okhttp3.OkHttpClient;
import org.junit.jupiter.api.Test;

class LeaseApiTest {
  @Test
  void saysInOneLineThatNobodyListens() {
    var nobody = HttpUrl.get("http://127.0.0.1:1/");
    var connection = new ClusterConnection(nobody, new OkHttpClient(), "agent", () -> {});
    var leases = new LeaseApi(connection, "agent");

    var refused = catchThrowableOfType(ClusterUnavailable.class, () -> leases.read("take"));

    assertThat(refused.failure())
        .isEqualTo(
            new Failure(
                Failure.Cause.UNREACHABLE,
                "GET http://127.0.0.1:1/apis/coordination.k8s.io/v1/namespaces/agent/leases/"
                    + "kyverno-policy-sync-lock failed: could not connect; check that the API"
                    + " server is running and reachable"));
  }

  /// With a renewal after 15 s and the last moment for another after 48 s.
  @Test
  void letsNoCallTakeSoLongThatARenewalCouldNotBeTriedAgain() {
    var limits = new ArrayList<Duration>();
    var http =
        new OkHttpClient.Builder()
            .addInterceptor(chain -> {
              limits.add(Duration.ofNanos(chain.call().timeout().timeoutNanos()));
              throw new IOException("no route");
            })
            .build();
    var somewhere = HttpUrl.get("https://api.example/");
    var leases = new LeaseApi(new ClusterConnection(somewhere, http, "agent", () -> {}), "agent");

    assertThatThrownBy(() -> leases.replace("renew", Value.Mapping.EMPTY))
        .isInstanceOf(ClusterUnavailable.class);
    assertThatThrownBy(() -> leases.read("renew")).isInstanceOf(ClusterUnavailable.class);

    assertThat(limits).isNotEmpty().containsOnly(Duration.ofSeconds(8));
  }
}

package dev.policysync.cluster.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.cluster.connection.ClusterConnection;
import dev.policysync.cluster.request.FakeTimeBudget;
import java.time.Duration;
import okhttp3.HttpUrl;
import okhttp3.OkHttpClient;
import org.junit.jupiter.api.Test;

/// Kyverno needs some time to learn of what was written.
class PropagationTest {
  @Test
  void takesItsTimeFromThatOfTheRun() {
    var time = FakeTimeBudget.pausing(Duration.ofSeconds(1));
    var connection =
        new ClusterConnection(
                HttpUrl.get("https://kubernetes.default.svc"),
                new OkHttpClient(),
                "policy-sync",
                () -> {})
            .with(time);

    new ClusterPolicies(connection).awaitPropagation();

    assertThat(time.nanoTime()).isEqualTo(Duration.ofSeconds(1).toNanos());
  }
}

package dev.policysync.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.policysync.plan.Failure;
import io.kubernetes.client.openapi.ApiException;
import okhttp3.HttpUrl;
import okhttp3.OkHttpClient;
import org.junit.jupiter.api.Test;

class LeaseApiTest {
  @Test
  void saysInOneLineThatNobodyListens() {
    var nobody = HttpUrl.get("http://127.0.0.1:1/");
    var connection = new ClusterConnection(nobody, new OkHttpClient(), "agent", () -> {});
    var leases = new LeaseApi(connection, "agent");

    var failure = leases.failure(catchThrowableOfType(ApiException.class, leases::read));

    assertThat(failure)
        .isEqualTo(
            new Failure(
                Failure.Cause.UNREACHABLE,
                "take the Lease agent/kyverno-policy-sync-lock: could not connect; is the API"
                    + " server up and reachable from here?"));
  }
}

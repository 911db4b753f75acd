package dev.policysync.faults;

import static dev.policysync.harness.Feeds.clusterPolicy;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// The API server refuses the token of a ServiceAccount that was deleted.
class TokenRotationIT extends FaultyEnvironment {
  @BeforeEach
  void revokeTheToken() {
    var token = cluster.serviceAccountToken(namespace, "revoked");
    cluster.admin().delete("/api/v1/namespaces/" + namespace + "/serviceaccounts/revoked").ok();
    rotateTo(token);
    insights.expects(clusterPolicy("one", "Audit"));
  }

  @Test
  void isReadAgainWhereItWasReplacedMeanwhile() {
    beforeCluster.becomes(asked -> {
      if (asked.path().equals("/apis") && asked.repetition() == 0) {
        rotateTo(cluster.adminToken());
      }
      return new Fault.None();
    });

    var run = agent.run();

    assertThat(run.exitCode()).as(run.all()).isZero();
    assertThat(texts(run, "applied")).containsExactly("one");
  }

  @Test
  void isAFailureWithAFixWhereItIsTheOnlyOne() throws IOException {
    var run = agent.run();

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(reasons(run))
        .containsExactly(
            "discover the served kinds: HTTP 401, Unauthorized; the token is expired, revoked or"
                + " for another cluster: in a pod, check that its ServiceAccount exists; with a"
                + " kubeconfig, log in again");
    assertThat(run.all()).doesNotContain(Files.readString(serviceAccount().resolve("token")));
    assertThat(exists("clusterpolicies", "one")).isFalse();
  }
}

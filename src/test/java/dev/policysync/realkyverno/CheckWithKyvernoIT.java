package dev.policysync.realkyverno;

import static dev.policysync.harness.Feeds.clusterPolicy;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/// What `check` says of a Kyverno that works, and of one that is gone while its webhooks are not.
class CheckWithKyvernoIT extends WithKyverno {
  @Test
  void findsKyvernoAtWorkAndThenGone() {
    insights.expects(clusterPolicy("team", "Audit"));

    var well = agent.run("check");
    kyverno.kill();
    var gone = agent.run("check");

    assertThat(well.exitCode()).as(well.all()).isZero();
    assertThat(well.stdout())
        .containsPattern("ok +Kyverno +v1\\.\\d+\\.\\d+, Deployment .*, 1 of 1 replicas ready")
        .containsPattern("ok +Kyverno's webhooks +kyverno-policy-validating-webhook-cfg → https://")
        .containsPattern("ok +Kyverno's health +running, renewed Lease kyverno/kyverno-health")
        .containsPattern("ok +dry run");
    assertThat(gone.exitCode()).as(gone.all()).isNotZero();
    assertThat(gone.stdout())
        .contains("0 of 1 replicas ready")
        .containsPattern("failure +dry run +.*failed calling webhook")
        .contains("check that Kyverno is running");
  }
}

package dev.policysync.realkyverno;

import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.base.Value;
import dev.policysync.testcluster.Documents;
import dev.policysync.testcluster.Kyverno.Controller;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Reports that move from one API group to another while those of before stay.
class MovedReportsIT extends WithReports {
  private static final String STALE = "/apis/wgpolicyk8s.io/v1alpha2/policyreports";
  private static final String MOVED = "/apis/openreports.io/v1alpha1/reports";
  private static final String MOVED_CLUSTERWIDE = "/apis/openreports.io/v1alpha1/clusterreports";

  @Test
  void areFoundOnceWhereReportsMoveToOpenreports() {
    awaitFindings();

    kyverno.restart(Controller.REPORTS, "--openreportsEnabled=true");
    try {
      await("openreports", () -> !list(MOVED).isEmpty() && !list(MOVED_CLUSTERWIDE).isEmpty());
      awaitFindings();

      // The report of before says for ever that it fails.
      cluster
          .admin()
          .merge(pods() + "/bare", Documents.yaml("metadata: {labels: {team: shop}}"))
          .ok();
      expected.removeIf(finding -> finding.contains("Pod/"));
      awaitFindings();
      assertThat(list(STALE)).as("stale reports").isNotEmpty();
    } finally {
      kyverno.restart(Controller.REPORTS);
    }
  }

  private List<Value> list(String path) {
    return cluster.admin().get(path).ok().items("items");
  }
}

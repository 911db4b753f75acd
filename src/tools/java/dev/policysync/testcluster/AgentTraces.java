package dev.policysync.testcluster;

import dev.policysync.base.Value;
import java.util.List;

/// What an installed agent leaves in a cluster, by which people's runs find it: its CronJob and its
/// Lease.
public final class AgentTraces {
  private static final String CRON_JOBS = "/apis/batch/v1/";
  private static final String LEASES = "/apis/coordination.k8s.io/v1/";

  private final RawApi admin;

  public AgentTraces(RawApi admin) {
    this.admin = admin;
  }

  /// A Lease that nobody holds.
  public void lease(String namespace) {
    admin
        .apply(
            LEASES
                + "namespaces/"
                + namespace
                + "/leases/kyverno-policy-sync-lock?fieldManager=test",
            "{apiVersion: coordination.k8s.io/v1, kind: Lease,"
                + " metadata: {name: kyverno-policy-sync-lock}, spec: {leaseTransitions: 1}}")
        .ok();
  }

  /// A CronJob, which no controller runs here.
  public void cronJob(String namespace) {
    admin
        .apply(
            CRON_JOBS
                + "namespaces/"
                + namespace
                + "/cronjobs/kyverno-policy-sync?fieldManager=test",
            """
            {apiVersion: batch/v1, kind: CronJob, metadata: {name: kyverno-policy-sync},
             spec: {schedule: "4-59/5 * * * *",
                    jobTemplate: {spec: {template: {spec: {restartPolicy: Never,
                      containers: [{name: a, image: a}]}}}}}}
            """)
        .ok();
  }

  /// Removes those of all tests before this one.
  public void removeAll() {
    for (var trace :
        List.of(
            new String[] {CRON_JOBS, "cronjobs", "kyverno-policy-sync"},
            new String[] {LEASES, "leases", "kyverno-policy-sync-lock"})) {
      var all = trace[0] + trace[1] + "?fieldSelector=metadata.name%3D" + trace[2];
      for (var item : admin.get(all).ok().items("items")) {
        if (item instanceof Value.Mapping object) {
          var namespace = object.mapping("metadata").text("namespace").orElseThrow();
          admin.delete(trace[0] + "namespaces/" + namespace + "/" + trace[1] + "/" + trace[2]).ok();
        }
      }
    }
  }
}

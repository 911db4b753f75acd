package dev.policysync.bench;

import dev.policysync.policy.PolicyKind;
import dev.policysync.testcluster.RawApi;
import java.util.List;

/// Takes all that a run leaves out of the cluster, so that the next one is a first one.
final class Removal {
  private static final List<PolicyKind> KINDS =
      List.of(
          PolicyKind.CLUSTER_POLICY,
          PolicyKind.VALIDATING_POLICY,
          PolicyKind.NAMESPACED_POLICY,
          PolicyKind.VALIDATING_ADMISSION_POLICY);

  private static final String LEASE =
      "/apis/coordination.k8s.io/v1/namespaces/default/leases/kyverno-policy-sync-lock";

  private final RawApi admin;

  Removal(RawApi admin) {
    this.admin = admin;
  }

  /// Ends when no policy and no Lease is left.
  void removeAll() {
    for (var kind : KINDS) {
      if (kind.namespaced()) {
        ExamplePolicies.NAMESPACES.forEach(name -> removeAll("/namespaces/" + name, kind));
      } else {
        removeAll("", kind);
      }
    }
    var reply = admin.delete(LEASE);
    if (reply.status() != 404) {
      reply.ok();
    }
  }

  /// A few hundred at a time, so that no request takes longer than the client waits.
  private void removeAll(String below, PolicyKind kind) {
    var version = kind.versions().getFirst();
    var path = "/apis/" + kind.group() + "/" + version + below + "/" + kind.plural() + "?limit=";
    while (!admin.get(path + "1").ok().items("items").isEmpty()) {
      admin.delete(path + "300").ok();
    }
  }
}

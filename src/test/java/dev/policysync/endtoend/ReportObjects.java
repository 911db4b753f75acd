package dev.policysync.endtoend;

import dev.policysync.base.Value;
import dev.policysync.testcluster.RawApi;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/// Policy reports as Kyverno writes them since 1.11: one for each resource.
final class ReportObjects {
  private final RawApi admin;
  private final String namespace;
  private final List<String> paths = new ArrayList<>();

  /// In that namespace.
  ReportObjects(RawApi admin, String namespace) {
    this.admin = admin;
    this.namespace = namespace;
  }

  /// A result as it stands in a report.
  ///
  /// @param policy `team-label`, or `shop/team-label` for one that lives in a namespace
  /// @param rule empty for kinds without rules
  record Result(String source, String policy, String rule, String result) {
    static Result fails(String policy, String rule) {
      return new Result("kyverno", policy, rule, "fail");
    }

    static Result passes(String policy, String rule) {
      return new Result("kyverno", policy, rule, "pass");
    }
  }

  /// The report on one resource.
  void add(String kind, String name, Result... results) {
    var uid = UUID.randomUUID().toString();
    var items = new ArrayList<String>();
    for (var result : results) {
      items.add(
          """
          {source: %s, policy: %s, %s result: %s, timestamp: {seconds: %d, nanos: 0}}
          """
              .formatted(
                  result.source(),
                  result.policy(),
                  result.rule().isEmpty() ? "" : "rule: " + result.rule() + ",",
                  result.result(),
                  Instant.now().minusSeconds(240).getEpochSecond())
              .strip());
    }
    var path = "/apis/wgpolicyk8s.io/v1alpha2/namespaces/" + namespace + "/policyreports/" + uid;
    admin
        .apply(
            path + "?fieldManager=kyverno",
            """
            apiVersion: wgpolicyk8s.io/v1alpha2
            kind: PolicyReport
            metadata: {name: "%s", labels: {app.kubernetes.io/managed-by: kyverno}}
            scope: {apiVersion: v1, kind: %s, name: %s, namespace: %s, uid: "%s"}
            results: [%s]
            """
                .formatted(uid, kind, name, namespace, uid, String.join(", ", items)))
        .ok();
    paths.add(path);
  }

  void removeAll() {
    paths.forEach(path -> admin.delete(path));
    paths.clear();
  }

  /// What a summary says is concerned by a policy: `Deployment/shop/cart`.
  static List<String> names(Value.Mapping impact) {
    return impact.mapping("failing").items("names").stream()
        .map(name -> ((Value.Text) name).text())
        .toList();
  }
}

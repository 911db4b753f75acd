package dev.policysync.remote.cluster.probe;

import dev.policysync.inspect.PermissionDiagnostics.Access;
import dev.policysync.policy.PolicyKind;
import dev.policysync.remote.cluster.ClusterConnection;
import dev.policysync.testcluster.Documents;
import dev.policysync.testcluster.Sandbox;
import dev.policysync.testcluster.TimeLimits;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/// The permissions of an agent on a real API server.
final class AgentRole {
  static final List<String> VERBS = List.of("list", "get", "create", "patch", "delete");
  static final List<Access> OF_REPORTS =
      List.of(
          new Access("list", "wgpolicyk8s.io", "policyreports", "", ""),
          new Access("list", "wgpolicyk8s.io", "clusterpolicyreports", "", ""),
          new Access("list", "openreports.io", "reports", "", ""),
          new Access("list", "openreports.io", "clusterreports", "", ""));

  private final Sandbox sandbox;
  private final String namespace;
  private final String token;

  AgentRole(Sandbox sandbox) {
    this.sandbox = sandbox;
    this.namespace = sandbox.namespace("accounts");
    this.token = sandbox.tokenOf("agent");
  }

  String namespace() {
    return namespace;
  }

  ClusterConnection connect() {
    return sandbox.cluster().connect(token);
  }

  ClusterProbe clusterProbe() {
    return new ClusterProbe(connect(), namespace, Clock.systemUTC());
  }

  /// Gives the agent every permission, and waits until the API server knows.
  void allowAll() {
    allowAllBut(new Access("none", "kyverno.io", "clusterpolicies", "", ""));
  }

  /// Gives the agent every permission but one, and waits until the API server knows.
  void allowAllBut(Access missing) {
    var rules = new ArrayList<String>();
    Stream.of(
            PolicyKind.all().stream()
                .flatMap(kind ->
                    VERBS.stream()
                        .map(verb -> new Access(verb, kind.group(), kind.plural(), "", ""))),
            Stream.of("get", "create", "update")
                .map(verb -> new Access(verb, "coordination.k8s.io", "leases", "", "")),
            Stream.of("create", "get", "patch")
                .map(verb -> new Access(verb, "events.k8s.io", "events", "", "")),
            OF_REPORTS.stream())
        .flatMap(accesses -> accesses)
        .filter(access -> !access.equals(missing))
        .forEach(access ->
            rules.add(
                "{\"apiGroups\": [\"%s\"], \"resources\": [\"%s\"], \"verbs\": [\"%s\"]}"
                    .formatted(access.group(), access.resource(), access.verb())));
    // Named in the role, so that its arrival shows when all the rest has arrived, too.
    var mark = "mark-" + System.nanoTime();
    rules.add("{\"nonResourceURLs\": [\"/" + mark + "\"], \"verbs\": [\"get\"]}");
    sandbox
        .admin()
        .jsonPatch(
            "/apis/rbac.authorization.k8s.io/v1/clusterroles/" + namespace + "-agent",
            "[{\"op\": \"add\", \"path\": \"/rules\", \"value\": ["
                + String.join(",", rules)
                + "]}]")
        .ok();
    var review =
        Documents.yaml(
            "{spec: {user: 'system:serviceaccount:%s:agent', nonResourceAttributes: {path: /%s, verb: get}}}"
                .formatted(namespace, mark));
    Awaitility.await("the API server to know that " + missing + " is taken away")
        .atMost(TimeLimits.WAIT)
        .pollInterval(Duration.ofMillis(20))
        .until(() ->
            sandbox
                .admin()
                .post("/apis/authorization.k8s.io/v1/subjectaccessreviews", review)
                .ok()
                .mapping("status")
                .fields()
                .toString()
                .contains("allowed=Bool[value=true]"));
  }
}

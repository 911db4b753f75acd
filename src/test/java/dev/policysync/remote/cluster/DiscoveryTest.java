package dev.policysync.remote.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.policysync.plan.Failure;
import dev.policysync.policy.PolicyKind;
import dev.policysync.sync.execution.ClusterUnavailable;
import okhttp3.HttpUrl;
import okhttp3.MediaType;
import okhttp3.OkHttpClient;
import okhttp3.Protocol;
import okhttp3.Response;
import okhttp3.ResponseBody;
import org.junit.jupiter.api.Test;

class DiscoveryTest {
  @Test
  void choosesTheBestVersionThatIsServed() {
    var discovery = answering(200, group("policies.kyverno.io", "v1alpha1", "v1beta1"));

    var found = discovery.discover();

    assertThat(found.get(PolicyKind.VALIDATING_POLICY))
        .isEqualTo(new Discovery.Found.Served("v1beta1"));
  }

  @Test
  void settlesForAnOldVersionWhereNoOtherIsServed() {
    var discovery = answering(200, group("policies.kyverno.io", "v1alpha1"));

    var found = discovery.discover();

    assertThat(found.get(PolicyKind.VALIDATING_POLICY))
        .isEqualTo(new Discovery.Found.Served("v1alpha1"));
  }

  @Test
  void saysWhichVersionsAreServedWhereNoneIsKnown() {
    var discovery = answering(200, group("policies.kyverno.io", "v2", "v3"));

    var found = discovery.discover();

    assertThat(found.get(PolicyKind.VALIDATING_POLICY))
        .isEqualTo(
            new Discovery.Found.Missing(
                "the cluster serves ValidatingPolicy.policies.kyverno.io only as v2, v3, but"
                    + " policy-sync applies it as v1, v1beta1, v1alpha1"));
  }

  @Test
  void saysWhatToInstallWhereAKindIsMissing() {
    var discovery = answering(200, group("policies.kyverno.io", "v1"));

    var found = discovery.discover();

    assertThat(found.get(PolicyKind.CLUSTER_POLICY))
        .isEqualTo(
            new Discovery.Found.Missing(
                "the cluster does not serve the kind ClusterPolicy.kyverno.io; install its CRD"
                    + " (a newer Kyverno or Kubernetes), or remove it from the feed"));
  }

  @Test
  void knowsAKindByItsGroupToo() {
    var discovery = answering(200, group("another.example", "v1"));

    var found = discovery.discover();

    assertThat(found.get(PolicyKind.VALIDATING_POLICY)).isInstanceOf(Discovery.Found.Missing.class);
  }

  @Test
  void takesAStaleGroupForUncertainNotForMissing() {
    var stale = group("policies.kyverno.io", "v1").replace("Current", "Stale");

    var found = answering(200, stale).discover();

    assertThat(found.get(PolicyKind.VALIDATING_POLICY))
        .isEqualTo(
            new Discovery.Found.Uncertain(
                new Failure(
                    Failure.Cause.OVERLOADED,
                    "the API server has no current discovery data for policies.kyverno.io")));
  }

  @Test
  void failsWhereTheApiServerIsTooOldForAggregatedDiscovery() {
    var discovery = answering(200, "{\"kind\": \"APIGroupList\", \"groups\": []}");

    assertThatThrownBy(discovery::discover)
        .isInstanceOf(ClusterUnavailable.class)
        .hasMessageContaining("Kubernetes 1.27 or newer is required");
  }

  @Test
  void failsWhereTheTokenIsRefused() {
    var discovery =
        answering(401, "{\"kind\": \"Status\", \"message\": \"Unauthorized\", \"code\": 401}");

    assertThatThrownBy(discovery::discover)
        .isInstanceOfSatisfying(
            ClusterUnavailable.class,
            e -> assertThat(e.failure().cause()).isEqualTo(Failure.Cause.UNAUTHORIZED));
  }

  private static String group(String group, String... versions) {
    var list = new StringBuilder();
    for (var version : versions) {
      list.append(list.isEmpty() ? "" : ", ").append(version(group, version));
    }
    return """
    {"kind": "APIGroupDiscoveryList", "items": [
      {"metadata": {"name": "%s"}, "versions": [%s]}]}
    """
        .formatted(group, list);
  }

  private static String version(String group, String version) {
    return """
    {"version": "%s", "freshness": "Current", "resources": [
      {"resource": "validatingpolicies", "scope": "Cluster", "verbs": ["list", "patch"],
       "responseKind": {"group": "%s", "version": "%s", "kind": "ValidatingPolicy"}}]}
    """
        .formatted(version, group, version);
  }

  /// Discovery by an API server that has one answer.
  private static Discovery answering(int status, String body) {
    var http =
        new OkHttpClient.Builder()
            .addInterceptor(chain ->
                new Response.Builder()
                    .request(chain.request())
                    .protocol(Protocol.HTTP_2)
                    .code(status)
                    .message("")
                    .header("Content-Type", "application/json;g=apidiscovery.k8s.io;v=v2")
                    .body(ResponseBody.create(body, MediaType.get("application/json")))
                    .build())
            .build();
    var server = HttpUrl.get("https://api.example/");
    return new Discovery(new KubeApi(new ClusterConnection(server, http, "default", () -> {})));
  }
}

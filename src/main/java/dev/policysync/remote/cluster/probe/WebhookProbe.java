package dev.policysync.remote.cluster.probe;

import dev.policysync.base.Value;
import dev.policysync.inspect.ProbeResult;
import dev.policysync.inspect.WebhookDiagnostics;
import dev.policysync.policy.PolicyKind;
import dev.policysync.policy.kyverno.KyvernoHealth;
import dev.policysync.remote.cluster.ClusterConnection;
import dev.policysync.remote.cluster.KubeApi;
import dev.policysync.remote.cluster.KyvernoHealthLease;
import java.time.Clock;
import java.util.List;
import java.util.Optional;

/// Checks Kyverno's webhooks: their configurations, the Lease that records their last call, and
/// their response to a policy in a dry run.
public final class WebhookProbe implements WebhookDiagnostics {
  private final ProbeRequests requests;
  private final KyvernoHealthLease kyvernoHealthLease;

  public WebhookProbe(ClusterConnection connection, Clock clock) {
    this.requests = new ProbeRequests(connection);
    this.kyvernoHealthLease = new KyvernoHealthLease(new KubeApi(connection), clock);
  }

  @Override
  public ProbeResult<List<String>> webhooks(String configuration) {
    return requests.get(
        "read ValidatingWebhookConfiguration " + configuration,
        List.of(
            "apis",
            "admissionregistration.k8s.io",
            "v1",
            "validatingwebhookconfigurations",
            configuration),
        apiResponse ->
            Optional.of(
                apiResponse.body().mappings("webhooks").stream()
                    .map(webhook -> target(webhook.mapping("clientConfig")))
                    .toList()));
  }

  private static String target(Value.Mapping client) {
    if (client.text("caBundle").orElse("").isEmpty()) {
      return "";
    }
    var service = client.mapping("service");
    return service
        .text("name")
        .map(name -> service.text("namespace").orElse("") + "/" + name)
        .or(() -> client.text("url"))
        .orElse("");
  }

  @Override
  public KyvernoHealth health() {
    return kyvernoHealthLease.read();
  }

  @Override
  public ProbeResult<String> tryOut(PolicyKind kind, String version) {
    var url =
        requests
            .url(List.of("apis", kind.group(), version, kind.plural()))
            .addQueryParameter("dryRun", "All")
            .addQueryParameter("fieldValidation", "Strict")
            .build();
    return requests.post(
        "create a " + kind + " as a dry run",
        url,
        ProbePolicy.of(kind, version),
        KubeApi.METADATA,
        _ -> "the API server and its webhooks accept a new " + kind);
  }
}

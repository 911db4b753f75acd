package dev.policysync.inspect;

import dev.policysync.policy.PolicyKind;
import dev.policysync.policy.kyverno.KyvernoHealth;
import java.util.List;

/// Reads and calls Kyverno's admission webhooks through the API server. No method changes the
/// cluster.
public interface WebhookDiagnostics {
  /// Returns the target of each webhook of a ValidatingWebhookConfiguration, such as
  /// `kyverno/kyverno-svc`; an empty text if the webhook has no target or no CA bundle.
  ProbeResult<List<String>> webhooks(String configuration);

  /// Returns whether Kyverno runs, according to the Lease of its admission controller in any
  /// namespace.
  KyvernoHealth health();

  /// Sends the creation of a harmless policy with `dryRun=All`, so that the API server and Kyverno
  /// validate it.
  ///
  /// @param version a served version of the kind
  ProbeResult<String> tryOut(PolicyKind kind, String version);
}

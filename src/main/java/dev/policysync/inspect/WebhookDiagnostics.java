package dev.policysync.inspect;

import dev.policysync.policy.PolicyKind;
import dev.policysync.policy.kyverno.KyvernoHealth;
import java.util.List;

/// Kyverno's admission webhooks as the API server has and calls them. Nothing of this changes
/// anything.
public interface WebhookDiagnostics {
  /// Where each webhook of a ValidatingWebhookConfiguration points, `kyverno/kyverno-svc`; empty
  /// for one that points nowhere or carries no certificate authority to verify it by.
  ProbeResult<List<String>> webhooks(String configuration);

  /// Whether Kyverno runs, by the Lease of its admission controller in any namespace.
  KyvernoHealth health();

  /// Has the creation of a harmless policy judged, by the API server and by Kyverno, with
  /// `dryRun=All`.
  ///
  /// @param version of that kind that is served
  ProbeResult<String> tryOut(PolicyKind kind, String version);
}

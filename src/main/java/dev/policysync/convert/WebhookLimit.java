package dev.policysync.convert;

import dev.policysync.base.Value;
import java.util.List;

/// Refuses policies whose successors no longer fit into Kyverno's webhook configuration.
///
/// Kyverno makes a webhook of its own for each CEL policy with match conditions or a timeout, in
/// one object for all of them. With 600 such successors it has 1.85 MB; with 798 and 2.46 MB the
/// API server could store it no more, and Kyverno enforced nothing new (Kyverno 1.19.0, etcd
/// 3.6.16). Policies of others have webhooks as well, so there has to be room.
public final class WebhookLimit {
  /// How many successors may have a webhook of their own.
  static final int MOST = 500;

  private int webhooks;

  /// Returns the conversion; without successors and with a refusal if they would exceed the limit.
  public Conversion admit(Conversion conversion) {
    var more =
        (int)
            conversion.successors().stream()
                .filter(successor -> hasWebhook(successor.manifest()))
                .count();
    if (more == 0) {
      return conversion;
    }
    if (webhooks + more <= MOST) {
      webhooks += more;
      return conversion;
    }
    return new Conversion(
        conversion.policy(),
        List.of(),
        List.of(
            new Refusal(
                conversion.policy().id().toString(),
                "",
                conversion.policy().position(),
                "a policy beyond the "
                    + MOST
                    + " for which Kyverno's webhook configuration has room",
                "",
                "match kinds alone, without names, namespaces or exclude, so that its successor"
                    + " needs no webhook of its own, or combine policies")));
  }

  private static boolean hasWebhook(Value.Mapping manifest) {
    var spec = manifest.mapping("spec");
    return !spec.items("matchConditions").isEmpty()
        || spec.mapping("webhookConfiguration").field("timeoutSeconds").isPresent();
  }
}

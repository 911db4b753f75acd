package dev.policysync.inspect;

import dev.policysync.inspect.FullPolicies.Reading;
import dev.policysync.plan.Failure;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.PolicyKind;
import dev.policysync.policy.admission.FieldFault;
import dev.policysync.policy.kyverno.WebhookFaults;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// The live policies with which Kyverno cannot write its webhook configuration.
///
/// @param policies the policies, and what breaks the configuration
/// @param unread why they are unknown; empty if every policy was read
public record WebhookBreakers(List<Breaker> policies, List<String> unread) {
  public static final WebhookBreakers NONE = new WebhookBreakers(List.of(), List.of());

  public WebhookBreakers {
    policies = List.copyOf(policies);
    unread = List.copyOf(unread);
  }

  /// A policy that breaks the configuration.
  ///
  /// @param reason the place in the policy and what is wrong there
  public record Breaker(PolicyId policy, String reason) {}

  /// Reads the policies of the kinds that can break the configuration.
  ///
  /// @param excluded the kinds that runs neither list nor write, which are not read
  public static WebhookBreakers find(FullPolicies policies, Set<PolicyKind> excluded) {
    return switch (policies.read(
        kind -> WebhookFaults.mayHaveAny(kind) && !excluded.contains(kind),
        WebhookBreakers::judge)) {
      case Reading.Complete<Optional<Breaker>>(var found) ->
          new WebhookBreakers(found.stream().flatMap(Optional::stream).toList(), List.of());
      case Reading.Incomplete<Optional<Breaker>>(var failures) ->
          new WebhookBreakers(List.of(), failures.stream().map(Failure::reason).toList());
    };
  }

  private static Optional<Breaker> judge(FullPolicies.WholePolicy policy) {
    var id = policy.live().id();
    return WebhookFaults.of(id.kind(), policy.object()).stream()
        .map(FieldFault::text)
        .findFirst()
        .map(reason -> new Breaker(id, reason));
  }
}

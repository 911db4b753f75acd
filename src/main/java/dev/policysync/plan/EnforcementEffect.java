package dev.policysync.plan;

import dev.policysync.base.Value;
import dev.policysync.policy.PolicyKind;
import dev.policysync.policy.kyverno.EffectiveActionResolver;
import dev.policysync.policy.kyverno.EnforcementLevel;
import java.util.Optional;

/// What a policy does to a request that violates the policy: allow and report, or block.
enum EnforcementEffect {
  AUDIT("Audit"),
  ENFORCE("Enforce");

  private final String text;

  EnforcementEffect(String text) {
    this.text = text;
  }

  @Override
  public String toString() {
    return text;
  }

  /// Returns the change of the effect in words: `Audit → Enforce`; empty if the effect stays the
  /// same, or if the kind has none.
  static Optional<String> change(Value.Mapping before, Value.Mapping after) {
    var was = of(before);
    var is = of(after);
    return was.isPresent() && is.isPresent() && was.get() != is.get()
        ? Optional.of(was.get() + " → " + is.get())
        : Optional.empty();
  }

  /// Returns the strongest action anywhere in the object.
  static Optional<EnforcementEffect> of(Value.Mapping object) {
    return PolicyKind.of(object)
        .flatMap(kind -> EffectiveActionResolver.strongest(kind, object))
        .map(enforcementLevel -> enforcementLevel == EnforcementLevel.NO ? AUDIT : ENFORCE);
  }
}

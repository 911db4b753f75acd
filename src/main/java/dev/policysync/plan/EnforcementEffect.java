package dev.policysync.plan;

import dev.policysync.base.Value;
import dev.policysync.policy.PolicyKind;
import dev.policysync.policy.kyverno.EffectiveActionResolver;
import dev.policysync.policy.kyverno.EnforcementLevel;
import java.util.Optional;

/// What a policy does to a request that breaks it: lets it pass and reports, or blocks it.
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

  /// How a change of that object reads: `Audit → Enforce`; empty where the effect stays, or where
  /// the kind has none.
  static Optional<String> change(Value.Mapping before, Value.Mapping after) {
    var was = of(before);
    var is = of(after);
    return was.isPresent() && is.isPresent() && was.get() != is.get()
        ? Optional.of(was.get() + " → " + is.get())
        : Optional.empty();
  }

  /// The strongest action that the object asks for anywhere.
  static Optional<EnforcementEffect> of(Value.Mapping object) {
    return PolicyKind.of(object)
        .flatMap(kind -> EffectiveActionResolver.strongest(kind, object))
        .map(enforcementLevel -> enforcementLevel == EnforcementLevel.NO ? AUDIT : ENFORCE);
  }
}

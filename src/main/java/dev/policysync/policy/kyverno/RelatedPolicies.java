package dev.policysync.policy.kyverno;

import dev.policysync.base.Value;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.PolicyKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Stream;

/// The other policies that affect the impact of one policy. The impact of an exception depends on
/// the policies that it exempts from, and the impact of a ValidatingAdmissionPolicy on its
/// bindings.
///
/// Only bindings, and the policies that an exception names, are parsed: the trees of thousands of
/// policies take more memory than a sync has.
public final class RelatedPolicies {
  public static final RelatedPolicies NONE = new RelatedPolicies(Map.of(), Set.of());

  private final Map<PolicyId, Supplier<Value.Mapping>> expected;
  private final Set<PolicyId> existing;
  private final List<Value.Mapping> bindings = new ArrayList<>();

  /// The answers of [#mayBlock] so far: many exceptions may name the same policy.
  private final Map<PolicyId, Boolean> mayBlock = new ConcurrentHashMap<>();

  /// @param expected the policies that are expected after the run
  /// @param there the policies that exist now
  public RelatedPolicies(Map<PolicyId, Supplier<Value.Mapping>> expected, Set<PolicyId> there) {
    this.expected = Map.copyOf(expected);
    this.existing = Set.copyOf(there);
    expected.forEach((id, manifest) -> {
      if (id.kind().type() == PolicyKind.Type.VALIDATING_BINDING) {
        bindings.add(manifest.get().mapping("spec"));
      }
    });
  }

  /// Returns the policies that an exception exempts from and that may block requests after the run.
  public Stream<PolicyId> blocking(PolicyDependency exception) {
    return Stream.concat(expected.keySet().stream(), existing.stream())
        .filter(policy ->
            exception.serves(policy, Value.Mapping.EMPTY)
                && mayBlock.computeIfAbsent(policy, this::mayBlock));
  }

  private boolean mayBlock(PolicyId policy) {
    var manifest = expected.get(policy);
    return manifest == null
        || EffectiveActionResolver.strongest(policy.kind(), manifest.get())
                .orElse(EnforcementLevel.PERHAPS)
            != EnforcementLevel.NO;
  }

  /// Returns the action for requests that break this ValidatingAdmissionPolicy. If no binding is
  /// expected, the action is Deny, because a binding that is not ours may exist.
  public EffectiveAction ofBindings(String policy) {
    var actions =
        bindings.stream()
            .filter(spec -> spec.text("policyName").filter(policy::equals).isPresent())
            .map(EffectiveActionResolver::ofActions)
            .toList();
    return actions.isEmpty() || actions.contains(EffectiveAction.BLOCKS)
        ? EffectiveAction.BLOCKS
        : EffectiveAction.LETS_PASS;
  }
}

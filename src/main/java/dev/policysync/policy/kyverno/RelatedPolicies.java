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

/// What of the other policies bears on one: an exception matters as much as the policies that it
/// shields from, a ValidatingAdmissionPolicy as much as its bindings say.
///
/// Of the others only bindings are looked into, and what an exception names: the trees of thousands
/// of policies take more memory than a sync has.
public final class RelatedPolicies {
  /// No others.
  public static final RelatedPolicies NONE = new RelatedPolicies(Map.of(), Set.of());

  private final Map<PolicyId, Supplier<Value.Mapping>> expected;
  private final Set<PolicyId> there;
  private final List<Value.Mapping> bindings = new ArrayList<>();

  /// Found out once of each policy, however many exceptions name it.
  private final Map<PolicyId, Boolean> mayBlock = new ConcurrentHashMap<>();

  /// @param expected what there is to be after the run, by policy
  /// @param there what there is now
  public RelatedPolicies(Map<PolicyId, Supplier<Value.Mapping>> expected, Set<PolicyId> there) {
    this.expected = Map.copyOf(expected);
    this.there = Set.copyOf(there);
    expected.forEach((id, manifest) -> {
      if (id.kind().type() == PolicyKind.Type.VALIDATING_BINDING) {
        bindings.add(manifest.get().mapping("spec"));
      }
    });
  }

  /// The policies that such an exception shields from, and that may block something after the run.
  public Stream<PolicyId> blocking(PolicyDependency exception) {
    return Stream.concat(expected.keySet().stream(), there.stream())
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

  /// What is done to requests that break that ValidatingAdmissionPolicy. A binding that is not
  /// expected may be somebody else's, and say Deny.
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

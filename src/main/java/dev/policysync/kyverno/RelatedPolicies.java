package dev.policysync.kyverno;

import dev.policysync.json.Value;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.PolicyKind;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/// What of the other policies bears on one: an exception matters as much as the policies that it
/// shields from, a ValidatingAdmissionPolicy as much as its bindings say.
///
/// @param expected what there is to be after the run, by policy
/// @param there what there is now
public record RelatedPolicies(Map<PolicyId, Value.Mapping> expected, Set<PolicyId> there) {
  /// No others.
  public static final RelatedPolicies NONE = new RelatedPolicies(Map.of(), Set.of());

  public RelatedPolicies {
    expected = Map.copyOf(expected);
    there = Set.copyOf(there);
  }

  /// The policies that such an exception shields from, and that may block something after the run.
  public Stream<PolicyId> blocking(PolicyDependency exception) {
    return Stream.concat(expected.keySet().stream(), there.stream())
        .filter(policy -> exception.serves(policy, Value.Mapping.EMPTY) && mayBlock(policy));
  }

  private boolean mayBlock(PolicyId policy) {
    var manifest = expected.get(policy);
    return manifest == null
        || EffectiveActionResolver.strongest(policy.kind(), manifest)
                .orElse(EnforcementLevel.PERHAPS)
            != EnforcementLevel.NO;
  }

  /// What is done to requests that break that ValidatingAdmissionPolicy. A binding that is not
  /// expected may be somebody else's, and say Deny.
  public EffectiveAction ofBindings(String policy) {
    var bindings =
        expected.entrySet().stream()
            .filter(entry -> entry.getKey().kind().type() == PolicyKind.Type.VALIDATING_BINDING)
            .map(entry -> entry.getValue().mapping("spec"))
            .filter(spec -> spec.text("policyName").filter(policy::equals).isPresent())
            .map(EffectiveActionResolver::ofActions)
            .toList();
    return bindings.isEmpty() || bindings.contains(EffectiveAction.BLOCKS)
        ? EffectiveAction.BLOCKS
        : EffectiveAction.LETS_PASS;
  }
}

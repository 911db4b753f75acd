package dev.policysync.policy.kyverno;

import dev.policysync.base.Value;
import dev.policysync.policy.PolicyId;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/// Policies beside one, by their manifests.
public final class RelatedPolicyFixtures {
  private RelatedPolicyFixtures() {}

  public static RelatedPolicies related(
      Map<PolicyId, Value.Mapping> expected, Set<PolicyId> there) {
    var manifests = new HashMap<PolicyId, Supplier<Value.Mapping>>();
    expected.forEach((id, manifest) -> manifests.put(id, () -> manifest));
    return new RelatedPolicies(manifests, there);
  }
}

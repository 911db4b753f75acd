package dev.policysync.impact;

import dev.policysync.policy.PolicyId;
import dev.policysync.policy.PolicyKind;
import dev.policysync.yaml.Value;
import java.util.Map;
import java.util.function.Predicate;

/// What of the other policies bears on one: an exception matters as much as the policies that it
/// shields from, a ValidatingAdmissionPolicy as much as its bindings say.
///
/// @param expected what there is to be after the run, by policy
/// @param there what there is now
public record Surroundings(Map<PolicyId, Value.Mapping> expected, Predicate<PolicyId> there) {
  /// No others.
  public static final Surroundings NONE = new Surroundings(Map.of(), _ -> false);

  public Surroundings {
    expected = Map.copyOf(expected);
  }

  /// Whether that policy blocks anything after the run.
  Blocking blocks(PolicyId policy) {
    var manifest = expected.get(policy);
    if (manifest == null) {
      return there.test(policy) ? Blocking.PERHAPS : Blocking.NO;
    }
    return Rulings.strongest(manifest).orElse(Blocking.PERHAPS);
  }

  /// What is done to requests that break that ValidatingAdmissionPolicy. A binding that is not
  /// expected may be somebody else's, and say Deny.
  Ruling ofBindings(String policy) {
    var bound = false;
    for (var entry : expected.entrySet()) {
      if (entry.getKey().kind() == PolicyKind.VALIDATING_ADMISSION_POLICY_BINDING
          && entry.getValue().mapping("spec").text("policyName").orElse("").equals(policy)) {
        bound = true;
        if (Rulings.strongest(entry.getValue()).orElse(Blocking.NO) == Blocking.YES) {
          return Ruling.BLOCKS;
        }
      }
    }
    return bound ? Ruling.LETS_PASS : Ruling.BLOCKS;
  }
}

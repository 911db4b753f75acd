package dev.policysync.convert;

import dev.policysync.policy.Position;

/// A reason why a policy is not converted.
///
/// @param policy the policy: `ClusterPolicy/restrict-image-registries`
/// @param rule the rule's name; empty if the reason concerns the whole policy
/// @param position the position of the construct in the source
/// @param construct the construct without an exact successor: `preconditions`
/// @param name the policy's own name for the construct, a part of the policy's text; empty if it
///   has no name
/// @param advice what to write by hand
public record Refusal(
    String policy, String rule, Position position, String construct, String name, String advice) {
  /// Returns the construct and its name: `a variable that is not of the object: images`.
  public String what() {
    return name.isEmpty() ? construct : construct + ": " + name;
  }
}

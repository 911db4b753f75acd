package dev.policysync.convert;

import dev.policysync.policy.Position;

/// Why a policy is not converted.
///
/// @param policy whose it is: `ClusterPolicy/restrict-image-registries`
/// @param rule the rule's name; empty where it is about the whole policy
/// @param position where to look
/// @param construct what has no exact successor: `preconditions`
/// @param name what the policy calls it, a part of the policy's text; empty if it has no name
/// @param advice what to write by hand
public record Refusal(
    String policy, String rule, Position position, String construct, String name, String advice) {
  /// What has no exact successor, by name: `a variable that is not of the object: images`.
  public String what() {
    return name.isEmpty() ? construct : construct + ": " + name;
  }
}

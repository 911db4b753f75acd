package dev.policysync.lint;

import dev.policysync.policy.PolicyId;
import dev.policysync.policy.Position;
import java.util.Optional;

/// A hazard found in a policy.
///
/// @param lintSeverity may differ from the hazard's own: a hazard can be worse in one release
/// @param id the policy's id, if it is known
/// @param policy the policy's name in messages: `ClusterPolicy/team-label`, or `document 3`
/// @param position where the hazard is in the manifest
/// @param path where the hazard is in the policy: `spec.rules[0].match`; empty for the whole policy
/// @param message what is wrong here, as one would tell a colleague
/// @param fix what to do about the hazard here
public record LintFinding(
    Hazard hazard,
    LintSeverity lintSeverity,
    Optional<PolicyId> id,
    String policy,
    Position position,
    String path,
    String message,
    String fix) {}

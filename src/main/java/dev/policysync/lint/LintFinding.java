package dev.policysync.lint;

import dev.policysync.policy.PolicyId;
import dev.policysync.policy.Position;
import java.util.Optional;

/// A hazard in a policy.
///
/// @param lintSeverity may differ from the hazard's own: the same thing can be worse in one release
/// @param id the policy, where there is one
/// @param policy how people name it: `ClusterPolicy/team-label`, or `document 3`
/// @param position where to look
/// @param path the same as a path in the policy: `spec.rules[0].match`; empty for the whole
/// @param message what is wrong here, as one would tell a colleague
/// @param fix what to do about it here
public record LintFinding(
    Hazard hazard,
    LintSeverity lintSeverity,
    Optional<PolicyId> id,
    String policy,
    Position position,
    String path,
    String message,
    String fix) {}

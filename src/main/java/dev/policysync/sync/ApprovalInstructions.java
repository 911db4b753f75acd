package dev.policysync.sync;

import dev.policysync.policy.Digest;

/// How a person lets through what is withheld, once.
///
/// @param list the digest of precisely these removals, or of what precisely begins to block
/// @param command to be run with kubectl, as it stands
public record ApprovalInstructions(Digest list, String command) {}

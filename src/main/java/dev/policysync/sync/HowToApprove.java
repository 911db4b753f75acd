package dev.policysync.sync;

import dev.policysync.policy.Digest;

/// How a person lets withheld removals through, once.
///
/// @param list the digest of precisely these removals
/// @param command to be run with kubectl, as it stands
public record HowToApprove(Digest list, String command) {}

package dev.policysync.sync;

import dev.policysync.policy.Digest;

/// How a person approves withheld actions, once.
///
/// @param list the digest of exactly these removals, or of exactly these writes of stricter
///   policies
/// @param command a kubectl command, ready to run
public record ApprovalInstructions(Digest list, String command) {}

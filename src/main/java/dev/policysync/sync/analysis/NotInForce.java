package dev.policysync.sync.analysis;

import dev.policysync.policy.PolicyId;

/// A policy of ours that is as the feed wants it and that nothing executes (promise 15).
///
/// @param reason in words: `Kyverno reports: Policy is not configured in the webhook.`
public record NotInForce(PolicyId id, String reason) {}

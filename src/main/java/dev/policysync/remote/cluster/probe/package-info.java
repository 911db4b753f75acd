/// The requests of `check` and `status` to the API server: what is installed ([ClusterProbe]), what
/// the agent may do ([PermissionProbe]), and Kyverno's webhooks ([WebhookProbe]).
@NullMarked
package dev.policysync.remote.cluster.probe;

import org.jspecify.annotations.NullMarked;

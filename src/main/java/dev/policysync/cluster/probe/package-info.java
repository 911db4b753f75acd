/// What `check` asks the API server: what is served and there ([ClusterProbe]), what we may do
/// ([PermissionProbe]), and Kyverno's webhooks ([WebhookProbe]).
@NullMarked
package dev.policysync.cluster.probe;

import org.jspecify.annotations.NullMarked;

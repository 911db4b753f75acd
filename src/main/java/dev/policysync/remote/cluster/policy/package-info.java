/// Policies in the cluster: metadata lists, server-side apply, removal, dry-run previews; start at
/// [ClusterPolicies].
@NullMarked
package dev.policysync.remote.cluster.policy;

import org.jspecify.annotations.NullMarked;

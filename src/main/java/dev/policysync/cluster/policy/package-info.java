/// Policies in the cluster: metadata lists, server-side apply, removal, dry-run previews, whole
/// objects for `export` ([ClusterPolicies]).
@NullMarked
package dev.policysync.cluster.policy;

import org.jspecify.annotations.NullMarked;

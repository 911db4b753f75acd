/// The Kubernetes API as the features need it: start at [dev.policysync.cluster.ClusterPolicies].
@NullMarked
package dev.policysync.cluster;

import org.jspecify.annotations.NullMarked;

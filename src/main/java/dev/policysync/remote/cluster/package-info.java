/// The Kubernetes API: connections ([ClusterConnection]), requests and their retries ([KubeApi]),
/// errors ([ApiErrorClassifier]), and the kinds that a cluster serves ([Discovery]).
@NullMarked
package dev.policysync.remote.cluster;

import org.jspecify.annotations.NullMarked;

/// The Kubernetes API: how the server is reached ([ClusterConnection]), requests and their retries
/// ([KubeApi]), what an answer means ([ApiErrorClassifier]), and what the cluster serves
/// ([Discovery]).
@NullMarked
package dev.policysync.remote.cluster;

import org.jspecify.annotations.NullMarked;

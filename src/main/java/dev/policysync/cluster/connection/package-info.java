/// How the API server is reached: ServiceAccount or kubeconfig, TLS and authentication
/// ([ClusterConnection]).
@NullMarked
package dev.policysync.cluster.connection;

import org.jspecify.annotations.NullMarked;

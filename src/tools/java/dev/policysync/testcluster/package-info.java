/// A real kube-apiserver with etcd for tests and the demo: annotate a test with
/// [dev.policysync.testcluster.RealCluster], or start a [dev.policysync.testcluster.TestCluster].
@NullMarked
package dev.policysync.testcluster;

import org.jspecify.annotations.NullMarked;

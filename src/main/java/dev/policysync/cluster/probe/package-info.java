/// What `check` asks the API server ([ClusterProbe]).
@NullMarked
package dev.policysync.cluster.probe;

import org.jspecify.annotations.NullMarked;

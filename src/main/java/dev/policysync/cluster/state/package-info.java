/// `RunState` as annotations on the Lease: [LeaseRunStateStore], [RunStateJson].
@NullMarked
package dev.policysync.cluster.state;

import org.jspecify.annotations.NullMarked;

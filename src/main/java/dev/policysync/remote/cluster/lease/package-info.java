/// The Lease: [LeaseLock] takes it, [HeldLease] renews it, and [LeaseRunStateStore] keeps what a
/// run leaves for the next in its annotations.
@NullMarked
package dev.policysync.remote.cluster.lease;

import org.jspecify.annotations.NullMarked;

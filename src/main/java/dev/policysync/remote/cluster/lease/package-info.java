/// The Lease: [LeaseLock] takes it, [HeldLease] renews it, and [LeaseRunStateStore] keeps the state
/// for the next run in its annotations.
@NullMarked
package dev.policysync.remote.cluster.lease;

import org.jspecify.annotations.NullMarked;

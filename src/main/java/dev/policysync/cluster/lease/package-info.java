/// The Lease: [LeaseLock] takes it, [HeldLease] renews it, [ExpiredLeaseProof] judges another's;
/// its events.
@NullMarked
package dev.policysync.cluster.lease;

import org.jspecify.annotations.NullMarked;

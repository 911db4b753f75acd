/// Whose a live policy is ([OwnershipVerdict], promise 2), by the annotations that a
/// [DesiredPolicy] is stamped with; adoption.
@NullMarked
package dev.policysync.plan.ownership;

import org.jspecify.annotations.NullMarked;

/// `metadata.managedFields`: which fields of a live object are ours, who else owns fields, and how
/// to take them over ([FieldOwnership]).
@NullMarked
package dev.policysync.plan.managedfields;

import org.jspecify.annotations.NullMarked;

/// `metadata.managedFields`: which fields of a live object are ours, who else owns some, and how to
/// take over ([FieldOwnership]).
@NullMarked
package dev.policysync.plan.managedfields;

import org.jspecify.annotations.NullMarked;

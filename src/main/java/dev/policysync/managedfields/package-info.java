/// `metadata.managedFields`: which fields of a live object are ours, who else owns some, how to
/// take over ([FieldOwnership]).
@NullMarked
package dev.policysync.managedfields;

import org.jspecify.annotations.NullMarked;

/// Which fields of a live object are ours, by the API server's own record of it; start at
/// [dev.policysync.ownership.FieldOwnership].
@NullMarked
package dev.policysync.ownership;

import org.jspecify.annotations.NullMarked;

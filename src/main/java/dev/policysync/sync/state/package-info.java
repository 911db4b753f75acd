/// What one run leaves for the next: [RunState] with the statuses that the API has not taken; the
/// port [RunStateStore].
@NullMarked
package dev.policysync.sync.state;

import org.jspecify.annotations.NullMarked;

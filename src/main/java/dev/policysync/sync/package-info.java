/// One run: read, plan, take the Lease, execute, report; start at [Synchronizer]. What a run leaves
/// for the next is [RunState], what it says at its end is [Summary]; the ports [SyncLock],
/// [RunStateStore], [StatusSink] and [EventSink].
@NullMarked
package dev.policysync.sync;

import org.jspecify.annotations.NullMarked;

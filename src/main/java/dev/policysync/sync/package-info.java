/// One run: read, plan, take the Lease, execute, report; start at [Synchronizer]. [RunState] is the
/// state for the next run, [Summary] the result for people; the ports are [SyncLock],
/// [RunStateStore], [StatusSink] and [EventSink].
@NullMarked
package dev.policysync.sync;

import org.jspecify.annotations.NullMarked;

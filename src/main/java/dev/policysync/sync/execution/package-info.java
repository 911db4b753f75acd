/// Carrying out a plan: [Execution] turns actions into [Outcome]s, judges conflicts again, stops
/// where it must ([Cancellation], [UnreachableServices]) and waits for failures that may pass; the
/// ports [PolicyStore] and [Progress].
@NullMarked
package dev.policysync.sync.execution;

import org.jspecify.annotations.NullMarked;

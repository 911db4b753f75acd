/// Executes a plan: [Execution] turns actions into [Outcome]s, evaluates conflicts again, stops if
/// it must ([Cancellation], [UnreachableServices]) and retries temporary failures; the ports are
/// [PolicyStore] and [Progress].
@NullMarked
package dev.policysync.sync.execution;

import org.jspecify.annotations.NullMarked;

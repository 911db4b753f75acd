/// Carrying out a plan: [Execution] turns actions into [Outcome]s, re-judges conflicts, stops where
/// it must ([Cancellation], [CircuitBreaker]), waits for failures that may pass; the ports
/// [PolicyStore], [Progress].
@NullMarked
package dev.policysync.sync.execution;

import org.jspecify.annotations.NullMarked;

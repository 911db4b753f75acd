/// A machine that plays what can happen to a cluster between and during runs, drawn from a seed,
/// and holds the agent's promises against it after every run; start at
/// [dev.policysync.statemachine.StateMachineIT].
///
/// It has its own idea of everything that it judges by, read from the API server's plain objects:
/// none of it is asked of the agent's planner.
@NullMarked
package dev.policysync.statemachine;

import org.jspecify.annotations.NullMarked;

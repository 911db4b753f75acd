/// Decides what to write and what to remove: [Planner] compares the expected and the live policies
/// and makes a [Plan]. Ownership, guards, removal budgets and the state of earlier runs are values;
/// this package uses no clock and no network.
@NullMarked
package dev.policysync.plan;

import org.jspecify.annotations.NullMarked;

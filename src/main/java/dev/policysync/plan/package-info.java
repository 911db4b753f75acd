/// What to write and what to remove: [Planner] makes a [Plan] of the expected and the actual
/// policies. Ownership, guards, removal budgets and the memory of earlier runs are values here; no
/// clock, no network.
@NullMarked
package dev.policysync.plan;

import org.jspecify.annotations.NullMarked;

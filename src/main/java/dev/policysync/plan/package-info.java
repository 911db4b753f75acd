/// What is to be done: [Planner] makes a [Plan] of what is expected and what is there, and knows
/// neither a clock nor a network.
@NullMarked
package dev.policysync.plan;

import org.jspecify.annotations.NullMarked;

/// Successors in the place of the feed's policies that Kyverno 1.20 no longer executes:
/// [SuccessionPlanner] takes one step in each run, [Rehearsals] holds verdicts against each other,
/// [Exemptions] and [Objections] say where it is not done.
@NullMarked
package dev.policysync.sync.succession;

import org.jspecify.annotations.NullMarked;

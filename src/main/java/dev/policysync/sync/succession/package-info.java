/// Successors in the place of policies that Kyverno 1.20 no longer executes: [SuccessionPlanner]
/// takes one step in each run, [Rehearsals] compares verdicts, [Exemptions] and [Objections] say
/// where no step is taken.
@NullMarked
package dev.policysync.sync.succession;

import org.jspecify.annotations.NullMarked;

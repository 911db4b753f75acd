/// Replaces policies that Kyverno 1.20 no longer executes by their successors: [SuccessionPlanner]
/// takes one step per run, [Rehearsals] compares verdicts, [Exemptions] and [Objections] exclude
/// policies that must not be replaced.
@NullMarked
package dev.policysync.sync.succession;

import org.jspecify.annotations.NullMarked;

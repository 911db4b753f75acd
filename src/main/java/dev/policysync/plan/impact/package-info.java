/// Decides whether a write makes a policy stricter, where, and why, by comparing the policy before
/// and after; start at [ImpactEvaluator].
@NullMarked
package dev.policysync.plan.impact;

import org.jspecify.annotations.NullMarked;

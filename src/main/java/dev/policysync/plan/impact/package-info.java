/// Whether a write makes a policy stricter, where, and why, from the policy before and after; start
/// at [ImpactEvaluator].
@NullMarked
package dev.policysync.plan.impact;

import org.jspecify.annotations.NullMarked;

/// Whether a write makes policies stricter: judged from a policy before and after, as values; start
/// at [dev.policysync.impact.ImpactEvaluator].
@NullMarked
package dev.policysync.impact;

import org.jspecify.annotations.NullMarked;

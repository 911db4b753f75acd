/// What the runs of a day removed, withheld, wrote and repaired, and what that still allows:
/// [RemovalBudget] with [RemovalHistory], [FeedHistory], [DriftHistory].
@NullMarked
package dev.policysync.plan.history;

import org.jspecify.annotations.NullMarked;

/// Results that say the same counted once: [Deduplicator], stale twins ([StaleReportFilter]), a
/// controller and its Pods ([ControllerMatcher]), sorted findings.
@NullMarked
package dev.policysync.report.dedup;

import org.jspecify.annotations.NullMarked;

/// Policy reports as findings, each counted once and in flat memory: [Collector] reads them page by
/// page, [Deduplicator] counts equal results once, [Reporter] uploads [Findings].
@NullMarked
package dev.policysync.report;

import org.jspecify.annotations.NullMarked;

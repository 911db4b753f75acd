/// Turns policy reports into findings, with flat memory use: [Collector] reads them page by page,
/// [Deduplicator] counts equal results once, [Reporter] uploads [Findings].
@NullMarked
package dev.policysync.report;

import org.jspecify.annotations.NullMarked;

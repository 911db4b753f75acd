/// What a run tells Prometheus. Start at [dev.policysync.sync.metrics.RunMetrics].
@NullMarked
package dev.policysync.sync.metrics;

import org.jspecify.annotations.NullMarked;

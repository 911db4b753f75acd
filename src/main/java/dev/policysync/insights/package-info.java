/// The remote, Insights-style API: the feed it offers and the statuses it is told; start at
/// [dev.policysync.insights.InsightsFeed].
@NullMarked
package dev.policysync.insights;

import org.jspecify.annotations.NullMarked;

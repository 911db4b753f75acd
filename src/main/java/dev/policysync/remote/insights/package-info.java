/// The Insights API and the Pushgateway: the feed ([InsightsFeed]), statuses ([InsightsStatuses])
/// and reports ([InsightsReports]).
@NullMarked
package dev.policysync.remote.insights;

import org.jspecify.annotations.NullMarked;

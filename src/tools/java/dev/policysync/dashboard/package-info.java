/// The chart's dashboard as a picture: `make dashboard`. Start at
/// [dev.policysync.dashboard.DrawDashboard].
@NullMarked
package dev.policysync.dashboard;

import org.jspecify.annotations.NullMarked;

package dev.policysync.sync.analysis;

import dev.policysync.plan.ownership.SourceName;
import java.time.Clock;

/// Five minutes of each hour, in which a run that finds nothing changed looks at what is not worth
/// its requests each time. In the next hour they are the next five, so that they meet runs of any
/// schedule, and those of every five minutes once an hour; each source has its own.
public record HourlyTurn(SourceName source, Clock clock) {
  private static final int SLOTS = 12;

  /// Whether it is now.
  public boolean isNow() {
    var minutes = clock.instant().getEpochSecond() / 60;
    var slot = Math.floorMod(minutes / 60 + source.text().hashCode(), SLOTS);
    return minutes % 60 / 5 == slot;
  }
}

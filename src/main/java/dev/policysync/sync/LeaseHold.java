package dev.policysync.sync;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/// What a Lease says about its holder. `check`, `status` and a run that waits for the Lease judge
/// by this one rule.
public enum LeaseHold {
  /// Nobody holds the Lease.
  FREE,
  /// A run is at work.
  ACTIVE,
  /// The holder no longer renews the Lease, because its run was killed. The next run takes it over.
  EXPIRED,
  /// The holder cannot be a run: it has held the Lease for longer than any run takes, or the Lease
  /// never expires. No run gets the Lease until a person releases it.
  STUCK;

  /// The longest plausible duration, far above what any agent uses.
  private static final Duration LONGEST_DURATION = Duration.ofHours(1);

  /// A holder that has had the Lease for longer is not a run, however often it renews the Lease.
  private static final Duration LONGEST_RUN = Duration.ofMinutes(30);

  /// @param holder empty if nobody holds the Lease
  /// @param acquired when the holder acquired the Lease, if the Lease says so
  /// @param renewed when the holder last renewed it, if the Lease says so
  /// @param duration for how long it is held after a renewal, if the Lease says so
  public static LeaseHold of(
      String holder,
      Optional<Instant> acquired,
      Optional<Instant> renewed,
      Optional<Duration> duration,
      Instant now) {
    if (holder.isEmpty()) {
      return FREE;
    }
    if (neverExpires(duration)) {
      return STUCK;
    }
    var lasts = duration.orElse(Duration.ZERO);
    if (renewed.filter(time -> age(time, now).compareTo(lasts) <= 0).isEmpty()) {
      return EXPIRED;
    }
    return canBeRun(acquired, now) ? ACTIVE : STUCK;
  }

  /// Returns whether a holder that acquired the Lease then can be a run at work; false if the Lease
  /// does not say when it was acquired.
  public static boolean canBeRun(Optional<Instant> acquired, Instant now) {
    return acquired.filter(time -> age(time, now).compareTo(LONGEST_RUN) < 0).isPresent();
  }

  private static Duration age(Instant time, Instant now) {
    return Duration.between(time, now);
  }

  /// Returns whether the duration is so long that nobody will see the Lease expire.
  public static boolean neverExpires(Optional<Duration> duration) {
    return duration.filter(time -> time.compareTo(LONGEST_DURATION) > 0).isPresent();
  }
}

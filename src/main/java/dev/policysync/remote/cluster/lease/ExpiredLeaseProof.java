package dev.policysync.remote.cluster.lease;

import dev.policysync.base.Value;
import dev.policysync.remote.cluster.ApiResponse;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// Whether a Lease's holder has been silent for so long that nobody needs to watch the record any
/// more: the shortcut of `docs/decisions/0006-when-a-lease-is-over.md`.
///
/// It takes two witnesses with a clock each: the holder, who wrote `renewTime`, and the API server,
/// which noted when the record was written last. Both are asked how long ago that was by the API
/// server's clock of this very answer, and only where our own clock is of its opinion.
final class ExpiredLeaseProof {
  /// How many of its durations a holder must have let pass.
  private static final int DURATIONS = 3;

  /// How far our clock may be from the API server's, which tells whole seconds.
  private static final Duration AGREEMENT = Duration.ofSeconds(5);

  private ExpiredLeaseProof() {}

  /// Whether there is proof of it; where anything is missing or odd there is none.
  ///
  /// @param lease the answer that carried it
  /// @param arrived our own time of day then
  static boolean proven(ApiResponse lease, Instant arrived) {
    var record = LeaseRecord.of(lease.body());
    var clock = lease.time().filter(now -> agree(now, arrived));
    var silence = record.duration().filter(_ -> !record.endless()).map(ExpiredLeaseProof::enough);
    return clock.isPresent()
        && silence.isPresent()
        && before(record.renewTime(), clock.get().minus(silence.get()))
        && before(written(lease.body()), clock.get().minus(silence.get()));
  }

  /// Whether these are the same time of day, as far as clocks tell it.
  static boolean agree(Instant one, Instant other) {
    return Duration.between(one, other).abs().compareTo(AGREEMENT) <= 0;
  }

  /// Short Leases are not judged faster: what matters is how far clocks may be off.
  private static Duration enough(Duration held) {
    return (held.compareTo(LeaseLock.DURATION) < 0 ? LeaseLock.DURATION : held)
        .multipliedBy(DURATIONS);
  }

  private static boolean before(Optional<Instant> event, Instant limit) {
    return event.filter(time -> time.isBefore(limit)).isPresent();
  }

  /// When the API server took the last renewal. Each one changes `renewTime`, and whoever changes a
  /// field owns it from then on, with the time of day at the API server.
  private static Optional<Instant> written(Value.Mapping lease) {
    var owners =
        lease.mapping("metadata").mappings("managedFields").stream()
            .filter(ExpiredLeaseProof::ownsRenewTime)
            .toList();
    return latest(owners);
  }

  private static boolean ownsRenewTime(Value.Mapping entry) {
    return entry.mapping("fieldsV1").mapping("f:spec").field("f:renewTime").isPresent();
  }

  /// The latest of their times; none if one of them has none.
  private static Optional<Instant> latest(List<Value.Mapping> entries) {
    return entries.stream()
        .map(ExpiredLeaseProof::time)
        .reduce((one, other) -> one.flatMap(a -> other.map(b -> a.isAfter(b) ? a : b)))
        .flatMap(time -> time);
  }

  private static Optional<Instant> time(Value.Mapping entry) {
    try {
      return entry.text("time").map(Instant::parse);
    } catch (DateTimeException _) {
      return Optional.empty();
    }
  }
}

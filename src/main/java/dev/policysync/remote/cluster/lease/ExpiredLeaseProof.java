package dev.policysync.remote.cluster.lease;

import dev.policysync.base.Value;
import dev.policysync.remote.cluster.ApiResponse;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// Proves that a Lease's holder has been silent for so long that the Lease may be taken over at
/// once, without watching it first: the shortcut of `docs/decisions/0006-when-a-lease-is-over.md`.
///
/// The proof needs two records, each with its own clock: `renewTime`, which the holder wrote, and
/// the time at which the API server recorded the last write of the Lease. Both times are compared
/// with the API server's clock in the same response, and only if our own clock agrees with that
/// clock.
final class ExpiredLeaseProof {
  /// The number of Lease durations for which the holder must be silent.
  private static final int DURATIONS = 3;

  /// The maximum difference between our clock and the API server's, which has whole seconds.
  private static final Duration AGREEMENT = Duration.ofSeconds(5);

  private ExpiredLeaseProof() {}

  /// Returns whether the Lease is proven to be expired; false if any record is missing or
  /// implausible.
  ///
  /// @param lease the response that contains the Lease
  /// @param arrived our own time of day when the response arrived
  static boolean proven(ApiResponse lease, Instant arrived) {
    var record = LeaseRecord.of(lease.body());
    var clock = lease.time().filter(now -> agree(now, arrived));
    var silence =
        record.duration().filter(_ -> !record.neverExpires()).map(ExpiredLeaseProof::enough);
    return clock.isPresent()
        && silence.isPresent()
        && before(record.renewTime(), clock.get().minus(silence.get()))
        && before(written(lease.body()), clock.get().minus(silence.get()));
  }

  /// Returns whether two times are equal within the accuracy of clocks.
  static boolean agree(Instant one, Instant other) {
    return Duration.between(one, other).abs().compareTo(AGREEMENT) <= 0;
  }

  /// Returns how long a holder must be silent. There is a minimum for short Leases, because the
  /// time must exceed the difference between clocks.
  private static Duration enough(Duration held) {
    return (held.compareTo(LeaseLock.DURATION) < 0 ? LeaseLock.DURATION : held)
        .multipliedBy(DURATIONS);
  }

  private static boolean before(Optional<Instant> event, Instant limit) {
    return event.filter(time -> time.isBefore(limit)).isPresent();
  }

  /// Returns when the API server accepted the last renewal. Each renewal changes `renewTime`, and
  /// the manager that changes a field then owns it, with the API server's time.
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

  /// Returns the latest time of these entries; empty if one entry has no time.
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

package dev.policysync.remote.cluster.lease;

import dev.policysync.base.Value;
import dev.policysync.plan.Failure;
import dev.policysync.remote.cluster.ApiResponse;
import dev.policysync.remote.cluster.ClusterConnection;
import dev.policysync.sync.LeaseHold;
import dev.policysync.sync.SyncLock;
import dev.policysync.sync.execution.ClusterUnavailable;
import dev.policysync.sync.execution.Ticker;
import dev.policysync.sync.execution.TimeBudget;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The lock on the Lease `kyverno-policy-sync-lock`: only its holder may write (promise 9).
///
/// Our own monotonic clock decides whether another holder's Lease has expired: it has if its record
/// did not change for the duration in the record. So no clock of another machine is trusted, and
/// agents with other durations are respected. Only a Lease that expired long ago by every available
/// clock ([ExpiredLeaseProof]) is taken over at once.
public final class LeaseLock implements SyncLock {
  /// The Lease's name. The Go agent uses the same name, so that both agents exclude each other
  /// during a migration.
  public static final String NAME = "kyverno-policy-sync-lock";

  /// The Lease's duration: long enough to miss several renewals, short enough that other runs do
  /// not wait long for a crashed holder.
  static final Duration DURATION = Duration.ofSeconds(60);

  private static final Duration POLL = Duration.ofSeconds(1);

  /// How often acquiring is retried at once after another run was faster; after that, this run
  /// waits as for a holder.
  private static final int RACES = 8;

  private static final DateTimeFormatter MICROS =
      new DateTimeFormatterBuilder().appendInstant(6).toFormatter(Locale.ROOT);

  private static final String ACQUIRE = "acquire";
  private static final String RELEASE = "release";

  private static final Logger LOG = LoggerFactory.getLogger(LeaseLock.class);

  private final LeaseApi leases;
  private final String identity;
  private final Clock clock;
  private final Ticker ticker;

  /// Creates the lock on the Lease in this namespace.
  ///
  /// @param identity the holder's name, unique for each run
  public LeaseLock(
      ClusterConnection connection, String namespace, String identity, Clock clock, Ticker ticker) {
    this.leases = new LeaseApi(connection, namespace);
    this.identity = identity;
    this.clock = clock;
    this.ticker = ticker;
  }

  /// Returns the time of day as a Lease records it: always with six fractional digits, or the API
  /// server rejects it.
  static Value.Text now(Clock clock) {
    return new Value.Text(MICROS.format(clock.instant()));
  }

  @Override
  public Attempt acquire(Duration wait) {
    try {
      return acquireWithin(wait);
    } catch (ClusterUnavailable e) {
      return new Attempt.Unavailable(e.failure());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new Attempt.HeldBy("an unknown holder (interrupted while waiting)");
    }
  }

  /// Releases the Lease that an interrupted run still holds. Such a run no longer writes.
  public void release() {
    var held =
        leases
            .read(RELEASE)
            .map(ApiResponse::body)
            .filter(lease -> LeaseRecord.of(lease).holder().equals(identity));
    held.ifPresent(lease ->
        leases.replace(RELEASE, lease.with("spec", LeaseRecord.of(lease).released(now(clock)))));
  }

  private Attempt acquireWithin(Duration wait) throws InterruptedException {
    var end = ticker.nanoTime() + wait.toNanos();
    Optional<Seen> seen = Optional.empty();
    var changesHands = false;
    for (int races = 0; ; ) {
      var asked = DualClockInstant.now(ticker, clock);
      var there = leases.read(ACQUIRE);
      var before = seen;
      seen = seen(there, seen);
      changesHands |= before.isPresent() && !sameHolder(before, seen);
      if (free(there, seen)) {
        var ours = takeOrVerify(there);
        if (ours.isPresent()) {
          return new Attempt.Taken(new HeldLease(leases, ours.get(), asked, clock, ticker));
        }
        if (++races < RACES) {
          continue;
        }
      }
      var left = Duration.ofNanos(end - ticker.nanoTime());
      if (!left.isPositive() || !ticker.pause(TimeBudget.shorter(left, POLL))) {
        if (!left.isPositive()) {
          seen.ifPresent(found -> warnOfLeaseNeverExpiring(found.record, wait, there));
        }
        return heldBy(seen.map(Seen::record), changesHands ? Optional.empty() : there);
      }
    }
  }

  private Optional<Seen> seen(Optional<ApiResponse> lease, Optional<Seen> before) {
    return lease.map(
        apiResponse -> Seen.of(LeaseRecord.of(apiResponse.body()), before, ticker.nanoTime()));
  }

  private boolean free(Optional<ApiResponse> lease, Optional<Seen> seen) {
    if (lease.isEmpty() || seen.isEmpty() || seen.get().record.holder().isEmpty()) {
      return true;
    }
    var abandoned = ExpiredLeaseProof.proven(lease.get(), clock.instant());
    if (abandoned) {
      LOG.atInfo()
          .addKeyValue("holder", seen.get().record.holder())
          .log("Lease of an earlier run expired long ago, taking it over");
    }
    return abandoned || seen.get().expired(ticker.nanoTime());
  }

  /// Takes the Lease. If the response is lost, reading the Lease shows whether this run holds it,
  /// because no other run has its identity. Without this check, no run could take the Lease for a
  /// whole duration.
  private Optional<Value.Mapping> takeOrVerify(Optional<ApiResponse> lease) {
    try {
      return take(lease);
    } catch (ClusterUnavailable e) {
      if (e.failure().cause() != Failure.Cause.UNREACHABLE) {
        throw e;
      }
      var now = leases.read(ACQUIRE).map(ApiResponse::body);
      if (now.filter(there -> LeaseRecord.of(there).holder().equals(identity)).isEmpty()) {
        throw e;
      }
      return now;
    }
  }

  /// Takes the Lease; empty if another run was faster.
  private Optional<Value.Mapping> take(Optional<ApiResponse> lease) {
    if (lease.isEmpty()) {
      return leases.create(ACQUIRE, Value.Mapping.EMPTY, claim(0));
    }
    var there = lease.get().body();
    var claim = claim(LeaseRecord.of(there).nextTransition());
    return leases.replace(ACQUIRE, there.with("spec", claim));
  }

  /// Warns if a crashed run's Lease would never be taken over. A run that waits for less than a
  /// Lease's duration never sees it expire, and the proof of an old expiry needs a clock that
  /// agrees with the API server's.
  private void warnOfLeaseNeverExpiring(
      LeaseRecord held, Duration wait, Optional<ApiResponse> lease) {
    var duration = held.duration().orElse(DURATION);
    if (wait.compareTo(duration) <= 0
        && lease.flatMap(ApiResponse::time).filter(this::agrees).isEmpty()) {
      LOG.atWarn()
          .addKeyValue("holder", held.holder())
          .addKeyValue(
              "fix",
              "synchronize the clock of this machine, or set LOCK_WAIT and TIMEOUT to more than "
                  + duration.toSeconds()
                  + "s")
          .log("Lease of a crashed run would never be taken over");
    }
  }

  private boolean agrees(Instant servers) {
    return ExpiredLeaseProof.agree(servers, clock.instant());
  }

  private static boolean sameHolder(Optional<Seen> one, Optional<Seen> other) {
    return one.map(seen -> seen.record.holding()).equals(other.map(seen -> seen.record.holding()));
  }

  /// @param same the Lease, if the same holder held it during the whole wait
  private Attempt heldBy(Optional<LeaseRecord> record, Optional<ApiResponse> same) {
    var holder = record.map(LeaseRecord::holder).filter(name -> !name.isEmpty());
    if (holder.isPresent() && record.get().neverExpires()) {
      LOG.atWarn()
          .addKeyValue("holder", holder.get())
          .addKeyValue("fix", "if the holder no longer exists: " + leases.releaseCommand())
          .log("Lease duration is longer than any run");
    }
    var now = same.flatMap(ApiResponse::time).orElseGet(clock::instant);
    var objection =
        record
            .filter(_ -> holder.isPresent() && same.isPresent())
            .flatMap(held -> objection(held, now));
    return new Attempt.HeldBy(holder.orElse("one of several other runs"), objection);
  }

  /// Returns an objection if the holder has held the Lease for longer than any run takes, or if
  /// that time is unknown: another client is probably renewing a Lease under which nothing is
  /// synced.
  private Optional<String> objection(LeaseRecord held, Instant now) {
    if (LeaseHold.canBeRun(held.acquireTime(), now)) {
      return Optional.empty();
    }
    return Optional.of(
        held.acquireTime()
                .map(time ->
                    "acquired at "
                        + time.truncatedTo(ChronoUnit.SECONDS)
                        + ", longer ago than any run takes")
                .orElse("it does not say when it was acquired")
            + "; if no such run exists, release the Lease: "
            + leases.releaseCommand());
  }

  private Value.Mapping claim(int transitions) {
    var now = now(clock);
    return Value.Mapping.EMPTY
        .with("holderIdentity", identity)
        .with("leaseDurationSeconds", Value.Numeric.of(DURATION.toSeconds()))
        .with("acquireTime", now)
        .with("renewTime", now)
        .with("leaseTransitions", Value.Numeric.of(transitions));
  }

  /// Another holder's record, and since when it has been unchanged.
  private record Seen(LeaseRecord record, long since) {
    static Seen of(LeaseRecord record, Optional<Seen> before, long now) {
      return before
          .filter(seen -> seen.record.equals(record))
          .orElseGet(() -> new Seen(record, now));
    }

    /// Returns whether the record has expired. Without a duration, the record gets ours.
    boolean expired(long now) {
      return Duration.ofNanos(now - since).compareTo(record.duration().orElse(DURATION)) >= 0;
    }
  }
}

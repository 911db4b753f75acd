package dev.policysync.remote.cluster.lease;

import dev.policysync.base.Value;
import dev.policysync.plan.Failure;
import dev.policysync.remote.cluster.ApiResponse;
import dev.policysync.remote.cluster.ClusterConnection;
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

/// The Lease `kyverno-policy-sync-lock`: whoever is its holder may write (promise 9).
///
/// Whether another holder's Lease has expired is judged by our own monotonic clock: it has if we
/// saw its record unchanged for the record's own duration. So no clock of another machine is
/// believed, and agents with other durations are honoured. Only one that was left behind long ago
/// by every clock there is ([ExpiredLeaseProof]) is taken at once.
public final class LeaseLock implements SyncLock {
  /// The name that the Go agent uses too, so that old and new exclude each other while one replaces
  /// the other.
  public static final String NAME = "kyverno-policy-sync-lock";

  /// Long enough to lose several renewals, short enough that a crashed holder costs others little.
  static final Duration DURATION = Duration.ofSeconds(60);

  private static final Duration POLL = Duration.ofSeconds(1);

  /// How often we try again at once after somebody else was faster; then we wait as for a holder.
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

  /// The Lease in that namespace, to be held under that identity, which no other run may share.
  public LeaseLock(
      ClusterConnection connection, String namespace, String identity, Clock clock, Ticker ticker) {
    this.leases = new LeaseApi(connection, namespace);
    this.identity = identity;
    this.clock = clock;
    this.ticker = ticker;
  }

  /// The time of day, as precisely as a Lease records it: always with six digits, or the API server
  /// refuses it.
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

  /// Gives back what a run that is cut off still holds; it writes nothing any more.
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
        var ours = takeOrLookAgain(there);
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
          seen.ifPresent(found -> warnOfAWaitInVain(found.record, wait, there));
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

  /// Where the answer is lost, the record tells whether it is ours: no other run has our identity.
  /// Else it would be nobody's for a whole duration.
  private Optional<Value.Mapping> takeOrLookAgain(Optional<ApiResponse> lease) {
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

  /// Empty where somebody else was faster.
  private Optional<Value.Mapping> take(Optional<ApiResponse> lease) {
    if (lease.isEmpty()) {
      return leases.create(ACQUIRE, Value.Mapping.EMPTY, claim(0));
    }
    var there = lease.get().body();
    var claim = claim(LeaseRecord.of(there).nextTransition());
    return leases.replace(ACQUIRE, there.with("spec", claim));
  }

  /// Who waits for less than a Lease's duration never sees one expire, and that a holder is long
  /// gone is proven only to a clock that agrees with the API server's: with neither, a crashed
  /// run's Lease is nobody's for ever.
  private void warnOfAWaitInVain(LeaseRecord held, Duration wait, Optional<ApiResponse> lease) {
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

  /// @param same the Lease, where one holder had it all the time that we looked
  private Attempt heldBy(Optional<LeaseRecord> record, Optional<ApiResponse> same) {
    var holder = record.map(LeaseRecord::holder).filter(name -> !name.isEmpty());
    if (holder.isPresent() && record.get().endless()) {
      LOG.atWarn()
          .addKeyValue("holder", holder.get())
          .addKeyValue("fix", "if the holder no longer exists: " + leases.commandToFree())
          .log("Lease duration is longer than any run");
    }
    var now = same.flatMap(ApiResponse::time).orElseGet(clock::instant);
    var objection =
        record
            .filter(_ -> holder.isPresent() && same.isPresent())
            .flatMap(held -> objection(held, now));
    return new Attempt.HeldBy(holder.orElse("one of several other runs"), objection);
  }

  /// No run takes that long: somebody renews a Lease under which nobody syncs, or nobody can tell.
  private Optional<String> objection(LeaseRecord held, Instant now) {
    if (held.canBeAtWork(now)) {
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
            + leases.commandToFree());
  }

  private Value.Mapping claim(int transitions) {
    var now = now(clock);
    return Value.Mapping.EMPTY
        .with("holderIdentity", new Value.Text(identity))
        .with("leaseDurationSeconds", Value.Numeric.of(DURATION.toSeconds()))
        .with("acquireTime", now)
        .with("renewTime", now)
        .with("leaseTransitions", Value.Numeric.of(transitions));
  }

  /// A record of another holder, and since when we have seen it unchanged.
  private record Seen(LeaseRecord record, long since) {
    static Seen of(LeaseRecord record, Optional<Seen> before, long now) {
      return before
          .filter(seen -> seen.record.equals(record))
          .orElseGet(() -> new Seen(record, now));
    }

    /// A record that does not say how long it holds gets as long as ours.
    boolean expired(long now) {
      return Duration.ofNanos(now - since).compareTo(record.duration().orElse(DURATION)) >= 0;
    }
  }
}

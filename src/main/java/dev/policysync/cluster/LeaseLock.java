package dev.policysync.cluster;

import dev.policysync.sync.SyncLock;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.models.V1Lease;
import io.kubernetes.client.openapi.models.V1LeaseSpec;
import java.time.Clock;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Objects;
import java.util.Optional;

/// The Lease `kyverno-policy-sync-lock`: whoever is its holder may write (promise 9).
///
/// Whether another holder's Lease has expired is judged by our own monotonic clock: it has if we
/// saw its record unchanged for the record's own duration. So no clock of another machine is
/// believed, and agents with other durations are honoured.
public final class LeaseLock implements SyncLock {
  /// The name that the Go agent uses too, so that old and new exclude each other while one replaces
  /// the other.
  public static final String NAME = "kyverno-policy-sync-lock";

  /// Long enough to lose several renewals, short enough that a crashed holder costs others little.
  static final Duration DURATION = Duration.ofSeconds(60);

  private static final Duration POLL = Duration.ofSeconds(1);

  private final LeaseApi leases;
  private final String identity;
  private final Clock clock;
  private final Ticker ticker;

  /// A monotonic clock to wait by.
  public interface Ticker {
    /// As `System.nanoTime`.
    long nanoTime();

    /// Waits that long; false if it was woken to stop.
    boolean pause(Duration time) throws InterruptedException;
  }

  /// The Lease in that namespace, to be held under that identity, which no other run may share.
  public LeaseLock(
      ClusterConnection connection, String namespace, String identity, Clock clock, Ticker ticker) {
    this.leases = new LeaseApi(connection, namespace);
    this.identity = identity;
    this.clock = clock;
    this.ticker = ticker;
  }

  /// The time of day, as precisely as a Lease records it.
  static OffsetDateTime now(Clock clock) {
    return clock.instant().truncatedTo(ChronoUnit.MICROS).atOffset(ZoneOffset.UTC);
  }

  @Override
  public Attempt acquire(Duration wait) {
    try {
      return acquireWithin(wait);
    } catch (ApiException e) {
      return new Attempt.Unavailable(leases.failure(e));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new Attempt.HeldBy("nobody known: interrupted while waiting");
    }
  }

  private Attempt acquireWithin(Duration wait) throws ApiException, InterruptedException {
    var end = ticker.nanoTime() + wait.toNanos();
    Optional<Seen> seen = Optional.empty();
    while (true) {
      var asked = ticker.nanoTime();
      var lease = leases.read();
      if (lease.isEmpty()) {
        var created = leases.create(claim(0));
        if (created.isPresent()) {
          return taken(created.get(), asked);
        }
        continue;
      }
      var record = LeaseApi.record(lease.get());
      seen = Optional.of(Seen.of(record, seen, ticker.nanoTime()));
      if (free(record) || seen.get().expired(ticker.nanoTime())) {
        var transitions = Objects.requireNonNullElse(record.getLeaseTransitions(), 0);
        var replaced = leases.replace(lease.get(), claim(transitions + 1));
        if (replaced.isPresent()) {
          return taken(replaced.get(), asked);
        }
        continue;
      }
      var left = Duration.ofNanos(end - ticker.nanoTime());
      if (!left.isPositive() || !ticker.pause(left.compareTo(POLL) < 0 ? left : POLL)) {
        return new Attempt.HeldBy(Objects.requireNonNullElse(record.getHolderIdentity(), ""));
      }
    }
  }

  private Attempt taken(V1Lease lease, long asked) {
    return new Attempt.Taken(new HeldLease(leases, lease, asked, clock, ticker));
  }

  private static boolean free(V1LeaseSpec record) {
    return record.getHolderIdentity() == null || record.getHolderIdentity().isEmpty();
  }

  private V1LeaseSpec claim(int transitions) {
    var now = now(clock);
    return new V1LeaseSpec()
        .holderIdentity(identity)
        .leaseDurationSeconds((int) DURATION.toSeconds())
        .acquireTime(now)
        .renewTime(now)
        .leaseTransitions(transitions);
  }

  /// A record of another holder, and since when we have seen it unchanged.
  private record Seen(V1LeaseSpec record, long since) {
    static Seen of(V1LeaseSpec record, Optional<Seen> before, long now) {
      return before
          .filter(seen -> seen.record.equals(record))
          .orElseGet(() -> new Seen(record, now));
    }

    /// A record that does not say how long it holds gets as long as ours.
    boolean expired(long now) {
      var seconds = record.getLeaseDurationSeconds();
      var duration = seconds == null ? DURATION : Duration.ofSeconds(seconds);
      return now - since >= duration.toNanos();
    }
  }
}

package dev.policysync.cluster;

import dev.policysync.sync.ClusterUnavailable;
import dev.policysync.sync.SyncLock;
import dev.policysync.yaml.Value;
import java.time.Clock;
import java.time.Duration;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.util.Locale;
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

  private static final DateTimeFormatter MICROS =
      new DateTimeFormatterBuilder().appendInstant(6).toFormatter(Locale.ROOT);

  private static final String TAKE = "take";

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
      return new Attempt.HeldBy("nobody known: interrupted while waiting");
    }
  }

  private Attempt acquireWithin(Duration wait) throws InterruptedException {
    var end = ticker.nanoTime() + wait.toNanos();
    Optional<Seen> seen = Optional.empty();
    while (true) {
      var asked = ticker.nanoTime();
      var lease = leases.read(TAKE).map(KubeApi.Answer::body);
      if (lease.isEmpty()) {
        var created = leases.create(TAKE, Value.Mapping.EMPTY, claim(0));
        if (created.isPresent()) {
          return taken(created.get(), asked);
        }
        continue;
      }
      var record = LeaseApi.record(lease.get());
      seen = Optional.of(Seen.of(record, seen, ticker.nanoTime()));
      if (holder(record).isEmpty() || seen.get().expired(ticker.nanoTime())) {
        var claim = claim(number(record, "leaseTransitions").orElse(0) + 1);
        var replaced = leases.replace(TAKE, lease.get().with("spec", claim));
        if (replaced.isPresent()) {
          return taken(replaced.get(), asked);
        }
        continue;
      }
      var left = Duration.ofNanos(end - ticker.nanoTime());
      if (!left.isPositive() || !ticker.pause(left.compareTo(POLL) < 0 ? left : POLL)) {
        return new Attempt.HeldBy(holder(record));
      }
    }
  }

  private Attempt taken(Value.Mapping lease, long asked) {
    return new Attempt.Taken(new HeldLease(leases, lease, asked, clock, ticker));
  }

  /// Whose a record says the Lease is; nobody's where it is empty.
  static String holder(Value.Mapping record) {
    return record.text("holderIdentity").orElse("");
  }

  private Value.Mapping claim(int transitions) {
    var now = now(clock);
    return Value.Mapping.EMPTY
        .with("holderIdentity", new Value.Text(identity))
        .with("leaseDurationSeconds", number(DURATION.toSeconds()))
        .with("acquireTime", now)
        .with("renewTime", now)
        .with("leaseTransitions", number(transitions));
  }

  private static Value.Numeric number(long number) {
    return new Value.Numeric(Long.toString(number));
  }

  private static Optional<Integer> number(Value.Mapping record, String field) {
    return record.fields().get(field) instanceof Value.Numeric(var literal)
        ? Optional.of(Integer.parseInt(literal))
        : Optional.empty();
  }

  /// A record of another holder, and since when we have seen it unchanged.
  private record Seen(Value.Mapping record, long since) {
    static Seen of(Value.Mapping record, Optional<Seen> before, long now) {
      return before
          .filter(seen -> seen.record.equals(record))
          .orElseGet(() -> new Seen(record, now));
    }

    /// A record that does not say how long it holds gets as long as ours.
    boolean expired(long now) {
      var duration =
          number(record, "leaseDurationSeconds").map(Duration::ofSeconds).orElse(DURATION);
      return now - since >= duration.toNanos();
    }
  }
}

package dev.policysync.remote.cluster.lease;

import dev.policysync.base.Value;
import dev.policysync.plan.Failure;
import dev.policysync.remote.cluster.ApiResponse;
import dev.policysync.sync.SyncLock;
import dev.policysync.sync.execution.ClusterUnavailable;
import dev.policysync.sync.execution.Ticker;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The Lease while it is ours: renewed by one thread of its own, so that no write delays a renewal.
public final class HeldLease implements SyncLock.Held {
  private static final Logger LOG = LoggerFactory.getLogger(HeldLease.class);

  private static final Duration RENEWAL = Duration.ofSeconds(15);

  /// No write begins in the last part of a Lease, since it may take this long to arrive.
  private static final Duration MARGIN = Duration.ofSeconds(12);

  /// How often a renewal starts over because somebody else wrote to the Lease meanwhile.
  private static final int ATTEMPTS = 5;

  private final LeaseApi leases;
  private final String identity;
  private final Clock clock;
  private final Ticker ticker;
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Thread renewal;
  private Value.Mapping lease;
  private volatile DualClockInstant renewed;
  private volatile boolean lost;

  /// @param asked when the request was sent that made it ours: its time counts from then, not from
  ///   the answer
  HeldLease(
      LeaseApi leases, Value.Mapping lease, DualClockInstant asked, Clock clock, Ticker ticker) {
    this.leases = leases;
    this.lease = lease;
    this.identity = holder(lease);
    this.renewed = asked;
    this.clock = clock;
    this.ticker = ticker;
    this.renewal = new Thread(this::keep, "lease-renewal");
    renewal.setDaemon(true);
    renewal.start();
  }

  @Override
  public boolean stillOurs() {
    var age = renewed.until(DualClockInstant.now(ticker, clock));
    return !lost && age.compareTo(LeaseLock.DURATION.minus(MARGIN)) < 0;
  }

  @Override
  public void close() {
    closed.countDown();
    release();
  }

  private void keep() {
    try {
      while (stillOurs() && !closed.await(RENEWAL.toMillis(), TimeUnit.MILLISECONDS)) {
        renew();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /// Renews it now, unless it is too late: a run that was frozen for so long does not go on, not
  /// even where nobody took its Lease meanwhile.
  public synchronized void renew() {
    if (closed.getCount() == 0) {
      return;
    }
    if (!stillOurs()) {
      LOG.atError().log("Lease not renewed in time, nothing more is written");
      return;
    }
    var asked = DualClockInstant.now(ticker, clock);
    try {
      var latest = change("renew", record -> record.with("renewTime", LeaseLock.now(clock)));
      if (latest.isEmpty()) {
        lost = true;
        LOG.atError().log("Lease lost to another run");
        return;
      }
      lease = latest.get();
      renewed = asked;
    } catch (ClusterUnavailable e) {
      LOG.atWarn().addKeyValue("reason", e.failure().reason()).log("Lease not renewed, retrying");
    }
  }

  private synchronized void release() {
    if (lost) {
      return;
    }
    try {
      freeOrLookAgain();
    } catch (ClusterUnavailable e) {
      LOG.atWarn()
          .addKeyValue("reason", e.failure().reason())
          .log("Lease not released, it will expire");
    }
  }

  /// Where the answer is lost, the record tells whether it is still ours: given back or not, nobody
  /// would take it for a whole duration else.
  private void freeOrLookAgain() {
    try {
      free();
    } catch (ClusterUnavailable e) {
      if (e.failure().cause() != Failure.Cause.UNREACHABLE) {
        throw e;
      }
      free();
    }
  }

  /// Read first, as the run has noted its state on it since it was renewed.
  private void free() {
    var now = leases.read("release").map(ApiResponse::body);
    if (now.isPresent()) {
      lease = now.get();
      var _ = change("release", record -> new LeaseRecord(record).released(LeaseLock.now(clock)));
    }
  }

  /// Changes the record as long as we are its holder; empty if we are not. A conflict alone does
  /// not mean that: somebody may have annotated the Lease, or the answer to our own last write was
  /// lost.
  private Optional<Value.Mapping> change(String why, UnaryOperator<Value.Mapping> change) {
    var latest = Optional.of(lease);
    for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
      var ours = latest.filter(found -> holder(found).equals(identity));
      if (ours.isEmpty()) {
        return Optional.empty();
      }
      var changed =
          leases.replace(
              why, ours.get().with("spec", change.apply(LeaseRecord.of(ours.get()).fields())));
      if (changed.isPresent()) {
        return changed;
      }
      latest = leases.read(why).map(ApiResponse::body);
    }
    return Optional.empty();
  }

  private static String holder(Value.Mapping lease) {
    return LeaseRecord.of(lease).holder();
  }
}

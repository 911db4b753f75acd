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

/// The Lease while this run holds it. Its own thread renews it, so that no write delays a renewal.
public final class HeldLease implements SyncLock.Held {
  private static final Logger LOG = LoggerFactory.getLogger(HeldLease.class);

  private static final Duration RENEWAL = Duration.ofSeconds(15);

  /// The last part of the Lease, in which no write begins, because a write may take this long to
  /// arrive.
  private static final Duration MARGIN = Duration.ofSeconds(12);

  /// The number of attempts of a renewal if other clients change the Lease at the same time.
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

  /// @param requestedAt when the request that acquired the Lease was sent; the Lease's duration
  ///   counts from then, not from the response
  HeldLease(
      LeaseApi leases,
      Value.Mapping lease,
      DualClockInstant requestedAt,
      Clock clock,
      Ticker ticker) {
    this.leases = leases;
    this.lease = lease;
    this.identity = holder(lease);
    this.renewed = requestedAt;
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

  /// Renews the Lease now, unless it is too late. A run that was frozen for that long must stop,
  /// even if no other run has taken its Lease.
  public synchronized void renew() {
    if (closed.getCount() == 0) {
      return;
    }
    if (!stillOurs()) {
      LOG.atError().log("Lease not renewed in time, nothing more is written");
      return;
    }
    var requestedAt = DualClockInstant.now(ticker, clock);
    try {
      var latest = change("renew", record -> record.with("renewTime", LeaseLock.now(clock)));
      if (latest.isEmpty()) {
        lost = true;
        LOG.atError().log("Lease lost to another run");
        return;
      }
      lease = latest.get();
      renewed = requestedAt;
    } catch (ClusterUnavailable e) {
      LOG.atWarn().addKeyValue("reason", e.failure().reason()).log("Lease not renewed, retrying");
    }
  }

  private synchronized void release() {
    if (lost) {
      return;
    }
    try {
      releaseWithRetry();
    } catch (ClusterUnavailable e) {
      LOG.atWarn()
          .addKeyValue("reason", e.failure().reason())
          .log("Lease not released, it will expire");
    }
  }

  /// Releases the Lease, with one retry if the response is lost: reading the Lease first shows
  /// whether this run still holds it. Without the release, other runs would have to wait for a
  /// whole Lease duration.
  private void releaseWithRetry() {
    try {
      free();
    } catch (ClusterUnavailable e) {
      if (e.failure().cause() != Failure.Cause.UNREACHABLE) {
        throw e;
      }
      free();
    }
  }

  /// Reads the Lease first, because the run has recorded its state on it since the last renewal.
  private void free() {
    var now = leases.read("release").map(ApiResponse::body);
    if (now.isPresent()) {
      lease = now.get();
      var _ = change("release", record -> new LeaseRecord(record).released(LeaseLock.now(clock)));
    }
  }

  /// Changes the Lease while this run is its holder; empty if it is not. A conflict alone does not
  /// mean that the Lease is lost: a person may have annotated it, or the response to our own last
  /// write was lost.
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

package dev.policysync.cluster;

import dev.policysync.sync.SyncLock;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.models.V1Lease;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The Lease while it is ours: renewed by one thread of its own, so that no write delays a renewal.
final class HeldLease implements SyncLock.Held {
  private static final Logger LOG = LoggerFactory.getLogger(HeldLease.class);

  private static final Duration RENEWAL = Duration.ofSeconds(15);

  /// No write begins in the last part of a Lease, since it may take this long to arrive.
  private static final Duration MARGIN = Duration.ofSeconds(12);

  private final LeaseLock lock;
  private final LeaseLock.Ticker ticker;
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Thread renewal;
  private V1Lease lease;
  private volatile long renewedAt;
  private volatile boolean lost;

  /// @param asked when the request was sent that made it ours: its time counts from then, not from
  ///   the answer
  HeldLease(LeaseLock lock, V1Lease lease, long asked, LeaseLock.Ticker ticker) {
    this.lock = lock;
    this.lease = lease;
    this.renewedAt = asked;
    this.ticker = ticker;
    this.renewal = new Thread(this::keep, "lease-renewal");
    renewal.setDaemon(true);
    renewal.start();
  }

  @Override
  public boolean stillOurs() {
    var age = Duration.ofNanos(ticker.nanoTime() - renewedAt);
    return !lost && age.compareTo(LeaseLock.DURATION.minus(MARGIN)) < 0;
  }

  @Override
  public void close() {
    closed.countDown();
    release();
  }

  private void keep() {
    try {
      while (!lost && !closed.await(RENEWAL.toMillis(), TimeUnit.MILLISECONDS)) {
        renew();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /// Renews it now.
  synchronized void renew() {
    if (closed.getCount() == 0) {
      return;
    }
    var asked = ticker.nanoTime();
    try {
      var renewed = lock.renew(lease);
      if (renewed.isEmpty()) {
        lost = true;
        LOG.atError().log("Lease lost to another run");
        return;
      }
      lease = renewed.get();
      renewedAt = asked;
    } catch (ApiException e) {
      LOG.atWarn().addKeyValue("status", e.getCode()).log("Lease not renewed, trying again");
    }
  }

  private synchronized void release() {
    if (lost) {
      return;
    }
    try {
      lock.release(lease);
    } catch (ApiException e) {
      LOG.atWarn()
          .addKeyValue("status", e.getCode())
          .log("Lease not released, it expires by itself");
    }
  }
}

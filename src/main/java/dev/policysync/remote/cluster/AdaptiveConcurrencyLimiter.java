package dev.policysync.remote.cluster;

/// Limits how many requests are in flight at once, adapting to the API server: the limit is halved
/// after each response that shows that the server is overloaded, and grows by one after a series of
/// successful ones.
///
/// The API server's own protection (API Priority and Fairness) queues excess requests and then
/// rejects them. More requests would only take the share of other clients.
final class AdaptiveConcurrencyLimiter {
  /// The initial limit: more than any run has threads for.
  private static final int MOST = 64;

  private int limit = MOST;
  private int underWay;
  private int good;

  /// Waits for a free slot. A caller that waits before a retry keeps its slot, so that others wait
  /// too.
  synchronized void acquire() throws InterruptedException {
    while (underWay >= limit) {
      wait();
    }
    underWay++;
  }

  synchronized void halveLimit() {
    limit = Math.max(1, Math.min(limit, underWay) / 2);
    good = 0;
  }

  /// @param answered whether the server had time for the request
  synchronized void release(boolean answered) {
    underWay--;
    good = answered ? good + 1 : 0;
    if (good >= limit && limit < MOST) {
      limit++;
      good = 0;
    }
    notifyAll();
  }

  synchronized int limit() {
    return limit;
  }
}

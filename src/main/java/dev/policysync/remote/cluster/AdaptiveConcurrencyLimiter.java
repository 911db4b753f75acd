package dev.policysync.remote.cluster;

/// How many requests at once an API server bears, as found out by asking: half as many after each
/// answer that it is too busy, one more after a row of good ones.
///
/// Its own way of holding us back (priority and fairness) queues what is too much and then refuses
/// it; to press on would only take others' turns.
final class AdaptiveConcurrencyLimiter {
  /// More than any run has threads for.
  private static final int MOST = 64;

  private int limit = MOST;
  private int underWay;
  private int good;

  /// Waits for a turn. Who waits out a refusal keeps it, so that others wait too.
  synchronized void enter() throws InterruptedException {
    while (underWay >= limit) {
      wait();
    }
    underWay++;
  }

  /// The server was too busy.
  synchronized void slower() {
    limit = Math.max(1, Math.min(limit, underWay) / 2);
    good = 0;
  }

  /// The turn is over.
  ///
  /// @param answered whether the server had time for it
  synchronized void leave(boolean answered) {
    underWay--;
    good = answered ? good + 1 : 0;
    if (good >= limit && limit < MOST) {
      limit++;
      good = 0;
    }
    notifyAll();
  }

  /// How many requests may be under way now.
  synchronized int limit() {
    return limit;
  }
}

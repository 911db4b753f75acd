package dev.policysync.sync;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.policysync.plan.ownership.SourceName;
import dev.policysync.policy.Digest;
import dev.policysync.sync.execution.Ticker;
import java.time.Duration;

/// Spreads the agents of a fleet over a span of time, so that they do not all call the remote API
/// in the second in which their CronJobs start. An agent's share is fixed by its source, so its
/// runs stay as far apart as its schedule says.
public final class StartJitter {
  private static final int HEX_DIGITS = 7;
  private static final long SHARES = 1L << (4 * HEX_DIGITS);

  private StartJitter() {}

  /// Lets that source's agent wait for its turn.
  public static void await(SourceName source, Duration span, Ticker ticker) {
    try {
      var _ = ticker.pause(delay(source, span));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /// How long that source's agent waits, from nothing to just below the whole span.
  static Duration delay(SourceName source, Duration span) {
    var digest = Digest.of(source.text().getBytes(UTF_8)).text();
    var share = Long.parseLong(digest.substring(digest.length() - HEX_DIGITS), 16);
    return span.multipliedBy(share).dividedBy(SHARES);
  }
}

package dev.policysync.sync;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.policysync.plan.SourceName;
import dev.policysync.policy.Digest;
import dev.policysync.sync.execution.Ticker;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Pattern;

/// Spreads the starts of a fleet's agents over a time span, so that they do not all call the remote
/// API in the second in which their CronJobs start. An agent's delay is fixed by its source, so its
/// runs keep the interval of its schedule. A Job that a person creates starts at once.
///
/// The names in a fleet mostly contain numbers, and random delays would crowd some seconds: 50 or
/// more of 10,000 agents in one second of 300. So a number in the name is not hashed but counted,
/// in steps that keep consecutive numbers as far apart as possible; the rest of the name decides
/// where counting begins. FleetSpreadTest has the figures.
public final class StartJitter {
  private static final int HEX_DIGITS = 7;
  private static final long SHARES = 1L << (4 * HEX_DIGITS);

  /// The fractional part of the golden ratio, divided by five: the chart starts every fifth number
  /// in the same minute, and these numbers have to be a golden ratio apart.
  private static final double STEP = (Math.sqrt(5) - 1) / 2 / 5;

  /// The last number in a name, or its last nine digits. The chart has the same expression.
  private static final Pattern NUMBER = Pattern.compile("([0-9]{1,9})([^0-9]*)$");

  /// The Pod of a Job that a CronJob created. The name ends with the scheduled time in minutes
  /// since 1970: `kyverno-policy-sync-29384120-x7k2p`.
  private static final Pattern SCHEDULED = Pattern.compile(".*-([0-9]{8})-[a-z0-9]{5}");

  private StartJitter() {}

  /// Waits for the delay of this source's agent.
  ///
  /// @param pod the name of the Pod, if known
  public static void await(
      SourceName source, Duration span, Optional<String> pod, Clock clock, Ticker ticker) {
    if (span.isZero() || byHand(pod, clock)) {
      return;
    }
    try {
      var _ = ticker.pause(delay(source, span));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /// Returns the delay of this source's agent, from zero to just below the whole span.
  public static Duration delay(SourceName source, Duration span) {
    return span.multipliedBy(share(source.text())).dividedBy(SHARES);
  }

  private static long share(String name) {
    var number = NUMBER.matcher(name);
    if (!number.find()) {
      return hash(name);
    }
    var counted = Math.round(Long.parseLong(number.group(1)) * STEP % 1 * SHARES);
    return (hash(name.substring(0, number.start()) + "#" + number.group(2)) + counted) % SHARES;
  }

  private static long hash(String name) {
    var digest = Digest.of(name.getBytes(UTF_8)).text();
    return Long.parseLong(digest.substring(digest.length() - HEX_DIGITS), 16);
  }

  private static boolean byHand(Optional<String> pod, Clock clock) {
    if (pod.isEmpty()) {
      return false;
    }
    var scheduled = SCHEDULED.matcher(pod.get());
    return !scheduled.matches()
        || Math.abs(clock.instant().getEpochSecond() / 60 - Long.parseLong(scheduled.group(1)))
            > Duration.ofDays(1).toMinutes();
  }
}

package dev.policysync.insights;

import java.time.Duration;

/// How often and how long a call is repeated. Every number of it is here.
///
/// @param attempts how many there are at most, the first included
/// @param firstWait before the second attempt
/// @param growth by what each further wait is longer
/// @param jitter by what share a wait is longer or shorter at random, so that a fleet that failed
///   together does not come back together
/// @param budget for all attempts and waits of a call together
/// @param budgetPerItem what each item of a batch adds to it
record RetryRules(
    int attempts,
    Duration firstWait,
    double growth,
    double jitter,
    Duration budget,
    Duration budgetPerItem) {

  /// Without the feed a run is worth nothing, so it may wait: about 0.5, 1 and 2 s outlast a
  /// restart behind a load balancer. 30 s leave most of a run's 4 minutes to the cluster; the next
  /// run is 5 minutes away.
  static final RetryRules FEED =
      new RetryRules(4, Duration.ofMillis(500), 2, 0.5, Duration.ofSeconds(30), Duration.ZERO);

  /// A status that is not taken now is sent by the next run, so little is spent on it: 10 s at most
  /// for a handful. A first run has a thousand to send; 50 ms for each let four at once take 200
  /// ms.
  static final RetryRules STATUS =
      new RetryRules(
          3, Duration.ofMillis(250), 2, 0.5, Duration.ofSeconds(10), Duration.ofMillis(50));

  /// The budget for so many items.
  Duration budgetFor(int items) {
    return budget.plus(budgetPerItem.multipliedBy(items));
  }
}

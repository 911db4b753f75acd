package dev.policysync.remote.insights;

import java.time.Duration;

/// How often and how long a call is repeated, and when calling is given up. Every number of it is
/// here.
///
/// There is no limit of calls a second: the API names none, at most four calls are under way at
/// once, so that an API which takes longer is asked less often, and its `Retry-After` is obeyed.
///
/// @param attempts how many there are at most, the first included
/// @param firstWait before the second attempt; each further wait is twice as long
/// @param jitter by what share a wait is longer or shorter at random, so that a fleet that failed
///   together does not come back together
/// @param budget for all attempts and waits of a call together
/// @param perAttempt for one attempt, its answer read to its end
record RetryRules(
    int attempts, Duration firstWait, double jitter, Duration budget, Duration perAttempt) {

  /// After so many statuses in a row that failed, each of them with all its attempts, the rest of a
  /// batch is not tried: one or two may be chance, and a dead API must not cost each its attempts.
  static final int FAILED_STATUSES_IN_A_ROW = 3;

  /// Without the feed a run is worth nothing, so it may wait: about 0.5, 1 and 2 s outlast a
  /// restart behind a load balancer. 30 s leave most of a run's 4 minutes to the cluster; the next
  /// run is 5 minutes away. A large feed over a slow line may take all of it at once; one that
  /// stands still does not, for 10 s of silence end an attempt.
  static final RetryRules FEED =
      new RetryRules(
          4, Duration.ofMillis(500), 0.5, Duration.ofSeconds(30), Duration.ofSeconds(30));

  /// What each status of a run adds to the budget of all: a first run has a thousand to send, and
  /// 50 ms for each let four at once take 200 ms.
  static final Duration BUDGET_PER_STATUS = Duration.ofMillis(50);

  /// A status that is not taken now is sent by the next run, so little is spent on it: 10 s at most
  /// for a handful.
  ///
  /// An API that is well answers in a fraction of a second; an attempt that has lasted 5 s is not
  /// repeated. So a silent API, of which four wait at once, costs 5 s for any number of statuses.
  static final RetryRules STATUS =
      new RetryRules(3, Duration.ofMillis(250), 0.5, Duration.ofSeconds(10), Duration.ofSeconds(5));

  /// A report that is not taken is an hour's lost, and there is nothing else to do: so it may take
  /// most of a run's 4 minutes, over a slow line all at once.
  static final RetryRules REPORT =
      new RetryRules(4, Duration.ofSeconds(1), 0.5, Duration.ofMinutes(3), Duration.ofMinutes(2));

  /// That there is no report is worth a moment: less than what a run has after its deadline.
  static final RetryRules REPORT_FAILURE =
      new RetryRules(2, Duration.ofMillis(250), 0.5, Duration.ofSeconds(3), Duration.ofSeconds(2));
}

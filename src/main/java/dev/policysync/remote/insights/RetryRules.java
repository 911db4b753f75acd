package dev.policysync.remote.insights;

import java.time.Duration;

/// How often and after how long a call is repeated, and when it is given up. All numbers for the
/// API's retries are here.
///
/// Calls per second are not limited: the API documents no limit, a slow API gets fewer calls
/// because only a few are in flight at a time, and `Retry-After` is obeyed.
///
/// @param attempts the maximum number of attempts, including the first
/// @param firstWait the wait before the second attempt; each further wait is twice as long
/// @param jitter the fraction by which each wait is randomly longer or shorter, so that a fleet
///   that failed together does not retry together
/// @param budget the time for all attempts and waits of a call together
/// @param perAttempt the timeout of one attempt, including reading the response
record RetryRules(
    int attempts, Duration firstWait, double jitter, Duration budget, Duration perAttempt) {

  /// How many statuses in a row may fail, each with all its attempts, before the rest of a batch is
  /// given up. One or two failures may be chance, and each status to a dead API would cost all its
  /// attempts.
  static final int FAILED_STATUSES_IN_A_ROW = 3;

  /// The rules for the feed. A run without a feed can do nothing, so it may wait: about 0.5, 1 and
  /// 2 s outlast a restart behind a load balancer. 30 s leave most of a run's 4 minutes to the
  /// cluster, and the next run is 5 minutes away. One attempt may take all 30 s, for a large feed
  /// over a slow line; a stalled one ends after 10 s of silence.
  static final RetryRules FEED =
      new RetryRules(
          4, Duration.ofMillis(500), 0.5, Duration.ofSeconds(30), Duration.ofSeconds(30));

  /// The time that each status adds to the budget of all statuses of a run. A first run may send a
  /// thousand; with 50 ms for each, and four in flight, each may take 200 ms.
  static final Duration BUDGET_PER_STATUS = Duration.ofMillis(50);

  /// The rules for a status. The next run sends a status that the API did not accept, so little
  /// time is spent on it: at most 10 s for a handful.
  ///
  /// A healthy API responds in a fraction of a second, and an attempt that took 5 s is not
  /// repeated. So a silent API costs 5 s for any number of statuses, because four wait at the same
  /// time.
  static final RetryRules STATUS =
      new RetryRules(3, Duration.ofMillis(250), 0.5, Duration.ofSeconds(10), Duration.ofSeconds(5));

  /// The rules for a report. A report that the API does not accept is lost for an hour, and the run
  /// has nothing else to do. So it may take most of a run's 4 minutes, and one attempt over a slow
  /// line up to 2.
  static final RetryRules REPORT =
      new RetryRules(4, Duration.ofSeconds(1), 0.5, Duration.ofMinutes(3), Duration.ofMinutes(2));

  /// The rules for the note that there is no report. The note gets less time than a run has left
  /// after its deadline.
  static final RetryRules REPORT_FAILURE =
      new RetryRules(2, Duration.ofMillis(250), 0.5, Duration.ofSeconds(3), Duration.ofSeconds(2));
}

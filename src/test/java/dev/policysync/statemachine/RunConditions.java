package dev.policysync.statemachine;

import dev.policysync.plan.ownership.Adoption;
import dev.policysync.sync.execution.WriteMode;

/// What a run is started with, and into.
///
/// @param listening whether the remote API takes statuses
record RunConditions(
    WriteMode writeMode,
    Adoption adoption,
    ExpectedRemovalBudget expectedRemovalBudget,
    int concurrency,
    FeedResponse feedResponse,
    boolean listening,
    FaultInjection faultInjection) {

  /// No trouble anywhere.
  static RunConditions calm(
      Adoption adoption, ExpectedRemovalBudget expectedRemovalBudget, int concurrency) {
    return new RunConditions(
        WriteMode.LIVE,
        adoption,
        expectedRemovalBudget,
        concurrency,
        FeedResponse.THE_FEED,
        true,
        new FaultInjection.None());
  }

  RunConditions in(WriteMode other) {
    return new RunConditions(
        other,
        adoption,
        expectedRemovalBudget,
        concurrency,
        feedResponse,
        listening,
        faultInjection);
  }

  RunConditions with(FaultInjection other) {
    return new RunConditions(
        writeMode, adoption, expectedRemovalBudget, concurrency, feedResponse, listening, other);
  }

  @Override
  public String toString() {
    return "%s adopt=%s max=%s concurrency=%d %s%s %s"
        .formatted(
            writeMode,
            adoption,
            expectedRemovalBudget,
            concurrency,
            feedResponse,
            listening ? "" : " (deaf)",
            faultInjection);
  }
}

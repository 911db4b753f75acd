package dev.policysync.statemachine;

import dev.policysync.plan.Adoption;
import dev.policysync.sync.execution.WriteMode;

/// What a run is started with, and into.
///
/// @param source whom the agent works for
/// @param listening whether the remote API takes statuses
record RunConditions(
    String source,
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
        ObservedObject.SOURCE,
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
        source,
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
        source,
        writeMode,
        adoption,
        expectedRemovalBudget,
        concurrency,
        feedResponse,
        listening,
        other);
  }

  @Override
  public String toString() {
    return "%s %s adopt=%s max=%s concurrency=%d %s%s %s"
        .formatted(
            source,
            writeMode,
            adoption,
            expectedRemovalBudget,
            concurrency,
            feedResponse,
            listening ? "" : " (deaf)",
            faultInjection);
  }
}

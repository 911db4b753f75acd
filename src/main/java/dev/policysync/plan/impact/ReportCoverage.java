package dev.policysync.plan.impact;

/// What policy reports can tell of what a change will block.
public enum ReportCoverage {
  /// What is blocked from now on is what fails already.
  REPORTS,
  /// Nothing: what is new has not been evaluated by anyone.
  NONE,
  /// Nothing, and it needs no telling: nothing is blocked because it breaks the policy.
  NOT_NEEDED
}

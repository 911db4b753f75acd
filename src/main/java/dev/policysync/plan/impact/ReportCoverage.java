package dev.policysync.plan.impact;

/// How far policy reports show what a change will block.
public enum ReportCoverage {
  /// Reports show everything: the change blocks exactly the resources that fail already.
  REPORTS,
  /// Reports show nothing: the new content has never been evaluated.
  NONE,
  /// Reports are not needed: the change blocks no request for violating the policy.
  NOT_NEEDED
}

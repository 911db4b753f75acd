package dev.policysync.report.view;

import dev.policysync.report.Findings;
import dev.policysync.report.ReportSizes;

/// What can be concluded from the reports as a whole. A report without findings means success in
/// only one of these cases, so views must distinguish them.
public enum Coverage {
  NO_KINDS(
      "The cluster does not serve policy reports, so its compliance is unknown.",
      "Install Kyverno, or its CRDs of wgpolicyk8s.io or openreports.io."),
  NO_REPORTS(
      "The cluster has no policy reports, so its compliance is unknown.",
      "Kyverno writes reports about 20 seconds after a policy and a matching resource exist."
          + " Check that its reports controller is running, that background scans are enabled,"
          + " and that a policy matches any resource."),
  NO_RESULTS(
      "The policy reports of the cluster contain no readable results, so its compliance is"
          + " unknown.",
      "Check one of the reports and the counts of ignored results."),
  NOTHING_JUDGED(
      "All results are skips: no resource was evaluated.",
      "Preconditions or exceptions prevent the policies from applying; check that this is"
          + " intended."),
  NOTHING_FOUND("No findings: all evaluated resources comply.", ""),
  FINDINGS("", "");

  private final String meaning;
  private final String advice;

  Coverage(String meaning, String advice) {
    this.meaning = meaning;
    this.advice = advice;
  }

  public static Coverage of(Findings findings) {
    var all = findings.totals().all();
    if (all.findings() > 0) {
      return FINDINGS;
    }
    if (all.pass() > 0) {
      return NOTHING_FOUND;
    }
    if (all.skip() > 0) {
      return NOTHING_JUDGED;
    }
    if (findings.sizes().isEmpty()) {
      return NO_KINDS;
    }
    return findings.sizes().values().stream().mapToLong(ReportSizes::reports).sum() == 0
        ? NO_REPORTS
        : NO_RESULTS;
  }

  /// Returns whether the lack of findings proves nothing.
  public boolean saysNothing() {
    return this != FINDINGS && this != NOTHING_FOUND;
  }

  /// Returns a sentence on what the result means; empty if there are findings.
  public String meaning() {
    return meaning;
  }

  /// Returns what to check; empty if nothing needs to be fixed.
  public String advice() {
    return advice;
  }
}

package dev.policysync.view;

import dev.policysync.report.finding.Findings;
import dev.policysync.report.finding.ReportSizes;

/// How far reports say anything at all. That there are no findings is good news only in one case of
/// six; the others must not read like it.
public enum Coverage {
  NO_KINDS(
      "This cluster has no kind of policy report, so nothing is known about it.",
      "Install Kyverno, or the CRDs of wgpolicyk8s.io or openreports.io that come with it."),
  NO_REPORTS(
      "This cluster has no policy report, so nothing is known about it.",
      "Kyverno writes reports some 20 seconds after there is a policy and a resource that it"
          + " matches. Does its reports controller run, are background scans on, and is there a"
          + " policy that matches?"),
  NO_RESULTS(
      "The policy reports of this cluster hold no result that could be read, so nothing is known"
          + " about it.",
      "Look at one of them, and at the counts of what was left out."),
  NOTHING_JUDGED(
      "Every result is a skip: no resource was judged.",
      "Preconditions or exceptions keep the policies from applying; look whether they should."),
  NOTHING_FOUND("No findings: whatever was judged keeps its policies.", ""),
  FINDINGS("", "");

  private final String meaning;
  private final String advice;

  Coverage(String meaning, String advice) {
    this.meaning = meaning;
    this.advice = advice;
  }

  /// The case of these findings.
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

  /// Whether the lack of findings says nothing.
  public boolean saysNothing() {
    return this != FINDINGS && this != NOTHING_FOUND;
  }

  /// In a sentence; empty where there are findings.
  public String meaning() {
    return meaning;
  }

  /// What to look at; empty where there is nothing to mend.
  public String advice() {
    return advice;
  }
}

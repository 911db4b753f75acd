package dev.policysync.lint;

import java.util.List;

/// What was found in some policies, in the order in which it was written down.
///
/// @param findings what is to be told
/// @param suppressed what an annotation says is meant so
public record Verdict(List<Finding> findings, List<Suppressed> suppressed) {
  public Verdict {
    findings = List.copyOf(findings);
    suppressed = List.copyOf(suppressed);
  }

  /// A finding that somebody has judged already.
  ///
  /// @param reason in their words
  public record Suppressed(Finding finding, String reason) {}

  /// How many findings are of that severity.
  public long count(Severity severity) {
    return findings.stream().filter(finding -> finding.severity() == severity).count();
  }

  /// Whether anything is as bad as that, or worse.
  public boolean failsOn(Severity severity) {
    return findings.stream().anyMatch(finding -> finding.severity().atLeast(severity));
  }
}

package dev.policysync.lint;

import dev.policysync.policy.feed.SkippedDocument;
import java.util.List;

/// What was found in some policies, in the order in which it was written down.
///
/// @param findings what is to be told
/// @param suppressed what an annotation says is meant so
/// @param skipped what is no policy and was not meant as one
public record LintResult(
    List<LintFinding> findings, List<Suppressed> suppressed, List<SkippedDocument> skipped) {
  public LintResult {
    findings = List.copyOf(findings);
    suppressed = List.copyOf(suppressed);
    skipped = List.copyOf(skipped);
  }

  /// A finding that somebody has judged already.
  ///
  /// @param reason in their words
  public record Suppressed(LintFinding lintFinding, String reason) {}

  /// How many findings are of that severity.
  public long count(LintSeverity lintSeverity) {
    return findings.stream()
        .filter(lintFinding -> lintFinding.lintSeverity() == lintSeverity)
        .count();
  }

  /// Whether anything is as bad as that, or worse.
  public boolean failsOn(LintSeverity lintSeverity) {
    return findings.stream()
        .anyMatch(lintFinding -> lintFinding.lintSeverity().atLeast(lintSeverity));
  }
}

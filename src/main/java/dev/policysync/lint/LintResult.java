package dev.policysync.lint;

import dev.policysync.policy.feed.SkippedDocument;
import java.util.List;

/// The result of linting some policies, in the order of their manifests.
///
/// @param findings the findings to report
/// @param suppressed the findings that an annotation suppresses
/// @param skipped the documents that are not policies and are not meant as policies
public record LintResult(
    List<LintFinding> findings, List<Suppressed> suppressed, List<SkippedDocument> skipped) {
  public LintResult {
    findings = List.copyOf(findings);
    suppressed = List.copyOf(suppressed);
    skipped = List.copyOf(skipped);
  }

  /// A finding that an annotation suppresses.
  ///
  /// @param reason as written in the annotation
  public record Suppressed(LintFinding lintFinding, String reason) {}

  public long count(LintSeverity lintSeverity) {
    return findings.stream()
        .filter(lintFinding -> lintFinding.lintSeverity() == lintSeverity)
        .count();
  }

  /// Returns whether any finding has this severity or a worse one.
  public boolean failsOn(LintSeverity lintSeverity) {
    return findings.stream()
        .anyMatch(lintFinding -> lintFinding.lintSeverity().atLeast(lintSeverity));
  }
}

package dev.policysync.lint;

import dev.policysync.policy.kyverno.AffectedVersions;
import java.util.regex.Pattern;

/// A problem that a policy can have, as its documentation page describes it.
///
/// @param id `PS001`; never changes, because suppressions and searches refer to it
/// @param lintSeverity the severity of a finding that does not set its own
/// @param affectedVersions the affected releases of Kyverno
/// @param title a phrase: `verifyImages judges pod controllers`
/// @param explanation what happens and why, in Markdown
/// @param fix what to do, in a sentence or two
public record Hazard(
    String id,
    LintSeverity lintSeverity,
    AffectedVersions affectedVersions,
    String title,
    String explanation,
    String fix) {
  private static final Pattern ID = Pattern.compile("PS\\d{3}");

  public Hazard {
    if (!ID.matcher(id).matches()) {
      throw new IllegalArgumentException("invalid hazard id: " + id);
    }
  }

  /// Returns the path of the documentation page in the repository: `docs/lint/PS001.md`.
  public String page() {
    return "docs/lint/" + id + ".md";
  }
}

package dev.policysync.lint;

import dev.policysync.policy.kyverno.AffectedVersions;
import java.util.regex.Pattern;

/// One thing that can be wrong with a policy, as the documentation tells it.
///
/// @param id `PS001`: names it for good, in suppressions and searches
/// @param lintSeverity how bad it is where nothing milder or worse is said of a finding
/// @param affectedVersions the releases of Kyverno that it concerns
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

  /// Its page in the repository.
  public String page() {
    return "docs/lint/" + id + ".md";
  }
}

package dev.policysync;

import dev.policysync.lint.Finding;
import dev.policysync.lint.LintMode;
import dev.policysync.lint.Linter;
import dev.policysync.lint.Severity;
import dev.policysync.lint.rules.Catalogue;
import dev.policysync.policy.Policy;
import dev.policysync.policy.PolicyId;
import dev.policysync.sync.Hazards;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// What lint tells a sync. Its text names the hazard and its page, and quotes nothing of the
/// policy.
final class LintHazards implements Hazards {
  private final LintMode mode;

  private LintHazards(LintMode mode) {
    this.mode = mode;
  }

  /// In that mode. The rules are made when there is something to judge, and not before.
  static Hazards in(LintMode mode) {
    return mode == LintMode.OFF ? NONE : (all, judged) -> new LintHazards(mode).of(all, judged);
  }

  @Override
  public List<Hazard> of(List<Policy> all, Set<PolicyId> inQuestion) {
    var linter = new Linter(Catalogue.rules(), Optional.empty());
    return linter.judge(all, inQuestion).findings().stream()
        .filter(finding -> finding.severity().atLeast(Severity.WARNING))
        .flatMap(finding -> finding.id().map(id -> hazard(id, finding)).stream())
        .distinct()
        .toList();
  }

  private Hazard hazard(PolicyId policy, Finding finding) {
    var withholds = mode == LintMode.BLOCK && finding.severity() == Severity.ERROR;
    var hazard = finding.hazard();
    return new Hazard(
        policy,
        withholds ? Weight.WITHHOLDS : Weight.WARNING,
        hazard.id() + ", " + hazard.title() + " (" + hazard.page() + ")");
  }
}

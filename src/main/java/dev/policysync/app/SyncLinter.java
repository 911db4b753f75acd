package dev.policysync.app;

import dev.policysync.cli.Documentation;
import dev.policysync.cli.InternalErrorMessage;
import dev.policysync.cli.settings.InvalidSettings;
import dev.policysync.lint.LintFinding;
import dev.policysync.lint.LintMode;
import dev.policysync.lint.LintSeverity;
import dev.policysync.lint.Linter;
import dev.policysync.lint.Rule;
import dev.policysync.lint.rules.Catalogue;
import dev.policysync.policy.Policy;
import dev.policysync.policy.PolicyId;
import dev.policysync.sync.analysis.PolicyLinter;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Lints policies for a sync. A finding names the hazard and its page, and quotes nothing of the
/// policy. In [LintMode#BLOCK], where errors withhold a policy, the rules that parse CEL run, too.
///
/// If an internal error prevents the linting of several policies, each is linted by itself. The
/// policy that causes the error gets a warning, or is withheld in [LintMode#BLOCK]; it does not
/// affect the others.
final class SyncLinter implements PolicyLinter {
  private final LintMode mode;
  private final List<Rule> rules;

  SyncLinter(LintMode mode, List<Rule> rules) {
    this.mode = mode;
    this.rules = rules;
  }

  /// Returns a linter for this mode. It creates the rules only if there is a policy to lint.
  static PolicyLinter in(LintMode mode) {
    return mode == LintMode.OFF
        ? NONE
        : (all, judged) -> new SyncLinter(mode, Catalogue.rules()).of(all, judged);
  }

  @Override
  public List<PolicyHazard> of(List<Policy> all, Set<PolicyId> inQuestion) {
    try {
      return lint(all, inQuestion);
    } catch (NoClassDefFoundError e) {
      throw new InvalidSettings(
          List.of(
              "LINT (--lint) is \"block\", which requires the CEL parser, but the class path does not contain it ("
                  + e.getMessage()
                  + "); start policy-sync with all of its libraries, or set LINT=warn"));
    } catch (RuntimeException | StackOverflowError e) {
      if (inQuestion.size() > 1) {
        return inQuestion.stream().flatMap(id -> of(all, Set.of(id)).stream()).toList();
      }
      InternalErrorMessage.log(e);
      return inQuestion.stream().map(this::hazardOfInternalError).toList();
    }
  }

  private PolicyHazard hazardOfInternalError(PolicyId policy) {
    return new PolicyHazard(
        policy,
        mode == LintMode.BLOCK ? Weight.WITHHOLDS : Weight.WARNING,
        "lint failed because of an internal error in policy-sync");
  }

  private List<PolicyHazard> lint(List<Policy> all, Set<PolicyId> inQuestion) {
    return new Linter(rules, Optional.empty())
        .judge(all, inQuestion, mode).findings().stream()
            .filter(lintFinding -> lintFinding.lintSeverity().atLeast(LintSeverity.WARNING))
            .flatMap(lintFinding -> lintFinding.id().map(id -> hazard(id, lintFinding)).stream())
            .distinct()
            .toList();
  }

  private PolicyHazard hazard(PolicyId policy, LintFinding lintFinding) {
    var withholds = mode == LintMode.BLOCK && lintFinding.lintSeverity() == LintSeverity.ERROR;
    var hazard = lintFinding.hazard();
    return new PolicyHazard(
        policy,
        withholds ? Weight.WITHHOLDS : Weight.WARNING,
        hazard.id() + ", " + hazard.title() + " (" + Documentation.url(hazard.page()) + ")");
  }
}

package dev.policysync;

import dev.policysync.cli.Defect;
import dev.policysync.lint.Finding;
import dev.policysync.lint.LintMode;
import dev.policysync.lint.Linter;
import dev.policysync.lint.Rule;
import dev.policysync.lint.Severity;
import dev.policysync.lint.rules.Catalogue;
import dev.policysync.policy.Policy;
import dev.policysync.policy.PolicyId;
import dev.policysync.settings.WrongSettings;
import dev.policysync.sync.Hazards;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// What lint tells a sync. Its text names the hazard and its page, and quotes nothing of the
/// policy. Where errors withhold, the rules that read CEL are asked, too.
///
/// A policy that lint cannot cope with, by a defect of ours, stops no other: it is judged apart,
/// and passes with a warning, or is withheld where errors are.
final class LintHazards implements Hazards {
  private final LintMode mode;
  private final List<Rule> rules;

  LintHazards(LintMode mode, List<Rule> rules) {
    this.mode = mode;
    this.rules = rules;
  }

  /// In that mode. The rules are made when there is something to judge, and not before.
  static Hazards in(LintMode mode) {
    return mode == LintMode.OFF
        ? NONE
        : (all, judged) -> new LintHazards(mode, Catalogue.rules()).of(all, judged);
  }

  @Override
  public List<Hazard> of(List<Policy> all, Set<PolicyId> inQuestion) {
    try {
      return judged(all, inQuestion);
    } catch (NoClassDefFoundError e) {
      throw new WrongSettings(
          List.of(
              "LINT (--lint) is \"block\", which reads CEL, and this Java finds no parser of it ("
                  + e.getMessage()
                  + "); start policy-sync with all of its libraries, or set LINT=warn"));
    } catch (RuntimeException | StackOverflowError e) {
      if (inQuestion.size() > 1) {
        return inQuestion.stream().flatMap(id -> of(all, Set.of(id)).stream()).toList();
      }
      Defect.log(e);
      return inQuestion.stream().map(this::unjudged).toList();
    }
  }

  private Hazard unjudged(PolicyId policy) {
    return new Hazard(
        policy,
        mode == LintMode.BLOCK ? Weight.WITHHOLDS : Weight.WARNING,
        "lint cannot judge it, which is a defect of policy-sync");
  }

  private List<Hazard> judged(List<Policy> all, Set<PolicyId> inQuestion) {
    return new Linter(rules, Optional.empty())
        .judge(all, inQuestion, mode).findings().stream()
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

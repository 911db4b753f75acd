package dev.policysync.lint.rules;

import dev.policysync.lint.Hazard;
import dev.policysync.lint.Linter;
import dev.policysync.lint.Rule;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/// Everything that lint looks for. A new hazard is a class, a line here, and its examples below
/// `src/test/resources/lint`, from which its page is made.
public final class Catalogue {
  private Catalogue() {}

  /// All rules, in the order of their ids.
  public static List<Rule> rules() {
    return List.of(
        new VerifyImagesOnControllers(), // PS001
        new MovedFields(), // PS002
        new OldVersion(), // PS003
        new RuleNames(), // PS009
        new CelSyntax(), // PS020
        new OldOperators(), // PS021
        new LegacyMatch(), // PS022
        new AuditedDigest(), // PS023
        new DigestDemanded(), // PS024
        new SlowImages(), // PS025
        new ExistingObjects(), // PS026
        new ExternalCalls(), // PS027
        new SharedName(), // PS028
        new NotScored(), // PS029
        new EveryOperation(), // PS030
        new LongName(), // PS032
        new MatchConditions(), // PS033
        new WithoutEffect(), // PS034
        new EveryImage(), // PS035
        new Overrides(), // PS036
        new NeverJudges(), // PS037
        new MissingVariable(), // PS038
        new LowerCaseAction() // PS039
        );
  }

  /// All hazards, those that need no rule included, in the order of their ids.
  public static List<Hazard> hazards() {
    return Stream.concat(Linter.ownHazards().stream(), rules().stream().map(Rule::hazard))
        .sorted(Comparator.comparing(Hazard::id))
        .toList();
  }
}

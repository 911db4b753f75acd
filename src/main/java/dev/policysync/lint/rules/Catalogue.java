package dev.policysync.lint.rules;

import dev.policysync.lint.Hazard;
import dev.policysync.lint.Linter;
import dev.policysync.lint.Rule;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/// Lists all rules of lint. A new hazard needs a rule in the class of its topic, and examples below
/// `src/test/resources/lint`, from which its documentation page is made.
public final class Catalogue {
  private Catalogue() {}

  /// Returns all rules, in the order of their ids.
  public static List<Rule> rules() {
    return Stream.of(
            Blocking.rules(),
            CelRules.rules(),
            Deprecations.rules(),
            Generation.rules(),
            Images.rules(),
            KyvernoWebhooks.rules(),
            LintOnly.rules(),
            MatchesNothing.rules(),
            Matching.rules(),
            Names.rules(),
            NoEffect.rules(),
            PolicySettings.rules(),
            RuleParts.rules(),
            Variables.rules())
        .flatMap(List::stream)
        .sorted(Comparator.comparing(rule -> rule.hazard().id()))
        .toList();
  }

  /// Returns all hazards in the order of their ids, including hazards without a rule.
  public static List<Hazard> hazards() {
    return Stream.concat(Linter.ownHazards().stream(), rules().stream().map(Rule::hazard))
        .sorted(Comparator.comparing(Hazard::id))
        .toList();
  }
}

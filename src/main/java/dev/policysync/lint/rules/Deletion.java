package dev.policysync.lint.rules;

import dev.policysync.kyverno.AffectedVersions;
import dev.policysync.kyverno.Cron;
import dev.policysync.kyverno.ResourceFilter;
import dev.policysync.lint.Hazard;
import dev.policysync.lint.LintFindingSink;
import dev.policysync.lint.LintSeverity;
import dev.policysync.lint.LintedPolicy;
import dev.policysync.lint.Node;
import dev.policysync.lint.PolicySet;
import dev.policysync.lint.Rule;

/// Policies that delete more, or more often, than anybody may have meant.
final class Deletion implements Rule {
  @Override
  public Hazard hazard() {
    return new Hazard(
        "PS016",
        LintSeverity.ERROR,
        AffectedVersions.ALL,
        "A policy that deletes without a condition, or by a bad schedule",
        """
        A cleanup or deleting policy without conditions deletes everything that it matches, at its next full \
        minute: with Kyverno 1.19 bare Pods were gone within three and a half minutes of applying one. No other kind \
        has such an effect, so it counts as a permission of its own. A schedule that is no cron expression \
        is refused; one for every minute, a warning, leaves no time to notice.\
        """,
        "Name what may go by conditions, by labels or by names, and run it at an hour when somebody looks.");
  }

  @Override
  public void judge(LintedPolicy policy, PolicySet all, LintFindingSink found) {
    if (!policy.kind().type().deletes()) {
      return;
    }
    if (!hasConditions(policy)) {
      var match = policy.spec().at("match").or(() -> policy.spec().at("matchConstraints"));
      found.at(
          match.orElse(policy.spec()),
          "this deletes whatever it matches, since it has no conditions",
          "Add spec.conditions, or match by labels or names.");
    }
    var schedule = policy.spec().at("schedule");
    if (schedule.isPresent()) {
      judge(schedule.get(), found);
    }
  }

  private static boolean hasConditions(LintedPolicy policy) {
    var conditions = policy.spec().at("conditions");
    if (!policy.kind().usesCel()) {
      return conditions.stream()
              .flatMap(node -> node.fields().stream())
              .anyMatch(list -> !list.items().isEmpty())
          || ResourceFilter.of(policy.spec().mapping().mapping("match")).stream()
              .allMatch(ResourceFilter::asksForObject);
    }
    return conditions.filter(list -> !list.items().isEmpty()).isPresent()
        || policy.spec().has("matchConstraints", "objectSelector")
        || policy.spec().items("matchConstraints", "resourceRules").stream()
            .allMatch(rule -> rule.has("resourceNames"));
  }

  private static void judge(Node schedule, LintFindingSink found) {
    var cron = schedule.text().orElse("");
    var problem = Cron.problem(cron);
    if (problem.isPresent()) {
      found.at(
          schedule,
          "Kyverno refuses this schedule: " + problem.get(),
          "Write minute, hour, day, month and weekday, such as \"0 4 * * *\" for four in the morning.");
    } else if (Cron.everyMinute(cron)) {
      found.at(
          schedule,
          LintSeverity.WARNING,
          "this deletes every minute, which leaves nobody time to notice a mistake",
          "Once an hour or a day will do for most things.");
    }
  }
}

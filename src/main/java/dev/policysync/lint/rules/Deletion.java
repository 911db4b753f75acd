package dev.policysync.lint.rules;

import dev.policysync.lint.Hazard;
import dev.policysync.lint.LintFindingSink;
import dev.policysync.lint.LintSeverity;
import dev.policysync.lint.LintedPolicy;
import dev.policysync.lint.Node;
import dev.policysync.lint.PolicySet;
import dev.policysync.lint.Rule;
import dev.policysync.policy.kyverno.AffectedVersions;
import dev.policysync.policy.kyverno.Cron;
import dev.policysync.policy.kyverno.ResourceFilter;
import java.util.Optional;

/// Reports policies that may delete more, or more often, than intended.
final class Deletion implements Rule {
  @Override
  public Hazard hazard() {
    return new Hazard(
        "PS016",
        LintSeverity.ERROR,
        AffectedVersions.ALL,
        "Cleanup policy without conditions, or with an invalid schedule",
        """
        A cleanup or deleting policy without conditions deletes every object that it matches, at the next full \
        minute: with Kyverno 1.19 bare Pods were deleted within three and a half minutes of applying one. Because \
        no other kind has this effect, it requires a separate permission. A cleanup policy whose schedule is not a \
        cron expression is rejected; a schedule of every minute, reported as a warning, leaves no time to react.\
        """,
        "Restrict the policy by conditions, labels or names, and schedule it for a time when"
            + " someone is on duty.");
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
          "the policy has no conditions and deletes every object that it matches",
          "Add spec.conditions, or match by labels or names.");
    }
    var schedule = policy.spec().at("schedule");
    if (schedule.isPresent()) {
      judge(schedule.get(), policy.kind().usesCel(), found);
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

  private static void judge(Node schedule, boolean deleting, LintFindingSink found) {
    var cron = schedule.text().orElse("");
    // A DeletingPolicy takes further fields, which another library of Kyverno reads.
    var problem = deleting ? Optional.<String>empty() : Cron.problem(cron);
    if (problem.isPresent()) {
      found.at(
          schedule,
          "Kyverno rejects this schedule: " + problem.get(),
          "Use the five fields minute, hour, day, month and weekday, e.g. \"0 4 * * *\" for 04:00.");
    } else if (Cron.everyMinute(cron)) {
      found.at(
          schedule,
          LintSeverity.WARNING,
          "the policy deletes every minute, which leaves no time to notice a mistake",
          "Run it hourly or daily.");
    }
  }
}

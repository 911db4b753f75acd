package dev.policysync.lint.rules;

import static dev.policysync.lint.LintSeverity.WARNING;

import dev.policysync.lint.LintFindingSink;
import dev.policysync.lint.LintedPolicy;
import dev.policysync.lint.Node;
import dev.policysync.lint.Rule;
import dev.policysync.policy.PolicyKind;
import dev.policysync.policy.kyverno.Autogen;
import dev.policysync.policy.kyverno.Cron;
import dev.policysync.policy.kyverno.ResourceFilter;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;

/// Rules about the settings of a whole policy.
final class PolicySettings {
  private PolicySettings() {}

  static List<Rule> rules() {
    return List.of(DELETION, EXISTING_OBJECTS, INEFFECTIVE, NEVER_EVALUATED, INVALID);
  }

  private static final Rule DELETION =
      Rule.error(
          "PS016",
          "Cleanup policy without conditions, or with an invalid schedule",
          """
          A cleanup or deleting policy without conditions deletes every object that it matches, at the next full \
          minute: with Kyverno 1.19 bare Pods were deleted within three and a half minutes of applying one. Because \
          no other kind has this effect, it requires a separate permission. A policy whose schedule is not a \
          cron expression, or names a time zone, is rejected; a schedule of every minute, reported as a warning, leaves no time to react.\
          """,
          "Restrict the policy by conditions, labels or names, and schedule it for a time when "
              + "someone is on duty.",
          PolicySettings::judgeDeletion);

  private static void judgeDeletion(LintedPolicy policy, LintFindingSink found) {
    if (!policy.type().deletes()) {
      return;
    }
    var spec = policy.spec();
    if (!hasConditions(policy)) {
      found.at(
          spec.all("match", "matchConstraints").findFirst().orElse(spec),
          "the policy has no conditions and deletes every object that it matches",
          "Add spec.conditions, or match by labels or names.");
    }
    spec.at("schedule")
        .ifPresent(schedule -> judgeSchedule(schedule, policy.kind().usesCel(), found));
  }

  private static boolean hasConditions(LintedPolicy policy) {
    var spec = policy.spec();
    if (policy.kind().usesCel()) {
      return !spec.items("conditions").isEmpty()
          || spec.has("matchConstraints", "objectSelector")
          || policy.resourceRules().allMatch(rule -> rule.has("resourceNames"));
    }
    return spec.all("conditions")
            .flatMap(node -> node.fields().stream())
            .anyMatch(list -> !list.items().isEmpty())
        || ResourceFilter.of(spec.mapping().mapping("match")).stream()
            .allMatch(ResourceFilter::asksForObject);
  }

  private static void judgeSchedule(Node schedule, boolean deleting, LintFindingSink found) {
    var cron = schedule.text();
    var problem = deleting ? Cron.problemOfDeleting(cron) : Cron.problem(cron);
    if (problem.isPresent()) {
      found.at(
          schedule,
          "Kyverno rejects this schedule: " + problem.get(),
          "Use the five fields minute, hour, day, month and weekday, e.g. \"0 4 * * *\" for 04:00.");
    } else if (Cron.everyMinute(cron)) {
      found.at(
          schedule,
          WARNING,
          "the policy deletes every minute, which leaves no time to notice a mistake",
          "Run it hourly or daily.");
    }
  }

  private static final Rule EXISTING_OBJECTS =
      Rule.note(
          "PS026",
          "Policy changes existing objects",
          """
          Most policies act on requests. This policy acts on existing objects: when it is applied or changed, Kyverno \
          mutates every existing target (`mutateExistingOnPolicyUpdate`, `evaluation.mutateExisting`) or generates for \
          every existing trigger (`generateExisting`, `evaluation.generateExisting`), all at once in the background. A \
          mistake affects all of them within seconds, removing the policy does not revert the changes, and Kyverno's \
          background controller needs the permissions.\
          """,
          "Test the policy in one namespace first, and make sure that the change is idempotent.",
          PolicySettings::judgeExistingObjects);

  private static void judgeExistingObjects(LintedPolicy policy, LintFindingSink found) {
    for (var rule : LegacyRule.of(policy)) {
      judgeExistingObjects(rule, "mutate", "mutateExistingOnPolicyUpdate", found);
      judgeExistingObjects(rule, "generate", "generateExisting", found);
    }
    if (policy.isCelOfKyverno()) {
      var spec = policy.spec();
      reportExistingObjects(spec.at("evaluation", "mutateExisting", "enabled"), true, found);
      reportExistingObjects(spec.at("evaluation", "generateExisting", "enabled"), false, found);
    }
  }

  /// Judges the setting of the rule; without one, the setting of the policy.
  private static void judgeExistingObjects(
      LegacyRule rule, String action, String field, LintFindingSink found) {
    if (rule.node().has(action)) {
      reportExistingObjects(
          rule.node().at(action, field).or(() -> rule.policy().spec().at(field)),
          action.equals("mutate"),
          found);
    }
  }

  private static void reportExistingObjects(
      Optional<Node> setting, boolean mutates, LintFindingSink found) {
    setting
        .filter(node -> node.isTrue())
        .ifPresent(node ->
            found.at(
                node,
                mutates
                    ? "applying this policy mutates existing objects"
                    : "applying this policy generates resources for existing objects"));
  }

  private static final Rule INEFFECTIVE =
      Rule.warning(
          "PS034",
          "Ineffective setting",
          """
          - `pod-policies.kyverno.io/autogen-controllers` requests rules for pod controllers, but autogen applies to no rule of the policy: one of them has a name, a selector or an annotation in match or exclude, matches other kinds besides Pod, generates, or uses a JSON patch. Only Pods are evaluated then, not their controllers.
          - `spec.autogen.podControllers` of a CEL policy has no effect unless `matchConstraints` is exactly one rule for `pods` of the core group, without names, objectSelector or exclusions.
          - `webhookConfiguration`, `failurePolicy` and `webhookTimeoutSeconds` have no effect with `admission: false`, which limits the policy to background scans.

          `validate.assert` and `schemaValidation` are PS002.\
          """,
          "Remove the setting, or whatever disables it.",
          PolicySettings::judgeEffect);

  private static void judgeEffect(LintedPolicy policy, LintFindingSink found) {
    if (policy.hasRules()) {
      judgeAutogen(policy, found);
      judgeWebhook(policy, found);
    } else if (policy.isCelOfKyverno() && !isForPodsAlone(policy.spec())) {
      policy
          .spec()
          .at("autogen", "podControllers")
          .filter(node -> !node.items("controllers").isEmpty())
          .ifPresent(node ->
              found.at(
                  node,
                  "autogen requires a policy with exactly one rule for pods, so this setting has"
                      + " no effect"));
    }
  }

  private static void judgeAutogen(LintedPolicy policy, LintFindingSink found) {
    policy
        .annotation(Autogen.ANNOTATION)
        .filter(node -> !node.isText("none") && !node.isText(""))
        .filter(_ ->
            LegacyRule.of(policy).stream()
                .filter(rule ->
                    rule.node().all("validate", "verifyImages", "mutate").findAny().isPresent())
                .noneMatch(
                    rule -> Autogen.appliesTo(policy.root().mapping(), rule.node().mapping())))
        .ifPresent(node ->
            found.at(
                node, "autogen applies to no rule of this policy, so this setting has no effect"));
  }

  private static void judgeWebhook(LintedPolicy policy, LintFindingSink found) {
    if (policy.spec().isFalse("admission")) {
      policy
          .spec()
          .all("webhookConfiguration", "failurePolicy", "webhookTimeoutSeconds")
          .forEach(node ->
              found.at(
                  node,
                  "with admission: false the policy has no webhook, so this setting has no"
                      + " effect"));
    }
  }

  private static boolean isForPodsAlone(Node spec) {
    var rules = spec.items("matchConstraints", "resourceRules");
    return rules.size() == 1
        && !spec.has("matchConstraints", "objectSelector")
        && spec.items("matchConstraints", "excludeResourceRules").isEmpty()
        && rules.getFirst().items("resourceNames").isEmpty()
        && rules.getFirst().texts("resources").equals(List.of("pods"))
        && rules.getFirst().texts("apiGroups").equals(List.of(""))
        && rules.getFirst().texts("apiVersions").equals(List.of("v1"));
  }

  private static final Rule NEVER_EVALUATED =
      Rule.error(
          "PS037",
          "Policy is never evaluated",
          """
          `admission: false` disables evaluation of requests, `background: false` that of existing resources; with \
          both, a policy is never evaluated and Kyverno rejects it. Kyverno also rejects `admission: false` with \
          rules that mutate, generate or verify images, which only run on requests. A CEL policy with both disabled \
          in `evaluation` is idle, reported as a warning.\
          """,
          "Enable one of them, or remove the policy.",
          PolicySettings::judgeEvaluation);

  private static void judgeEvaluation(LintedPolicy policy, LintFindingSink found) {
    var spec = policy.spec();
    if (policy.hasRules() && spec.isFalse("admission")) {
      if (!policy.background()) {
        found.refused(
            spec.atOrSelf("admission"),
            "the policy evaluates neither requests nor existing resources");
        return;
      }
      for (var action : List.of("mutate", "generate", "verifyImages")) {
        spec.all("rules[]." + action)
            .findFirst()
            .ifPresent(node ->
                found.at(
                    node,
                    "Kyverno rejects "
                        + action
                        + " with admission: false, because it runs only on requests",
                    "Remove spec.admission: false, or move the rule to a separate policy."));
      }
    }
    if (policy.isCelOfKyverno()
        && spec.isFalse("evaluation", "admission", "enabled")
        && spec.isFalse("evaluation", "background", "enabled")
        && !spec.isTrue("evaluation", "mutateExisting", "enabled")
        && !spec.isTrue("evaluation", "generateExisting", "enabled")) {
      found.at(
          spec.atOrSelf("evaluation"),
          WARNING,
          "the policy evaluates neither requests nor existing resources");
    }
  }

  /// Source: Kyverno 1.19, `Spec.Validate`, `validateMutateTargets`, `ValidateAutogenAnnotation`,
  /// `Rule.ValidateMutationRuleTargetNamespace`.
  private static final Rule INVALID =
      Rule.error(
          "PS045",
          "Invalid policy setting",
          """
          Kyverno rejects a webhook timeout that is not between 1 and 30 seconds, `mutateExistingOnPolicyUpdate` \
          without `mutate.targets`, targets of a namespaced policy in another namespace, \
          `validationFailureActionOverrides` in a namespaced policy, and the value `all` of the annotation \
          `pod-policies.kyverno.io/autogen-controllers`, and a PolicyException of policies.kyverno.io without `policyRefs`.\
          """,
          "Use a value as the message says, or remove the setting.",
          PolicySettings::judgeSettings);

  private static final BigDecimal LONGEST_TIMEOUT = BigDecimal.valueOf(30);

  private static void judgeSettings(LintedPolicy policy, LintFindingSink found) {
    var spec = policy.spec();
    if (policy.type() == PolicyKind.Type.CEL_POLICY_EXCEPTION) {
      spec.at("policyRefs")
          .filter(node -> node.items().isEmpty())
          .ifPresent(node -> found.refused(node, "the exception names no policy"));
    }
    if (!policy.hasRules()) {
      return;
    }
    spec.all("webhookTimeoutSeconds", "webhookConfiguration.timeoutSeconds")
        .filter(node ->
            node.number()
                .filter(it -> it.compareTo(BigDecimal.ONE) < 0 || it.compareTo(LONGEST_TIMEOUT) > 0)
                .isPresent())
        .forEach(node -> found.refused(node, "the timeout is not between 1 and 30 seconds"));
    policy
        .annotation(Autogen.ANNOTATION)
        .filter(node -> node.isText("all"))
        .ifPresent(node ->
            found.at(
                node,
                "Kyverno no longer takes all here and rejects the policy",
                "Remove the annotation."));
    LegacyRule.of(policy).forEach(rule -> judgeTargets(rule, found));
    if (policy.kind().namespaced()) {
      spec.at("validationFailureActionOverrides")
          .filter(node -> !node.items().isEmpty())
          .ifPresent(node ->
              found.at(node, "overrides are for ClusterPolicies only; Kyverno rejects them"));
      spec.all("rules[].mutate.targets[].namespace")
          .filter(_ -> !policy.root().text("metadata", "namespace").isEmpty())
          .filter(node -> !node.isText(policy.id().namespace().orElse("")) && !node.isText(""))
          .forEach(node ->
              found.at(
                  node,
                  "a namespaced policy mutates only in its own namespace; Kyverno rejects this target"));
    }
  }

  private static void judgeTargets(LegacyRule rule, LintFindingSink found) {
    if (rule.node().has("mutate") && rule.node().items("mutate", "targets").isEmpty()) {
      rule.node()
          .at("mutate", "mutateExistingOnPolicyUpdate")
          .filter(node -> node.isTrue())
          .or(() ->
              rule.policy().spec().at("mutateExistingOnPolicyUpdate").filter(node -> node.isTrue()))
          .ifPresent(node ->
              found.refused(
                  node,
                  rule.label() + " has no mutate.targets, so it cannot mutate what exists",
                  "Set mutate.targets."));
    }
  }
}

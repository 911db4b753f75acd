package dev.policysync.lint.rules;

import static dev.policysync.lint.LintSeverity.ERROR;
import static dev.policysync.lint.rules.LegacyRule.each;

import dev.policysync.lint.LintFindingSink;
import dev.policysync.lint.LintedPolicy;
import dev.policysync.lint.Node;
import dev.policysync.lint.Rule;
import dev.policysync.policy.PolicyKind;
import dev.policysync.policy.kyverno.KindName;
import dev.policysync.policy.kyverno.ResourceFilter;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Rules about what a policy matches and excludes.
final class Matching {
  private Matching() {}

  static List<Rule> rules() {
    return List.of(WILDCARD, INVALID, SUBRESOURCE, NO_CONSTRAINTS, MISSPELT_KIND);
  }

  private static final Rule WILDCARD =
      Rule.warning(
          "PS007",
          "Rule matches all kinds",
          """
          Kinds `*` sends every request of the cluster to Kyverno, including leases and events: additional load and \
          a single point of failure (kyverno#6462, #15488). Kyverno rejects such a rule if `background` is on, which \
          is the default, if it lists other kinds as well, or if it generates, verifies images or has a `foreach` (1.19, \
          `validateWildcard`); these are errors. The rule may only use metadata.\
          """,
          "List the intended kinds; if all kinds are required, set background: false and use a "
              + "separate rule for `*`.",
          Matching::judgeWildcards);

  private static final List<String> NO_WILDCARD = List.of("generate", "verifyImages");

  private static void judgeWildcards(LintedPolicy policy, LintFindingSink found) {
    for (var rule : LegacyRule.of(policy)) {
      rule.kindNodes().stream()
          .filter(node -> node.isText("*"))
          .forEach(node -> judgeWildcard(rule, node, found));
    }
    policy
        .resources()
        .filter(node -> node.isText("*") || node.isText("*/*"))
        .forEach(node ->
            found.at(
                node,
                "the rule matches every resource of its groups",
                "List the intended resources, e.g. resources: [pods, deployments]."));
  }

  private static void judgeWildcard(LegacyRule rule, Node node, LintFindingSink found) {
    if (rule.policy().background()) {
      found.at(
          node,
          ERROR,
          rule.label()
              + " matches all kinds and also evaluates existing objects, which Kyverno rejects",
          "Set spec.background: false, or list the intended kinds.");
    } else if (NO_WILDCARD.stream().anyMatch(rule.node()::has)
        || rule.node().has("validate", "foreach")) {
      found.at(
          node,
          ERROR,
          rule.label()
              + " matches all kinds, which Kyverno rejects for generate, verifyImages and foreach",
          "List the intended kinds.");
    } else if (rule.kinds().size() > 1) {
      found.at(
          node,
          ERROR,
          rule.label() + " lists * together with other kinds, which Kyverno rejects",
          "Use a separate rule for *, or list the intended kinds.");
    } else {
      found.at(node, rule.label() + " sends every request of the cluster to Kyverno");
    }
  }

  /// Source: Kyverno 1.19, `MatchResources.Validate`, `ResourceDescription.Validate`,
  /// `UserInfo.Validate`, `validateMatchKindHelper`, `Rule.ValidateMatchExcludeConflict`, and
  /// `ValidateNoUserInfo` of cleanup policies and exceptions.
  private static final Rule INVALID =
      Rule.error(
          "PS043",
          "Invalid match or exclude",
          """
          Kyverno rejects a `match` without kinds, `any` together with `all` or `resources`, `name` together with \
          `names`, a selector without requirements, a subject that is no User, Group or ServiceAccount (with its \
          namespace), a role that is not written `namespace:name`, and an `exclude` with the same block as `match`. A \
          namespaced policy can neither match cluster-scoped kinds nor filter by namespace. Cleanup policies and, \
          unless `background: false` is set, exceptions have no requesting user, so they cannot match one.\
          """,
          "Change the block as the message says.",
          Matching::judgeFilters);

  private static final Set<String> SUBJECTS = Set.of("User", "Group", "ServiceAccount");

  private static void judgeFilters(LintedPolicy policy, LintFindingSink found) {
    for (var rule : LegacyRule.of(policy)) {
      requireKinds(rule, found);
      judgeMatchAndExclude(rule.node(), policy, found);
    }
    var spec = policy.spec();
    var exception = policy.type() == PolicyKind.Type.RULE_EXCEPTION;
    var cleanup = policy.type() == PolicyKind.Type.CLEANUP;
    if (cleanup || (exception && !spec.isFalse("background"))) {
      LegacyRule.blocks(spec.all("match", "exclude"), _ -> true)
          .flatMap(block -> block.all(ResourceFilter.USERS))
          .forEach(
              node -> found.at(node, policy.kind().kind() + " cannot match the requesting user"));
    }
    if (cleanup || exception) {
      judgeMatchAndExclude(spec, policy, found);
    }
  }

  private static void requireKinds(LegacyRule rule, LintFindingSink found) {
    var match = rule.node().at("match");
    if (match.isEmpty()) {
      found.refused(
          rule.node(), rule.label() + " has no match", "Set match.any[].resources.kinds.");
      return;
    }
    var any = match.get().items("any");
    var every = match.get().items("all");
    var blocks = !any.isEmpty() ? any : !every.isEmpty() ? every : List.of(match.get());
    blocks.stream()
        .filter(block -> block.items("resources", "kinds").isEmpty())
        .forEach(block ->
            found.refused(block, rule.label() + " matches no kind", "Set resources.kinds."));
  }

  private static void judgeMatchAndExclude(
      Node holder, LintedPolicy policy, LintFindingSink found) {
    holder.all("match", "exclude").forEach(part -> judgePart(part, policy, found));
    if (holder.items("match", "all").isEmpty() && holder.items("exclude", "all").isEmpty()) {
      var excluded = holder.all("exclude.any[]").map(Node::value).toList();
      holder
          .all("match.any[]")
          .filter(block -> excluded.contains(block.value()))
          .forEach(
              block -> found.refused(block, "this block is also in exclude, so nothing matches"));
    }
  }

  private static void judgePart(Node part, LintedPolicy policy, LintFindingSink found) {
    var any = !part.items("any").isEmpty();
    var every = !part.items("all").isEmpty();
    if (any && every) {
      found.refused(part.atOrSelf("all"), part.name() + " has both any and all");
    }
    if (any || every) {
      part.at("resources")
          .filter(node -> !node.fields().isEmpty())
          .ifPresent(node -> found.refused(node, part.name() + " has resources beside any or all"));
    }
    LegacyRule.blocks(Stream.of(part), _ -> true)
        .forEach(block -> judgeBlock(block, policy, found));
  }

  private static void judgeBlock(Node block, LintedPolicy policy, LintFindingSink found) {
    block.items("subjects").forEach(subject -> judgeSubject(subject, found));
    block.items("roles").stream()
        .filter(role -> role.isText() && role.text().split(":", -1).length != 2)
        .forEach(role -> found.refused(role, "the role is not written namespace:name"));
    var resources = block.atOrSelf("resources");
    if (!resources.text("name").isEmpty() && !resources.items("names").isEmpty()) {
      found.refused(resources.atOrSelf("name"), "both name and names are set");
    }
    resources
        .at("selector")
        .filter(node -> node.fields().stream().allMatch(field -> field.children().isEmpty()))
        .ifPresent(node -> found.refused(node, "the selector has no requirement"));
    if (policy.kind().namespaced() && policy.type() != PolicyKind.Type.RULE_EXCEPTION) {
      resources
          .at("namespaces")
          .filter(node -> !node.items().isEmpty())
          .ifPresent(node -> found.refused(node, "a namespaced policy cannot filter by namespace"));
      resources.items("kinds").stream()
          .filter(node -> KindName.of(node.text()).isClusterScoped())
          .forEach(node ->
              found.refused(
                  node,
                  "a namespaced policy cannot match " + node.text() + ", which is cluster-scoped"));
    }
  }

  private static void judgeSubject(Node subject, LintFindingSink found) {
    var kind = subject.text("kind");
    if (!SUBJECTS.contains(kind)) {
      found.at(
          subject.atOrSelf("kind"),
          "a subject is a User, a Group or a ServiceAccount; Kyverno rejects this");
    } else if (subject.text("name").isEmpty()) {
      found.refused(subject, "the subject has no name");
    } else if (kind.equals("ServiceAccount") && subject.text("namespace").isEmpty()) {
      found.refused(subject, "the ServiceAccount has no namespace");
    }
  }

  /// Source: Kyverno 1.19, `validKinds` and `kubeutils.ParseKindSelector`.
  private static final Rule SUBRESOURCE =
      Rule.error(
          "PS046",
          "Subresource in a background rule",
          """
          A background scan evaluates stored objects; a subresource such as `Pod/exec`, `Deployment/scale` or \
          `*/status` exists in requests only. Kyverno rejects a validating rule that matches or excludes one unless \
          `background: false` is set.\
          """,
          "Set spec.background: false.",
          each(Matching::judgeSubresources));

  private static final Pattern VERSION = Pattern.compile("v\\d((alpha|beta)\\d)?|\\*");

  private static void judgeSubresources(LegacyRule rule, LintFindingSink found) {
    if (rule.policy().background() && rule.node().has("validate")) {
      rule.allKindNodes()
          .filter(node -> isSubresource(node.text()))
          .forEach(node ->
              found.at(
                  node,
                  rule.label()
                      + " is for the subresource "
                      + node.text()
                      + ", which background scans (background: true) do not see; Kyverno rejects this"));
    }
  }

  private static boolean isSubresource(String selector) {
    if (selector.indexOf('/') < 0 && selector.indexOf('.') < 0) {
      return false;
    }
    var parts = List.of(selector.replaceFirst("\\.(?=[^./]*$)", "/").split("/", -1));
    return switch (parts.size()) {
      case 2 ->
          selector.equals("*/*")
              || (parts.getFirst().equals("*")
                  && parts.get(1).equals(parts.get(1).toLowerCase(Locale.ROOT)))
              || !VERSION.matcher(parts.getFirst()).matches();
      case 3 -> VERSION.matcher(parts.getFirst()).matches();
      case 4 -> true;
      default -> false;
    };
  }

  /// Source: Kyverno 1.19, `vpol.Validate`, `mpol.Validate`, `gpol.Validate`, `dpol.Validate`.
  private static final Rule NO_CONSTRAINTS =
      Rule.error(
              "PS053",
              "CEL policy without matchConstraints",
              """
              Kyverno rejects a ValidatingPolicy, MutatingPolicy, GeneratingPolicy or DeletingPolicy, of the cluster or a \
              namespace, without `matchConstraints.resourceRules`, also if it is only for JSON that the command line \
              judges, and a MutatingPolicy that mutates neither requests nor existing objects.\
              """,
              "Set spec.matchConstraints.resourceRules.",
              Matching::judgeConstraints)
          .since("1.17");

  private static final Set<PolicyKind.Type> WITH_CONSTRAINTS =
      Set.of(
          PolicyKind.Type.VALIDATING,
          PolicyKind.Type.MUTATING,
          PolicyKind.Type.GENERATING,
          PolicyKind.Type.DELETING);

  private static void judgeConstraints(LintedPolicy policy, LintFindingSink found) {
    var spec = policy.spec();
    if (WITH_CONSTRAINTS.contains(policy.type()) && policy.resourceRules().findAny().isEmpty()) {
      found.refused(spec.atOrSelf("matchConstraints"), "the policy matches no resources");
    }
    if (policy.type() == PolicyKind.Type.MUTATING
        && spec.isFalse("evaluation", "admission", "enabled")
        && !spec.isTrue("evaluation", "mutateExisting", "enabled")) {
      found.refused(
          spec.atOrSelf("evaluation"),
          "the policy mutates neither requests nor existing objects",
          "Enable evaluation.admission or evaluation.mutateExisting.");
    }
  }

  /// Source: Kyverno 1.19, `validKinds`: a kind that the cluster does not have is only a warning.
  private static final Rule MISSPELT_KIND =
      Rule.warning(
          "PS056",
          "Misspelt kind",
          """
          The kind is a plural, starts with a small letter, or differs by one letter from a kind of Kubernetes: `pod`, \
          `Deployments`, `StatfulSet`. Kyverno accepts the policy with a warning, and the rule never matches. A kind of \
          that name in another API group is named with its group: `example.com/*/Pods`.\
          """,
          "Write the kind as Kubernetes does, in the singular with a capital letter.",
          each(Matching::judgeKinds));

  private static final Set<String> KINDS =
      Set.of(
          "ClusterRole",
          "ClusterRoleBinding",
          "ConfigMap",
          "CronJob",
          "CustomResourceDefinition",
          "DaemonSet",
          "Deployment",
          "HorizontalPodAutoscaler",
          "Ingress",
          "Job",
          "LimitRange",
          "Namespace",
          "NetworkPolicy",
          "Node",
          "PersistentVolume",
          "PersistentVolumeClaim",
          "Pod",
          "PodDisruptionBudget",
          "ReplicaSet",
          "ResourceQuota",
          "Role",
          "RoleBinding",
          "Secret",
          "Service",
          "ServiceAccount",
          "StatefulSet",
          "StorageClass");

  /// The shortest kind to compare by letter: a third-party kind may differ from a shorter one by a
  /// letter.
  private static final int LONG = 6;

  private static void judgeKinds(LegacyRule rule, LintFindingSink found) {
    rule.allKindNodes()
        .forEach(node -> {
          var name = KindName.of(node.text());
          if (name.mayBeBuiltIn()) {
            meantKind(name.kind())
                .ifPresent(kind ->
                    found.at(
                        node,
                        rule.label()
                            + " names the kind "
                            + node.text()
                            + ", which Kubernetes does not have",
                        "Write " + kind + "."));
          }
        });
  }

  private static Optional<String> meantKind(String kind) {
    if (KINDS.contains(kind)) {
      return Optional.empty();
    }
    return KINDS.stream()
        .filter(known ->
            kind.equalsIgnoreCase(known)
                || kind.equalsIgnoreCase(known + "s")
                || kind.equalsIgnoreCase(known + "es")
                || (known.length() >= LONG && isOneEdit(kind, known)))
        .sorted()
        .findFirst();
  }

  /// Returns whether one letter was added, left out or changed, or two neighbours were swapped.
  private static boolean isOneEdit(String one, String other) {
    int start = 0;
    int shorter = Math.min(one.length(), other.length());
    while (start < shorter && one.charAt(start) == other.charAt(start)) {
      start++;
    }
    int end = 0;
    while (end < shorter - start
        && one.charAt(one.length() - 1 - end) == other.charAt(other.length() - 1 - end)) {
      end++;
    }
    var a = one.substring(start, one.length() - end);
    var b = other.substring(start, other.length() - end);
    return (a.length() <= 1 && b.length() <= 1)
        || (a.length() == 2 && a.equals(new StringBuilder(b).reverse().toString()));
  }
}

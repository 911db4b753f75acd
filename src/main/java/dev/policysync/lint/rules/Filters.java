package dev.policysync.lint.rules;

import dev.policysync.lint.Hazard;
import dev.policysync.lint.LintFindingSink;
import dev.policysync.lint.LintSeverity;
import dev.policysync.lint.LintedPolicy;
import dev.policysync.lint.Node;
import dev.policysync.lint.PolicySet;
import dev.policysync.lint.Rule;
import dev.policysync.policy.PolicyKind;
import dev.policysync.policy.kyverno.AffectedVersions;
import dev.policysync.policy.kyverno.KindName;
import dev.policysync.policy.kyverno.ResourceFilter;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/// Reports `match` and `exclude` blocks that Kyverno rejects.
///
/// Source: Kyverno 1.19, `MatchResources.Validate`, `ResourceDescription.Validate`,
/// `UserInfo.Validate`, `validateMatchKindHelper`, `Rule.ValidateMatchExcludeConflict`, and
/// `ValidateNoUserInfo` of cleanup policies and exceptions.
final class Filters implements Rule {
  private static final Set<String> SUBJECTS = Set.of("User", "Group", "ServiceAccount");

  @Override
  public Hazard hazard() {
    return new Hazard(
        "PS043",
        LintSeverity.ERROR,
        AffectedVersions.ALL,
        "Invalid match or exclude",
        """
        Kyverno rejects a `match` without kinds, `any` together with `all` or `resources`, `name` together with \
        `names`, a selector without requirements, a subject that is no User, Group or ServiceAccount (with its \
        namespace), a role that is not written `namespace:name`, and an `exclude` with the same block as `match`. A \
        namespaced policy can neither match cluster-scoped kinds nor filter by namespace. Cleanup policies and, \
        unless `background: false` is set, exceptions have no requesting user, so they cannot match one.\
        """,
        "Correct the block.");
  }

  @Override
  public void judge(LintedPolicy policy, PolicySet all, LintFindingSink found) {
    for (var rule : LegacyPolicy.rulesOf(policy)) {
      kinds(rule, found);
      judge(rule.node(), policy, found);
    }
    var users =
        policy.kind().type() == PolicyKind.Type.CLEANUP
            || (policy.kind().type() == PolicyKind.Type.RULE_EXCEPTION
                && !policy.spec().isSetTo("background", false));
    if (users) {
      Stream.of("match", "exclude")
          .flatMap(part -> FilterNodes.blocks(policy.spec().at(part), _ -> true))
          .flatMap(block -> ResourceFilter.USERS.stream().flatMap(name -> block.at(name).stream()))
          .forEach(
              node -> found.at(node, policy.kind().kind() + " cannot match the requesting user"));
    }
    if (policy.kind().type() == PolicyKind.Type.CLEANUP
        || policy.kind().type() == PolicyKind.Type.RULE_EXCEPTION) {
      judge(policy.spec(), policy, found);
    }
  }

  private static void kinds(LegacyRule rule, LintFindingSink found) {
    var match = rule.node().at("match");
    var any = match.map(node -> node.items("any")).orElse(List.of());
    var every = match.map(node -> node.items("all")).orElse(List.of());
    var blocks = !any.isEmpty() ? any : !every.isEmpty() ? every : match.stream().toList();
    blocks.stream()
        .filter(block -> block.items("resources", "kinds").isEmpty())
        .forEach(block ->
            found.at(
                block,
                rule.label() + " matches no kind; Kyverno rejects it",
                "Set resources.kinds."));
    if (match.isEmpty()) {
      found.at(
          rule.node(),
          rule.label() + " has no match; Kyverno rejects it",
          "Set match.any[].resources.kinds.");
    }
  }

  private static void judge(Node parent, LintedPolicy policy, LintFindingSink found) {
    for (var part : List.of("match", "exclude")) {
      parent.at(part).ifPresent(node -> judgePart(node, policy, found));
    }
    parent
        .at("match")
        .ifPresent(match -> {
          var excluded = parent.items("exclude", "any").stream().map(Node::value).toList();
          if (match.items("all").isEmpty() && parent.items("exclude", "all").isEmpty()) {
            match.items("any").stream()
                .filter(block -> excluded.contains(block.value()))
                .forEach(block ->
                    found.at(
                        block,
                        "this block is also in exclude, so nothing matches; Kyverno rejects it"));
          }
        });
  }

  private static void judgePart(Node part, LintedPolicy policy, LintFindingSink found) {
    var any = part.items("any");
    var every = part.items("all");
    if (!any.isEmpty() && !every.isEmpty()) {
      part.at("all")
          .ifPresent(
              node -> found.at(node, part.name() + " has both any and all; Kyverno rejects it"));
    }
    if (!(any.isEmpty() && every.isEmpty())) {
      part.at("resources")
          .filter(node -> !node.fields().isEmpty())
          .ifPresent(node ->
              found.at(node, part.name() + " has resources beside any or all; Kyverno rejects it"));
    }
    FilterNodes.blocks(java.util.Optional.of(part), _ -> true)
        .forEach(block -> judgeBlock(block, policy, found));
  }

  private static void judgeBlock(Node block, LintedPolicy policy, LintFindingSink found) {
    block.items("subjects").forEach(subject -> judgeSubject(subject, found));
    block.items("roles").stream()
        .filter(role -> role.text().filter(text -> text.split(":", -1).length != 2).isPresent())
        .forEach(
            role -> found.at(role, "the role is not written namespace:name; Kyverno rejects it"));
    var resources = block.at("resources").orElse(block);
    if (resources.text("name").filter(name -> !name.isEmpty()).isPresent()
        && !resources.items("names").isEmpty()) {
      resources
          .at("name")
          .ifPresent(node -> found.at(node, "both name and names are set; Kyverno rejects it"));
    }
    resources
        .at("selector")
        .filter(
            node -> node.fields().stream().allMatch(field -> field.children().findAny().isEmpty()))
        .ifPresent(node -> found.at(node, "the selector has no requirement; Kyverno rejects it"));
    if (policy.kind().namespaced() && policy.kind().type() != PolicyKind.Type.RULE_EXCEPTION) {
      resources
          .at("namespaces")
          .filter(node -> !node.items().isEmpty())
          .ifPresent(node ->
              found.at(node, "a namespaced policy cannot filter by namespace; Kyverno rejects it"));
      resources.items("kinds").stream()
          .filter(
              node -> node.text().map(KindName::of).filter(KindName::isClusterScoped).isPresent())
          .forEach(node ->
              found.at(
                  node,
                  "a namespaced policy cannot match "
                      + node.text().orElse("")
                      + ", which is cluster-scoped; Kyverno rejects it"));
    }
  }

  private static void judgeSubject(Node subject, LintFindingSink found) {
    var kind = subject.text("kind").orElse("");
    if (!SUBJECTS.contains(kind)) {
      found.at(
          subject.at("kind").orElse(subject),
          "a subject is a User, a Group or a ServiceAccount; Kyverno rejects this");
    } else if (subject.text("name").orElse("").isEmpty()) {
      found.at(subject, "the subject has no name; Kyverno rejects it");
    } else if (kind.equals("ServiceAccount") && subject.text("namespace").orElse("").isEmpty()) {
      found.at(subject, "the ServiceAccount has no namespace; Kyverno rejects it");
    }
  }
}

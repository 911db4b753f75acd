package dev.policysync.lint.rules;

import dev.policysync.lint.LintFindingSink;
import dev.policysync.lint.LintedPolicy;
import dev.policysync.lint.Node;
import dev.policysync.lint.Rule;
import dev.policysync.policy.kyverno.KindName;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/// The rule about rules that match no request.
final class MatchesNothing {
  private MatchesNothing() {}

  static List<Rule> rules() {
    return List.of(NOTHING);
  }

  private static final String ANY = "*";

  private static final Rule NOTHING =
      Rule.warning(
          "PS058",
          "Rule matches nothing",
          """
          A rule of a CEL policy names a resource that no API group of the rule has: a kind (`Pod` for `pods`), a \
          singular, a resource in another group (`deployments` in the core group), a group with a version \
          (`apps/v1`), a version that Kubernetes does not serve, or a scope that the resource does not have. A \
          namespaced policy never sees a resource without a namespace. A request for `pods/exec` is always a CONNECT, \
          one for a status or a scale always an UPDATE. The API server and Kyverno accept all of these, and the \
          policy never does what it says. Resources of other groups than those of Kubernetes are not judged.\
          """,
          "Name resources in the plural and in lower case, each with its group and a version that is served.",
          MatchesNothing::judge);

  private static void judge(LintedPolicy policy, LintFindingSink found) {
    Stream.concat(
            policy.resourceRules(),
            policy
                .spec()
                .all(
                    "matchConstraints.excludeResourceRules[]",
                    "matchResources.resourceRules[]",
                    "targetMatchConstraints.resourceRules[]"))
        .filter(_ -> policy.kind().usesCel())
        .forEach(rule -> judge(rule, policy, found));
    for (var rule : LegacyRule.of(policy)) {
      rule.node()
          .all("match.resources", "match.any[].resources", "match.all[].resources")
          .forEach(resources -> judgeOperations(resources, found));
    }
  }

  private static void judge(Node rule, LintedPolicy policy, LintFindingSink found) {
    if (judgeGroups(rule, found)) {
      return;
    }
    var groups = rule.texts("apiGroups");
    for (var node : rule.items("resources")) {
      var parts = node.text().split("/", 2);
      var meant = ApiResources.resourceOfKind(parts[0]);
      if (meant.isPresent() && (isCapital(parts[0]) || hasOnlyKnown(groups))) {
        found.at(
            node,
            (isCapital(parts[0]) ? "this is a kind" : "this is a singular")
                + ", not a resource, so it matches nothing",
            "Write " + meant.get() + (parts.length == 2 ? "/" + parts[1] : "") + ".");
      } else if (isCapital(parts[0])) {
        found.at(
            node,
            "this is a kind, not a resource, so it matches nothing",
            "Write the resource: the plural, in lower case.");
      } else {
        judgeResource(rule, node, parts[0], policy, found);
        if (parts.length == 2) {
          judgeSubresource(rule.items("operations"), node, parts[1], found);
        } else {
          judgeConnect(rule, node, parts[0], found);
        }
      }
    }
  }

  /// Returns whether a group or version is wrong, so that no resource can be judged.
  private static boolean judgeGroups(Node rule, LintFindingSink found) {
    var groups =
        rule.items("apiGroups").stream().filter(node -> node.text().contains("/")).toList();
    groups.forEach(node ->
        found.at(
            node,
            "this is a group with a version, so it matches nothing",
            "Write the group alone in apiGroups, and the version in apiVersions."));
    var versions =
        rule.items("apiVersions").stream().filter(node -> node.text().contains("/")).toList();
    versions.forEach(node ->
        found.at(
            node,
            "this is a version with a group, so it matches nothing",
            "Write the version alone in apiVersions, and the group in apiGroups."));
    var core =
        rule.items("apiGroups").stream()
            .filter(node -> Set.of("core", "v1").contains(node.text()))
            .toList();
    core.forEach(node ->
        found.at(
            node,
            "Kubernetes has no such group, so it matches nothing",
            "Write \"\" for the core group."));
    return !groups.isEmpty() || !versions.isEmpty() || !core.isEmpty();
  }

  private static void judgeResource(
      Node rule, Node node, String resource, LintedPolicy policy, LintFindingSink found) {
    var groups = rule.texts("apiGroups");
    var home = ApiResources.groupOf(resource);
    if (home.isEmpty() || !hasOnlyKnown(groups)) {
      return;
    }
    var scopes =
        groups.stream().flatMap(group -> ApiResources.scope(group, resource).stream()).toList();
    if (scopes.isEmpty()) {
      found.at(
          node,
          "none of the rule's API groups has " + resource + ", so it matches nothing",
          "Set apiGroups: [" + (home.get().isEmpty() ? "\"\"" : home.get()) + "].");
      return;
    }
    var versions = rule.items("apiVersions");
    if (versions.stream().noneMatch(version -> isServed(groups, resource, version.text()))) {
      versions.stream()
          .findFirst()
          .ifPresent(version ->
              found.at(
                  version,
                  "Kubernetes does not serve "
                      + resource
                      + " in this version, so it matches nothing",
                  "Set apiVersions: [v1]."));
    }
    var scope = scopes.getFirst();
    rule.at("scope")
        .filter(written -> !written.isText(ANY) && !written.isText(scope.text()))
        .ifPresent(written ->
            found.at(
                written,
                resource + " have the scope " + scope.text() + ", so the rule matches nothing",
                "Set scope: " + scope.text() + "."));
    // A namespace as an object is in the namespace of its name.
    if (policy.kind().namespaced()
        && scope == ApiResources.Scope.CLUSTER
        && !resource.equals("namespaces")) {
      found.at(
          node,
          resource + " are not in a namespace, so a " + policy.kind().kind() + " never sees them",
          "Use the kind without Namespaced.");
    }
  }

  private static boolean isServed(List<String> groups, String resource, String version) {
    return version.equals(ANY)
        || groups.stream()
            .filter(group -> ApiResources.scope(group, resource).isPresent())
            .anyMatch(group -> ApiResources.hasVersion(group, version));
  }

  private static boolean hasOnlyKnown(List<String> groups) {
    return !groups.isEmpty() && groups.stream().allMatch(ApiResources::isGroup);
  }

  private static boolean isCapital(String word) {
    return !word.isEmpty() && Character.isUpperCase(word.charAt(0));
  }

  /// The operations with which the API server reports requests for a subresource.
  private static final Map<String, Set<String>> OPERATIONS =
      Map.of(
          "exec", Set.of("CONNECT"),
          "attach", Set.of("CONNECT"),
          "portforward", Set.of("CONNECT"),
          "proxy", Set.of("CONNECT"),
          "status", Set.of("UPDATE"),
          "scale", Set.of("UPDATE"),
          "ephemeralcontainers", Set.of("UPDATE"),
          "eviction", Set.of("CREATE"),
          "binding", Set.of("CREATE"),
          "token", Set.of("CREATE"));

  private static void judgeSubresource(
      List<Node> operations, Node at, String subresource, LintFindingSink found) {
    var possible = OPERATIONS.get(subresource);
    if (possible != null
        && !operations.isEmpty()
        && operations.stream().noneMatch(it -> it.isText(ANY) || possible.contains(it.text()))) {
      var only = possible.iterator().next();
      found.at(
          at,
          "a request for " + subresource + " is always a " + only + ", so it matches nothing",
          "Add the operation " + only + ".");
    }
  }

  private static void judgeConnect(Node rule, Node node, String resource, LintFindingSink found) {
    if (rule.texts("operations").equals(List.of("CONNECT"))
        && ApiResources.groupOf(resource).isPresent()) {
      found.at(
          node,
          "only requests for subresources are a CONNECT, so it matches nothing",
          "Name the subresource, e.g. pods/exec, or other operations.");
    }
  }

  private static void judgeOperations(Node resources, LintFindingSink found) {
    for (var kind : resources.items("kinds")) {
      var slash = kind.text().lastIndexOf('/');
      var subresource = kind.text().substring(slash + 1);
      if (slash > 0 && KindName.of(kind.text()).mayBeBuiltIn()) {
        judgeSubresource(resources.items("operations"), kind, subresource, found);
      }
    }
  }
}

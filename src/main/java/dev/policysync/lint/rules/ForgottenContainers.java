package dev.policysync.lint.rules;

import dev.policysync.lint.Hazard;
import dev.policysync.lint.LintFindingSink;
import dev.policysync.lint.LintSeverity;
import dev.policysync.lint.LintedPolicy;
import dev.policysync.lint.Node;
import dev.policysync.lint.PolicySet;
import dev.policysync.lint.Rule;
import dev.policysync.policy.kyverno.AffectedVersions;
import dev.policysync.policy.kyverno.KindName;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Reports rules for containers that init or ephemeral containers can bypass.
final class ForgottenContainers implements Rule {
  private static final Pattern ANCHOR = Pattern.compile("^[=X^<+]?\\((.*)\\)$");
  private static final Pattern CONTAINERS = Pattern.compile("spec\\.\\??containers\\b");

  private static final Pattern LOOP =
      Pattern.compile(
          "[cC]ontainers\\??(?:\\.orValue\\(\\[\\]\\))?\\s*\\.\\s*\\w+\\(\\s*(\\w+)\\s*,");
  private static final Pattern PATH =
      Pattern.compile("[cC]ontainers\\[[^\\]]*\\]\\.\\[?\\s*(\\w+)");

  /// The fields that init and ephemeral containers cannot have, or that are harmless there.
  private static final Set<String> HARMLESS =
      Set.of(
          "name",
          "resources",
          "livenessProbe",
          "readinessProbe",
          "startupProbe",
          "lifecycle",
          "ports");

  @Override
  public Hazard hazard() {
    return new Hazard(
        "PS013",
        LintSeverity.WARNING,
        AffectedVersions.ALL,
        "Init or ephemeral containers not covered",
        """
        A Pod runs `containers`, `initContainers` and `ephemeralContainers`. A rule that covers only the first \
        list can be bypassed with the other two: an init container has the same privileges, and `kubectl debug` \
        adds an ephemeral container. Rules on probes, ports and resources are not reported, because the other \
        lists do not support them.\
        """,
        "Cover initContainers and ephemeralContainers as well, in a pattern as =(initContainers)"
            + " and"
            + " =(ephemeralContainers).");
  }

  @Override
  public void judge(LintedPolicy policy, PolicySet all, LintFindingSink found) {
    var forgotten = uncoveredLists(policy.spec());
    if (forgotten.isEmpty()) {
      return;
    }
    for (var rule : LegacyPolicy.rulesOf(policy)) {
      if (rule.blocks() && rule.kinds().stream().anyMatch(KindName::isPod)) {
        rule.node()
            .at("validate")
            .flatMap(ForgottenContainers::containers)
            .ifPresent(node -> found.at(node, message(rule.label(), forgotten)));
      }
    }
    CelPolicy.of(policy)
        .filter(CelPolicy::denies)
        .filter(cel -> cel.resources().stream().anyMatch(node -> node.isText("pods")))
        .flatMap(cel -> containers(cel.spec()))
        .ifPresent(node -> found.at(node, message("this policy", forgotten)));
  }

  private static List<String> uncoveredLists(Node spec) {
    var forgotten = new ArrayList<String>();
    for (var list : List.of("initContainers", "ephemeralContainers")) {
      if (spec.selfAndDescendants().stream().noneMatch(node -> mentions(node, list))) {
        forgotten.add(list);
      }
    }
    return forgotten;
  }

  private static boolean mentions(Node node, String list) {
    return unanchored(node.name()).equals(list) || node.isTextWith(list);
  }

  private static Optional<Node> containers(Node part) {
    return part.selfAndDescendants().stream()
        .filter(node -> isPattern(node) || isExpression(node))
        .findFirst();
  }

  private static boolean isPattern(Node node) {
    return unanchored(node.name()).equals("containers")
        && node.items().stream()
            .flatMap(item -> item.fields().stream())
            .anyMatch(field -> !HARMLESS.contains(unanchored(field.name())));
  }

  private static boolean isExpression(Node node) {
    return !node.name().equals("message")
        && node.text().filter(text -> CONTAINERS.matcher(text).find()).isPresent()
        && !harmless(node);
  }

  /// Returns whether an expression reads only harmless fields of containers:
  /// `containers[].ports[]`, `containers.all(c, has(c.ports))`, or `element.ports` beside a list of
  /// containers. An expression without a visible field may read any field.
  private static boolean harmless(Node node) {
    var text = node.text().orElse("");
    var asked = new ArrayList<String>();
    var loops = LOOP.matcher(text);
    while (loops.find()) {
      fields(Pattern.quote(loops.group(1)), text).forEach(asked::add);
    }
    PATH.matcher(text).results().map(found -> found.group(1)).forEach(asked::add);
    if (node.name().equals("list")) {
      var each =
          node.parent().stream().flatMap(above -> above.selfAndDescendants().stream()).toList();
      each.stream()
          .flatMap(part -> part.text().stream())
          .flatMap(part -> fields("element\\d*", part))
          .forEach(asked::add);
      each.stream()
          .filter(part -> part.name().equals("pattern") || part.name().equals("anyPattern"))
          .flatMap(part ->
              Stream.concat(
                  part.fields().stream(),
                  part.items().stream().flatMap(item -> item.fields().stream())))
          .map(field -> unanchored(field.name()))
          .forEach(asked::add);
    }
    return !asked.isEmpty() && HARMLESS.containsAll(asked);
  }

  private static Stream<String> fields(String variable, String text) {
    return Pattern.compile("(?<![\\w.])" + variable + "\\.\\??(\\w+)")
        .matcher(text)
        .results()
        .map(found -> found.group(1));
  }

  private static String unanchored(String name) {
    if (!name.endsWith(")")) {
      return name;
    }
    var matcher = ANCHOR.matcher(name);
    return matcher.matches() ? matcher.group(1) : name;
  }

  private static String message(String who, List<String> forgotten) {
    return who + " covers only containers; " + String.join(" and ", forgotten) + " are not covered";
  }
}

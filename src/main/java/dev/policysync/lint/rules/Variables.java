package dev.policysync.lint.rules;

import static dev.policysync.lint.rules.LegacyRule.each;

import dev.policysync.lint.LintFindingSink;
import dev.policysync.lint.Node;
import dev.policysync.lint.Rule;
import dev.policysync.policy.kyverno.Glob;
import dev.policysync.policy.kyverno.ResourceFilter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Rules about the variables in the rules of a ClusterPolicy or Policy.
final class Variables {
  private Variables() {}

  static List<Rule> rules() {
    return List.of(USER_IN_BACKGROUND, UNKNOWN);
  }

  private static final Pattern VARIABLE =
      Pattern.compile("(?<![\\\\])\\{\\{((?:\\{[^{}]*\\}|[^{}])*)\\}\\}");

  /// A variable in a text.
  ///
  /// @param query the text between the braces, with `null` in place of each nested variable
  record Variable(Node node, String query) {}

  /// Returns a query for messages, without what is beyond 60 characters.
  static String shown(String query) {
    return query.length() <= 60 ? query : query.substring(0, 60) + "…";
  }

  /// Returns all variables in a node and below it, also in field names, nested variables first.
  ///
  /// Source: Kyverno 1.19, `regex.RegexVariables`, `substituteVariablesIfAny`.
  static Stream<Variable> in(Node node) {
    return node.selfAndDescendants().stream().flatMap(Variables::of);
  }

  private static Stream<Variable> of(Node node) {
    if (!mayBeIn(node.name()) && !mayBeIn(node.text())) {
      return Stream.empty();
    }
    var found = new ArrayList<Variable>();
    for (var text : List.of(node.name(), node.text())) {
      var rest = text;
      for (var matcher = VARIABLE.matcher(rest); matcher.find(); matcher = VARIABLE.matcher(rest)) {
        found.add(new Variable(node, query(matcher.group(1))));
        rest = rest.substring(0, matcher.start()) + "null" + rest.substring(matcher.end());
      }
    }
    return found.stream();
  }

  /// Returns the query of a variable. A hyphen after the braces makes Kyverno leave the resolved
  /// value as it is.
  private static String query(String text) {
    return (text.startsWith("-") && text.length() > 1 ? text.substring(1) : text).strip();
  }

  static boolean has(String text) {
    return mayBeIn(text) && VARIABLE.matcher(text).find();
  }

  /// Returns whether a text may contain a variable. Most texts have none, and a regex takes long to
  /// find nothing.
  private static boolean mayBeIn(String text) {
    return text.contains("{{");
  }

  private static final Rule USER_IN_BACKGROUND =
      Rule.error(
          "PS008",
          "User variable in a background rule",
          """
          A background scan evaluates existing objects, without a request or user. Kyverno therefore rejects a policy \
          with `background: true`, the default, that uses `request.userInfo`, `request.roles`, `serviceAccountName` or \
          similar, or that matches or excludes subjects and roles. It also rejects any `{{ variable }}` in match and \
          exclude.\
          """,
          "Set spec.background: false, so that the policy applies to requests only.",
          each(Variables::judgeUser));

  private static final Pattern ANY = Pattern.compile("\\{\\{(.+?)}}", Pattern.DOTALL);
  private static final Pattern USER =
      Pattern.compile(
          "(?<![.\\w])(request\\.(userInfo|roles|clusterRoles)|serviceAccountName(space)?)\\b");

  /// The words that [#USER] looks for, for a faster check without the regex.
  private static final List<String> USERS =
      List.of("request.userInfo", "request.roles", "request.clusterRoles", "serviceAccountName");

  private static void judgeUser(LegacyRule rule, LintFindingSink found) {
    rule.node()
        .all("match", "exclude")
        .forEach(part ->
            first(part, text -> ANY.matcher(text).find())
                .ifPresent(node ->
                    found.at(
                        node,
                        rule.label()
                            + " has a variable in its "
                            + part.name()
                            + ", which Kyverno rejects",
                        "Move the condition to preconditions.")));
    if (rule.policy().background()) {
      LegacyRule.blocks(rule.node().all("match", "exclude"), _ -> true)
          .flatMap(block -> block.all(ResourceFilter.USERS))
          .findFirst()
          .or(() -> userVariable(rule))
          .ifPresent(node ->
              found.at(
                  node,
                  rule.label()
                      + " uses the requesting user, which background scans (background: true)"
                      + " do not have; Kyverno rejects this"));
    }
  }

  /// Returns a variable about the user. With a rule that mutates existing objects, Kyverno accepts
  /// the variables of all rules of the policy.
  private static Optional<Node> userVariable(LegacyRule rule) {
    return rule.policy().spec().all("rules[].mutate.targets[]").findAny().isPresent()
        ? Optional.empty()
        : first(rule.node(), Variables::asksForUser);
  }

  private static Optional<Node> first(Node within, Predicate<String> passes) {
    return within.selfAndDescendants().stream()
        .filter(node -> mayBeIn(node.text()) && passes.test(node.text()))
        .findFirst();
  }

  private static boolean asksForUser(String text) {
    return USERS.stream().anyMatch(text::contains)
        && ANY.matcher(text).results().anyMatch(found -> USER.matcher(found.group(1)).find());
  }

  /// Source: Kyverno 1.19, `hasInvalidVariables`, `buildContext`, `getAllowedVariables`,
  /// `MockContext.Query`, `validateElementInForEach`.
  private static final Rule UNKNOWN =
      Rule.error(
          "PS050",
          "Unknown variable",
          """
          A variable of a rule is a part of the request (`request`, `images`, `serviceAccountName`), of a `foreach` \
          (`element`), a `target` of a mutation of existing objects, an entry of the rule's `context`, or a function. \
          Kyverno rejects a policy with any other variable, usually a misspelt one, and one with `element` outside of \
          `foreach`. What only requests have is PS008.\
          """,
          "Write the name as it is defined, or define it in the rule's context.",
          each(Variables::judgeNames));

  private static final Pattern OF_REQUEST =
      Pattern.compile(
          "request|serviceAccountName|serviceAccountNamespace|element|elementIndex|@|images|image|([a-z_0-9]+\\()[^{}]");
  private static final Pattern OF_BACKGROUND =
      Pattern.compile(
          "request\\.|element|elementIndex|@|images|images\\.|image\\.|([a-z_0-9]+\\()[^{}]");
  private static final Pattern OF_TARGETS =
      Pattern.compile(
          "request\\.|serviceAccountName|serviceAccountNamespace|element|elementIndex|@|images|image\\.|([a-z_0-9]+\\()[^{}]");
  private static final Pattern TARGET = Pattern.compile("target\\.");
  private static final Pattern ONLY_OF_REQUEST =
      Pattern.compile("serviceAccountName|request\\.(userInfo|roles|clusterRoles)");
  private static final String ELEMENT = "element";

  private static void judgeNames(LegacyRule rule, LintFindingSink found) {
    var background =
        rule.policy().background() || rule.node().isTrue("mutate", "mutateExistingOnPolicyUpdate");
    var targets = rule.node().has("mutate", "targets");
    var defined = defined(rule.node());
    rule.node().fields().stream()
        .flatMap(Variables::judgedParts)
        .flatMap(Variables::in)
        .filter(variable -> !isKnown(variable.query(), background, targets, defined))
        .filter(variable -> !(background && ONLY_OF_REQUEST.matcher(variable.query()).find()))
        .forEach(variable ->
            found.refused(
                variable.node(),
                rule.label() + " has the unknown variable {{ " + shown(variable.query()) + " }}"));
    if (targets) {
      judgeTargets(rule, background, found);
    }
    judgeElements(rule, found);
  }

  /// Returns the nodes to check in a field of a rule, without the conditions of attestations, which
  /// can use every field of the attestation.
  private static Stream<Node> judgedParts(Node field) {
    if (!field.name().equals("verifyImages")) {
      return Stream.of(field);
    }
    return field.items().stream()
        .flatMap(entry -> entry.fields().stream())
        .flatMap(part ->
            part.name().equals("attestations")
                ? part.items().stream()
                    .flatMap(item -> item.fields().stream())
                    .filter(it -> !it.name().equals("conditions"))
                : Stream.of(part));
  }

  private static boolean isKnown(
      String query, boolean background, boolean targets, Set<String> defined) {
    var plain = query.replace("\"", "");
    // A shortcut: most variables begin with `request.`, which each pattern matches.
    if (plain.startsWith("request.")) {
      return true;
    }
    var allowed = background ? OF_BACKGROUND : targets ? OF_TARGETS : OF_REQUEST;
    return allowed.matcher(plain).find()
        || (targets && TARGET.matcher(plain).find())
        || defined.stream().anyMatch(pattern -> Glob.matches(pattern, plain));
  }

  /// Returns patterns for the variables that a rule, its `foreach` and its targets define. Each is
  /// valid in the whole rule, as in Kyverno.
  private static Set<String> defined(Node rule) {
    return Stream.concat(
            patterns(
                rule.all(
                    "context[]",
                    "validate.foreach[].context[]",
                    "mutate.foreach[].context[]",
                    "mutate.targets[].context[]",
                    "generate.foreach[].context[]")),
            rule.all("verifyImages[]")
                .filter(entry -> entry.has("validate"))
                .flatMap(entry -> entry.all("attestations[].name"))
                .filter(Node::isText)
                .map(name -> name.text() + "*"))
        .collect(Collectors.toSet());
  }

  private static Stream<String> patterns(Stream<Node> entries) {
    return entries.flatMap(entry -> {
      var name = entry.text("name");
      return entry.has("configMap")
          ? Stream.of(name + ".data", name + ".metadata", name + ".data.*", name + ".metadata.*")
          : Stream.of(name + "*");
    });
  }

  /// Reports uses of `target` where Kyverno selects the targets, and no target exists yet.
  private static void judgeTargets(LegacyRule rule, boolean background, LintFindingSink found) {
    var defined = patterns(rule.node().all("context[]")).collect(Collectors.toSet());
    Stream.concat(
            rule.node().all("context", "preconditions"),
            rule.node()
                .all("mutate.targets[]")
                .flatMap(target -> target.all("apiVersion", "kind", "namespace", "name", "uid")))
        .flatMap(Variables::in)
        .filter(variable -> TARGET.matcher(variable.query()).find())
        .filter(variable -> !isKnown(variable.query(), background, false, defined))
        .forEach(variable ->
            found.refused(
                variable.node(),
                rule.label() + " uses a target before there is one",
                "Move it into the context or preconditions of the target."));
  }

  private static void judgeElements(LegacyRule rule, LintFindingSink found) {
    rule.node().selfAndDescendants().stream()
        .filter(node -> node.name().contains(ELEMENT) || node.text().contains(ELEMENT))
        .flatMap(Variables::of)
        .filter(variable -> variable.query().startsWith(ELEMENT))
        .filter(variable -> !variable.node().path().contains(".foreach["))
        .forEach(variable ->
            found.refused(
                variable.node(),
                rule.label() + " uses element outside of foreach",
                "Move it into a foreach."));
  }
}

package dev.policysync.lint.rules;

import dev.policysync.lint.Hazard;
import dev.policysync.lint.LintFindingSink;
import dev.policysync.lint.LintSeverity;
import dev.policysync.lint.LintedPolicy;
import dev.policysync.lint.Node;
import dev.policysync.lint.PolicySet;
import dev.policysync.lint.Rule;
import dev.policysync.policy.kyverno.AffectedVersions;
import dev.policysync.policy.kyverno.Glob;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Reports variables of a rule that nothing defines.
///
/// Source: Kyverno 1.19, `hasInvalidVariables`, `buildContext`, `getAllowedVariables`,
/// `MockContext.Query`, `validateElementInForEach`.
final class UnknownVariable implements Rule {
  private static final Pattern REQUESTS =
      Pattern.compile(
          "request|serviceAccountName|serviceAccountNamespace|element|elementIndex|@|images|image|([a-z_0-9]+\\()[^{}]");
  private static final Pattern BACKGROUND =
      Pattern.compile(
          "request\\.|element|elementIndex|@|images|images\\.|image\\.|([a-z_0-9]+\\()[^{}]");
  private static final Pattern TARGET = Pattern.compile("target\\.");
  private static final Pattern USER =
      Pattern.compile("serviceAccountName|request\\.(userInfo|roles|clusterRoles)");
  private static final Pattern TARGETS =
      Pattern.compile(
          "request\\.|serviceAccountName|serviceAccountNamespace|element|elementIndex|@|images|image\\.|([a-z_0-9]+\\()[^{}]");

  private static final String ELEMENT = "element";

  @Override
  public Hazard hazard() {
    return new Hazard(
        "PS050",
        LintSeverity.ERROR,
        AffectedVersions.ALL,
        "Unknown variable",
        """
        A variable of a rule is a part of the request (`request`, `images`, `serviceAccountName`), of a `foreach` \
        (`element`), a `target` of a mutation of existing objects, an entry of the rule's `context`, or a function. \
        Kyverno rejects a policy with any other variable, usually a misspelt one, and one with `element` outside of \
        `foreach`. What only requests have is PS008.\
        """,
        "Correct the name, or define it in the rule's context.");
  }

  @Override
  public void judge(LintedPolicy policy, PolicySet all, LintFindingSink found) {
    for (var rule : LegacyPolicy.rulesOf(policy)) {
      var background =
          rule.policy().background()
              || rule.node()
                  .at("mutate", "mutateExistingOnPolicyUpdate")
                  .filter(node -> node.is(true))
                  .isPresent();
      var targets = rule.node().has("mutate", "targets");
      var defined = new HashSet<>(defined(rule.node()));
      rule.node().fields().stream()
          .flatMap(UnknownVariable::judged)
          .flatMap(Variables::in)
          .filter(variable -> !isKnown(variable.query(), background, targets, defined))
          .filter(variable -> !(background && USER.matcher(variable.query()).find()))
          .forEach(variable ->
              found.at(
                  variable.node(),
                  rule.label()
                      + " has the unknown variable {{ "
                      + shown(variable.query())
                      + " }}; Kyverno rejects it"));
      if (targets) {
        beforeTargets(rule, background, found);
      }
      outsideOfForeach(rule, found);
    }
  }

  /// Returns the nodes to check in a field of a rule, without the conditions of attestations, which
  /// can use every field of the attestation.
  private static Stream<Node> judged(Node field) {
    return field.name().equals("verifyImages")
        ? field.items().stream()
            .flatMap(entry -> entry.fields().stream())
            .flatMap(part ->
                part.name().equals("attestations")
                    ? part.items().stream()
                        .flatMap(item -> item.fields().stream())
                        .filter(it -> !it.name().equals("conditions"))
                    : Stream.of(part))
        : Stream.of(field);
  }

  private static boolean isKnown(
      String query, boolean background, boolean targets, Set<String> defined) {
    var plain = query.replace("\"", "");
    // A shortcut: most variables begin with `request.`, which each pattern matches.
    if (plain.startsWith("request.")) {
      return true;
    }
    var allowed =
        targets ? (background ? BACKGROUND : TARGETS) : background ? BACKGROUND : REQUESTS;
    return allowed.matcher(plain).find()
        || (targets && TARGET.matcher(plain).find())
        || defined.stream().anyMatch(pattern -> Glob.matches(pattern, plain));
  }

  /// Returns patterns for the variables that a rule, its `foreach` and its targets define. Each is
  /// valid in the whole rule, as in Kyverno.
  private static List<String> defined(Node rule) {
    return Stream.of(
            Stream.of(rule),
            rule.items("validate", "foreach").stream(),
            rule.items("mutate", "foreach").stream(),
            rule.items("mutate", "targets").stream(),
            rule.items("generate", "foreach").stream())
        .flatMap(it -> it)
        .flatMap(node -> node.items("context").stream())
        .flatMap(UnknownVariable::patterns)
        .toList()
        .stream()
        .collect(
            Collectors.collectingAndThen(
                Collectors.toList(),
                names -> {
                  var every = new ArrayList<String>(names);
                  rule.items("verifyImages").stream()
                      .filter(entry -> entry.has("validate"))
                      .flatMap(entry -> entry.items("attestations").stream())
                      .flatMap(attestation -> attestation.text("name").stream())
                      .forEach(name -> every.add(name + "*"));
                  return every;
                }));
  }

  private static Stream<String> patterns(Node entry) {
    var name = entry.text("name").orElse("");
    return entry.has("configMap")
        ? Stream.of(name + ".data", name + ".metadata", name + ".data.*", name + ".metadata.*")
        : Stream.of(name + "*");
  }

  /// Reports uses of `target` where Kyverno selects the targets, and no target exists yet.
  private static void beforeTargets(LegacyRule rule, boolean background, LintFindingSink found) {
    var defined =
        rule.node().items("context").stream()
            .flatMap(UnknownVariable::patterns)
            .collect(Collectors.toSet());
    Stream.concat(
            Stream.of("context", "preconditions").flatMap(name -> rule.node().at(name).stream()),
            rule.node().items("mutate", "targets").stream()
                .flatMap(target ->
                    Stream.of("apiVersion", "kind", "namespace", "name", "uid")
                        .flatMap(name -> target.at(name).stream())))
        .flatMap(Variables::in)
        .filter(variable -> TARGET.matcher(variable.query()).find())
        .filter(variable -> !isKnown(variable.query(), background, false, defined))
        .forEach(variable ->
            found.at(
                variable.node(),
                rule.label() + " uses a target before there is one; Kyverno rejects it",
                "Move it into the context or preconditions of the target."));
  }

  private static void outsideOfForeach(LegacyRule rule, LintFindingSink found) {
    rule.node().selfAndDescendants().stream()
        .filter(node -> node.name().contains(ELEMENT) || node.isTextWith(ELEMENT))
        .flatMap(Variables::of)
        .filter(variable -> variable.query().startsWith(ELEMENT))
        .filter(variable -> !variable.node().path().contains(".foreach["))
        .forEach(variable ->
            found.at(
                variable.node(),
                rule.label() + " uses element outside of foreach; Kyverno rejects it",
                "Move it into a foreach."));
  }

  private static String shown(String query) {
    return query.length() <= 60 ? query : query.substring(0, 60) + "…";
  }
}

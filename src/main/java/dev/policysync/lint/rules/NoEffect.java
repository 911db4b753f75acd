package dev.policysync.lint.rules;

import static dev.policysync.lint.LintSeverity.ERROR;

import dev.policysync.lint.LintFindingSink;
import dev.policysync.lint.LintedPolicy;
import dev.policysync.lint.Node;
import dev.policysync.lint.Rule;
import dev.policysync.policy.PolicyKind;
import dev.policysync.policy.kyverno.Autogen;
import dev.policysync.policy.kyverno.Glob;
import dev.policysync.policy.kyverno.KindName;
import dev.policysync.policy.kyverno.ResourceFilter;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Rules about parts of a policy that Kyverno accepts and that never have an effect.
final class NoEffect {
  private NoEffect() {}

  static List<Rule> rules() {
    return List.of(WITHOUT_EFFECT, EXCLUDES_NOTHING, NO_KEY);
  }

  private static final Rule WITHOUT_EFFECT =
      Rule.warning(
          "PS059",
          "Part of a policy without effect",
          """
          Kyverno accepts the policy, and a part of it never does what it says: a policy without mutations, \
          generations or validations; a mutation whose `patchType` does not fit its patch; an attestor or an \
          attestation that is not defined; a condition whose key is a text and not a variable (`request.operation` \
          without `{{ }}`); `request` in a cleanup policy, which has a `target` instead; `verifyImages` for kinds \
          without images; a namespace that cannot exist; an exception that matches none of the kinds of its rule, or \
          references a kind of policy that it cannot exempt from.\
          """,
          "Complete, correct or remove the part.",
          NoEffect::judge);

  private static void judge(LintedPolicy policy, LintFindingSink found) {
    judgeParts(policy, found);
    judgeMutations(policy, found);
    judgeAttestors(policy, found);
    judgeConditions(policy, found);
    judgeNamespaces(policy, found);
    judgeException(policy, found);
    LegacyRule.of(policy).forEach(rule -> judgeImages(rule, found));
  }

  private static void judgeParts(LintedPolicy policy, LintFindingSink found) {
    if (!policy.isCelOfKyverno()) {
      return;
    }
    var spec = policy.spec();
    var parts =
        switch (policy.type()) {
          case VALIDATING -> List.of("validations", "auditAnnotations");
          case IMAGE_VALIDATING -> List.of("validations");
          case MUTATING -> List.of("mutations");
          case GENERATING -> List.of("generate");
          case RULES,
              CLEANUP,
              DELETING,
              VALIDATING_ADMISSION,
              MUTATING_ADMISSION,
              VALIDATING_BINDING,
              MUTATING_BINDING,
              RULE_EXCEPTION,
              CEL_POLICY_EXCEPTION,
              CONTEXT_ENTRY ->
              List.<String>of();
        };
    if (!parts.isEmpty() && parts.stream().allMatch(part -> spec.items(part).isEmpty())) {
      found.at(
          spec.atOrSelf(parts.getFirst()),
          "the policy has no " + parts.getFirst() + ", so it does nothing",
          "Add " + parts.getFirst() + ", or remove the policy.");
    }
  }

  private static void judgeMutations(LintedPolicy policy, LintFindingSink found) {
    if (policy.type() != PolicyKind.Type.MUTATING) {
      return;
    }
    for (var mutation : policy.spec().items("mutations")) {
      var field =
          switch (mutation.text("patchType")) {
            case "JSONPatch" -> "jsonPatch";
            case "ApplyConfiguration" -> "applyConfiguration";
            default -> "";
          };
      if (field.isEmpty() ? mutation.has("patchType") : !mutation.has(field)) {
        found.at(
            mutation.atOrSelf("patchType"),
            field.isEmpty()
                ? "the patchType is none of JSONPatch and ApplyConfiguration, so nothing is mutated"
                : "the mutation has no " + field + ", so nothing is mutated",
            "Set patchType to JSONPatch beside jsonPatch, or to ApplyConfiguration beside"
                + " applyConfiguration.");
      }
    }
  }

  private static final Pattern ATTESTOR =
      Pattern.compile(
          "(?<![.\\w])(attestors|attestations)(?:\\.\\??(\\w+)|\\[['\"]([^'\"]+)['\"]\\])");

  private static void judgeAttestors(LintedPolicy policy, LintFindingSink found) {
    if (policy.type() != PolicyKind.Type.IMAGE_VALIDATING) {
      return;
    }
    CelRules.expressions(policy)
        .forEach(node -> {
          var matcher = ATTESTOR.matcher(node.text());
          while (matcher.find()) {
            var list = matcher.group(1);
            var name = matcher.group(2) == null ? matcher.group(3) : matcher.group(2);
            if (policy.spec().all(list + "[].name").noneMatch(it -> it.isText(name))) {
              found.at(
                  node,
                  matcher.start(),
                  "spec." + list + " has no " + name + ", so no image can be verified");
            }
          }
        });
  }

  private static final Pattern PATH =
      Pattern.compile(
          "(request|element|target|images)\\.[\\w.\\[\\]|*?@'\" ]+|serviceAccountName(space)?");

  private static void judgeConditions(LintedPolicy policy, LintFindingSink found) {
    for (var rule : LegacyRule.of(policy)) {
      RuleParts.allConditions(rule.node()).forEach(condition -> judgeKey(condition, found));
    }
    if (policy.type() == PolicyKind.Type.CLEANUP) {
      RuleParts.conditions(policy.spec().atOrSelf("conditions"))
          .forEach(condition -> judgeKey(condition, found));
      policy
          .spec()
          .all("conditions", "context")
          .flatMap(Variables::in)
          .filter(variable -> variable.query().startsWith("request."))
          .forEach(variable ->
              found.at(
                  variable.node(),
                  "a cleanup policy has no request, so this is never true",
                  "Use target instead of request.object."));
    }
  }

  private static void judgeKey(Node condition, LintFindingSink found) {
    condition
        .at("key")
        .filter(key -> PATH.matcher(key.text()).matches())
        .ifPresent(key ->
            found.at(
                key,
                "the key is a text and no variable, so the condition always has the same result",
                "Write \"{{ " + key.text() + " }}\"."));
  }

  private static final Pattern NAMESPACE =
      Pattern.compile("[-a-z0-9*?]*|.*\\{\\{.*", Pattern.DOTALL);

  private static void judgeNamespaces(LintedPolicy policy, LintFindingSink found) {
    var holders =
        policy.hasRules()
            ? policy.spec().all("rules[].match", "rules[].exclude")
            : policy.spec().all("match", "exclude");
    LegacyRule.blocks(holders, _ -> true)
        .flatMap(block -> block.all("resources.namespaces[]"))
        .filter(node -> node.isText() && !NAMESPACE.matcher(node.text()).matches())
        .forEach(node ->
            found.at(
                node,
                "no namespace can have this name, so nothing matches",
                "Names of namespaces have lower-case letters, digits and - only."));
  }

  private static void judgeImages(LegacyRule rule, LintFindingSink found) {
    var kinds = rule.kinds();
    var entries = rule.node().items("verifyImages");
    if (!entries.isEmpty()
        && !kinds.isEmpty()
        && !rule.node().has("imageExtractors")
        && kinds.stream()
            .allMatch(kind ->
                kind.mayBeBuiltIn()
                    && !Images.runs(kind)
                    && ApiResources.resourceOfKind(kind.kind()).isPresent())) {
      found.at(
          entries.getFirst(),
          rule.label() + " verifies images of kinds that have none",
          "Match Pods or their controllers, or set imageExtractors.");
    }
  }

  private static void judgeException(LintedPolicy policy, LintFindingSink found) {
    if (policy.type() == PolicyKind.Type.CEL_POLICY_EXCEPTION) {
      policy
          .spec()
          .all("policyRefs[].kind")
          .filter(kind ->
              PolicyKind.of(policy.kind().group(), kind.text())
                  .filter(known -> known.role() == PolicyKind.Role.POLICY)
                  .isEmpty())
          .forEach(kind ->
              found.at(
                  kind,
                  "an exception of policies.kyverno.io cannot exempt from this kind",
                  "Reference a policy of policies.kyverno.io; for a ClusterPolicy or Policy use a"
                      + " PolicyException of kyverno.io."));
    } else if (policy.type() == PolicyKind.Type.RULE_EXCEPTION) {
      policy.spec().items("exceptions").forEach(exception -> judge(policy, exception, found));
    }
  }

  /// Reports an exception whose kinds are none of those of its rules.
  private static void judge(LintedPolicy exception, Node part, LintFindingSink found) {
    var exempted =
        ResourceFilter.evaluated(exception.spec().mapping().mapping("match")).stream()
            .flatMap(filter -> filter.kinds().stream())
            .map(KindName::kind)
            .collect(Collectors.toSet());
    var name = part.text("policyName");
    if (name.isEmpty() || Glob.isPattern(name)) {
      return;
    }
    var policy = Names.legacyPolicy(name).flatMap(found.all()::find);
    if (exempted.isEmpty() || exempted.stream().anyMatch(Glob::isPattern) || policy.isEmpty()) {
      return;
    }
    var names = part.texts("ruleNames");
    var rules =
        LegacyRule.of(policy.get()).stream()
            .filter(rule ->
                names.stream()
                    .anyMatch(written -> Names.isRuleName(written, rule.node().text("name"))))
            .toList();
    var matched = rules.stream().flatMap(rule -> kinds(policy.get(), rule).stream()).toList();
    if (!matched.isEmpty()
        && matched.stream().noneMatch(Glob::isPattern)
        && exempted.stream().noneMatch(matched::contains)) {
      found.at(
          exception.spec().atOrSelf("match"),
          "the exception is for "
              + exempted.stream().sorted().collect(Collectors.joining(", "))
              + ", and its rules match "
              + matched.stream().distinct().sorted().collect(Collectors.joining(", "))
              + ", so it exempts nothing",
          "Match the kinds of the rule.");
    }
  }

  /// Returns the kinds that a rule matches, with those of the rules that Kyverno generates.
  private static Set<String> kinds(LintedPolicy policy, LegacyRule rule) {
    var kinds = new HashSet<String>();
    rule.kinds().forEach(kind -> kinds.add(kind.kind()));
    if (Autogen.appliesTo(policy.root().mapping(), rule.node().mapping())) {
      kinds.addAll(Autogen.controllers(policy.root().mapping()));
    }
    return kinds;
  }

  private static final Rule EXCLUDES_NOTHING =
      Rule.warning(
          "PS060",
          "Exclude without effect",
          """
          An `exclude` without conditions excludes nothing: `any: []`, an empty `resources` or an empty list such as \
          `namespaces: []` (Kyverno 1.19; kyverno#13772). Where no block is left, or where `match` has `resources` \
          and `exclude` a block of `any` beside it, Kyverno compares the two as if `exclude` covered everything and \
          rejects the policy (\\"Rule is matching an empty set\\"), an error.\
          """,
          "Complete the exclude, or remove it.",
          LegacyRule.each(NoEffect::judgeExclude));

  private static void judgeExclude(LegacyRule rule, LintFindingSink found) {
    var exclude = rule.node().at("exclude");
    if (exclude.isEmpty()) {
      return;
    }
    var node = exclude.get();
    if (MatchConflict.exists(rule.node().mapping().mapping("match"), node.mapping())) {
      found.at(
          node,
          ERROR,
          rule.label()
              + " has an exclude that Kyverno reads as covering everything that match has, and"
              + " rejects",
          "Name in exclude.any[] what to exclude beside match.any[], or remove the exclude.");
      return;
    }
    emptyBlocks(node).forEach(block -> found.at(block, rule.label() + " excludes nothing by this"));
  }

  private static List<Node> emptyBlocks(Node exclude) {
    var empty = new ArrayList<Node>();
    for (var list : List.of("any", "all")) {
      exclude.at(list).filter(node -> node.items().isEmpty()).ifPresent(empty::add);
    }
    ResourceFilter.of(exclude.mapping()).stream()
        .filter(filter -> filter.isEmpty() && !filter.isEmptyListOfUsers())
        .flatMap(filter -> exclude.at(filter.path()).stream())
        .forEach(empty::add);
    return empty;
  }

  private static final Rule NO_KEY =
      Rule.warning(
          "PS061",
          "Key or certificate that is none",
          """
          A public key, a certificate or a certificate chain of an attestor is not PEM: the lines \
          `-----BEGIN …-----` and `-----END …-----` are missing, or what stands between them is not base64. Kyverno \
          accepts the policy, and no signature is ever valid.\
          """,
          "Insert the PEM text, e.g. the content of cosign.pub, as a block with |-.",
          NoEffect::judgeKeys);

  private static final List<String> PEM_OF_RULES =
      List.of("keys.publicKeys", "certificates.cert", "certificates.certChain", "keyless.roots");
  private static final List<String> PEM_OF_CEL =
      List.of(
          "spec.attestors[].cosign.key.data",
          "spec.attestors[].cosign.certificate.cert.value",
          "spec.attestors[].cosign.certificate.certChain.value",
          "spec.attestors[].notary.certs.value");
  private static final Pattern PEM =
      Pattern.compile("-----BEGIN ([A-Z0-9 ]+)-----(.*?)-----END \\1-----", Pattern.DOTALL);

  private static void judgeKeys(LintedPolicy policy, LintFindingSink found) {
    var ofRules =
        LegacyRule.of(policy).stream()
            .flatMap(rule ->
                rule.node()
                    .all(
                        "verifyImages[].attestors[].entries[]",
                        "verifyImages[].attestations[].attestors[].entries[]"))
            .flatMap(entry -> entry.all(PEM_OF_RULES));
    Stream.concat(ofRules, policy.root().all(PEM_OF_CEL))
        .filter(Node::isText)
        .filter(node -> !isReference(node.text()) && !isPem(node.text()))
        .forEach(node -> found.at(node, "this is not PEM, so no signature is ever valid"));
  }

  /// Returns whether a text names a key: a variable, a Secret, or a key of a KMS.
  private static boolean isReference(String text) {
    return text.isBlank() || text.contains("{{") || text.contains("://");
  }

  private static boolean isPem(String text) {
    var blocks = PEM.matcher(text).results().toList();
    return !blocks.isEmpty()
        && blocks.stream().allMatch(block -> isDer(block.group(2).replaceAll("\\s", "")));
  }

  /// Returns whether the text is base64 of an ASN.1 sequence. Examples shorten keys with dots.
  private static boolean isDer(String text) {
    try {
      var bytes = Base64.getDecoder().decode(text);
      return bytes.length > 2 && bytes[0] == 0x30;
    } catch (IllegalArgumentException _) {
      return false;
    }
  }
}

package dev.policysync.lint.rules;

import static dev.policysync.lint.LintSeverity.WARNING;

import dev.policysync.lint.LintFindingSink;
import dev.policysync.lint.LintedPolicy;
import dev.policysync.lint.Node;
import dev.policysync.lint.Rule;
import dev.policysync.lint.Rule.Trait;
import dev.policysync.lint.expression.Cel;
import dev.policysync.lint.expression.CelEnvironment;
import dev.policysync.lint.expression.CelScope;
import dev.policysync.policy.PolicyKind;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Rules about CEL expressions. All of them parse CEL.
final class CelRules {
  private CelRules() {}

  static List<Rule> rules() {
    return List.of(SYNTAX, MATCH_CONDITION, UNDEFINED_VARIABLE, UNKNOWN_NAME, TYPE);
  }

  private static final Set<String> FIELDS =
      Set.of("expression", "messageExpression", "valueExpression");

  /// Returns every expression of a policy, except the match conditions of a ClusterPolicy's
  /// webhook.
  static Stream<Node> expressions(LintedPolicy policy) {
    if (policy.hasRules()) {
      return policy.spec().items("rules").stream()
          .flatMap(rule -> rule.all("validate.cel", "celPreconditions"))
          .flatMap(CelRules::expressionsBelow);
    }
    return policy.kind().usesCel() ? expressionsBelow(policy.spec()) : Stream.empty();
  }

  private static Stream<Node> expressionsBelow(Node node) {
    // A template is not part of the policy itself.
    return node.topmost(it -> FIELDS.contains(it.name()) && it.isText(), Set.of("template"));
  }

  private static Stream<Node> webhookConditions(LintedPolicy policy) {
    return policy.spec().all("webhookConfiguration.matchConditions[].expression");
  }

  private static final Rule SYNTAX =
      Rule.error(
          "PS020",
          "CEL expression does not parse",
          """
          An expression is not valid CEL, e.g. with an unclosed bracket or quote, trailing tokens, or a missing \
          operand. The API server rejects such a ValidatingAdmissionPolicy; a Kyverno policy with it never becomes \
          ready and enforces nothing.

          All expressions are parsed: validations and their messages, match conditions, variables, audit annotations, \
          mutations, `generate`, deletion conditions, images and attestors, and `validate.cel` and `celPreconditions` \
          of a ClusterPolicy. Names are PS054, types PS055. Only `lint` and a sync with `LINT=block` check this; other syncs leave it to the API server.\
          """,
          "Fix the expression at the marked position.",
          CelRules::judgeSyntax,
          Trait.READS_CEL);

  private static void judgeSyntax(LintedPolicy policy, LintFindingSink found) {
    expressions(policy)
        .forEach(node -> {
          if (Cel.read(node.text()) instanceof Cel.Invalid(int index, String reason)) {
            found.at(node, index, "the CEL expression does not parse: " + reason);
          }
        });
  }

  private static final Rule MATCH_CONDITION =
      Rule.error(
          "PS033",
          "Invalid or constant match condition",
          """
          The match conditions of a policy select the requests that it evaluates: \
          `webhookConfiguration.matchConditions` of a ClusterPolicy, `matchConditions` of CEL policies and exceptions, \
          and `conditions` of a DeletingPolicy. Kyverno rejects a policy with an invalid webhook condition. A \
          condition that is always false silently disables the policy; one that is always true has no effect, and a \
          DeletingPolicy with it deletes everything that it matches. Both are warnings.

          Detected from the expression alone: `false`, `1 == 2`, `object.x && false`. Only `lint` and a sync with \
          `LINT=block` check this. For other invalid expressions see PS020.\
          """,
          "Fix or remove the condition.",
          CelRules::judgeConditions,
          Trait.READS_CEL);

  private static void judgeConditions(LintedPolicy policy, LintFindingSink found) {
    webhookConditions(policy).forEach(condition -> judgeCondition(condition, true, found));
    if (policy.kind().usesCel()) {
      policy
          .spec()
          .all(
              "matchConditions[].expression",
              "targetMatchConditions[].expression",
              "conditions[].expression")
          .forEach(condition -> judgeCondition(condition, false, found));
    }
  }

  private static void judgeCondition(Node condition, boolean webhook, LintFindingSink found) {
    if (!condition.isText()) {
      return;
    }
    switch (Cel.read(condition.text())) {
      case Cel.Invalid(int index, String reason) -> {
        if (webhook) {
          found.at(condition, index, "Kyverno cannot parse this condition: " + reason);
        }
      }
      case Cel.Parsed sound ->
          sound
              .always()
              .ifPresent(value ->
                  found.at(
                      condition,
                      WARNING,
                      value
                          ? "this condition is always true"
                          : "this condition is always false, so the policy never applies"));
    }
  }

  private static final Rule UNDEFINED_VARIABLE =
      Rule.error(
          "PS038",
          "Undefined CEL variable",
          """
          `variables.name` refers to an expression in the policy's `variables` (in `validate.cel` for a \
          ClusterPolicy); within these, to an earlier one. If it is undefined, the expression does not compile: the API server rejects a \
          ValidatingAdmissionPolicy or MutatingAdmissionPolicy, and a Kyverno policy does not become ready. Usually \
          the variable was renamed. Only `lint` and a sync with `LINT=block` check this.\
          """,
          "Define the variable, or correct its name.",
          CelRules::judgeVariables,
          Trait.READS_CEL);

  /// The kinds that compile match conditions before their variables. The others do so after them.
  private static final Set<PolicyKind.Type> CONDITIONS_FIRST =
      Set.of(
          PolicyKind.Type.VALIDATING,
          PolicyKind.Type.IMAGE_VALIDATING,
          PolicyKind.Type.GENERATING,
          PolicyKind.Type.VALIDATING_ADMISSION,
          PolicyKind.Type.MUTATING_ADMISSION);

  private static Set<String> names(Node node, Cel.NameKind kind) {
    return Cel.read(node.text()) instanceof Cel.Parsed sound ? sound.names(kind) : Set.of();
  }

  private static void judgeVariables(LintedPolicy policy, LintFindingSink found) {
    if (CONDITIONS_FIRST.contains(policy.type())) {
      policy
          .spec()
          .all("matchConditions[].expression", "images[].expression")
          .forEach(node ->
              names(node, Cel.NameKind.VARIABLE).stream()
                  .sorted()
                  .findFirst()
                  .ifPresent(name ->
                      found.at(
                          node,
                          Math.max(0, node.text().indexOf("variables." + name)),
                          "a match condition cannot use variables",
                          "Repeat the expression of the variable in the condition.")));
    }
    if (policy.hasRules()) {
      policy.spec().all("rules[].validate.cel").forEach(cel -> judgeVariables(cel, false, found));
    } else if (policy.kind().usesCel() && policy.type() != PolicyKind.Type.CEL_POLICY_EXCEPTION) {
      judgeVariables(policy.spec(), CONDITIONS_FIRST.contains(policy.type()), found);
    }
  }

  /// Checks the expressions of a policy. A variable can use the variables defined before it.
  ///
  /// @param early whether match conditions are judged already
  private static void judgeVariables(Node cel, boolean early, LintFindingSink found) {
    Set<String> defined = new HashSet<>();
    for (var variable : cel.items("variables")) {
      variable.at("expression").ifPresent(text -> judgeVariables(text, defined, found));
      defined.add(variable.text("name"));
    }
    expressionsBelow(cel)
        .filter(text -> !text.path().contains(".variables["))
        .filter(text -> !early || !text.path().startsWith("spec.matchConditions["))
        .forEach(text -> judgeVariables(text, defined, found));
  }

  private static void judgeVariables(Node text, Set<String> defined, LintFindingSink found) {
    if (Cel.read(text.text()) instanceof Cel.Parsed sound) {
      sound.names(Cel.NameKind.VARIABLE).stream()
          .filter(name -> !defined.contains(name))
          .sorted()
          .findFirst()
          .ifPresent(name ->
              found.at(
                  text,
                  text.text().indexOf("variables." + name),
                  "variable " + name + " is not defined"));
    }
  }

  /// Source: [CelEnvironment].
  private static final Rule UNKNOWN_NAME =
      Rule.error(
          "PS054",
          "Unknown CEL function or variable",
          """
          An expression calls a function that neither CEL nor Kubernetes nor Kyverno has, or uses a name that is no \
          variable or field of the request, usually a misspelt one: `startWith`, `objct`, `request.opertion`. Kyverno compiles the expressions of its CEL policies \
          when they are created and rejects the policy; the API server does so with admission policies. An expression \
          of a ClusterPolicy's `validate.cel` fails at each request. Each kind has functions and variables of its own: \
          `images` is only for ImageValidatingPolicies, `generator` for GeneratingPolicies, `params` for admission \
          policies with a `paramKind`, and none of Kyverno's are for admission policies. Names are checked against \
          Kyverno 1.19 and Kubernetes 1.36. Only `lint` and a sync with `LINT=block` check this.\
          """,
          "Use a function, variable or field that the kind of policy has.",
          CelRules::judgeNames,
          Trait.READS_CEL);

  private static final Set<String> FUNCTIONS =
      words(
          """
          Apply Client Get GetMetadata List Post ToGVR abs add all allowed apply
          asApproximateFloat asInteger bind bitAnd bitNot bitOr bitShiftLeft bitShiftRight bitXor
          bool byte bytes ceil charAt check cidr client compareTo compress contains containsCIDR
          containsDigest containsIP date datetime decode decompress digest distinct dns1035Label
          dns1035LabelPrefix dns1123Label dns1123LabelPrefix dns1123Subdomain
          dns1123SubdomainPrefix double duration dyn encode endsWith equivalent error errored
          escapeKey exists existsOne exists_one extract extractAll extractPayload family
          fieldSelector filter find findAll first flatten floor format get getDate getDayOfMonth
          getDayOfWeek getDayOfYear getEscapedPath getExt getFullYear getHost getHostname getHours
          getImageData getMetadata getMilliseconds getMinutes getMonth getPort getQuery getScheme
          getSeconds greatest group has hasExt hasValue identifier image in indexOf int intersects
          ip isCIDR isCanonical isFinite isGlobalUnicast isGreaterThan isIP isImage isInf
          isInteger isLessThan isLinkLocalMulticast isLinkLocalUnicast isLoopback isNaN isQuantity
          isSemver isSorted isURL isUnspecified join labelSelector labelValue last lastIndexOf
          least list listObjToMap lowerAscii major map marshal masked matches max md5 min minor
          name named namespace none now of ofNonZeroValue optFlatMap optMap or orValue parse
          parseImageReference parseServiceAccount patch path payload post prefixLength
          qualifiedName quantity quote random range reason registry replace repository resource
          reverse round semver serviceAccount sha1 sha256 sign size slice sort sortBy split sqrt
          startsWith string sub subresource substring sum tag timestamp toCron toGVR transformList
          transformMap transformMapEntry trim trunc truncate type uint unmarshal unwrap unwrapOpt
          upperAscii uri url uuid validate value verifyAttestationSignatures verifyImageSignatures
          """);
  private static final Set<String> IDENTIFIERS =
      words(
          """
          JSONPatch Object attestations attestors authorizer base64 bool bytes cel data double dyn
          exceptions format generator globalContext google gzip hash http image images int ip json
          jsonpatch list lists map math namespaceObject null_type object oldObject optional params
          random ref regex request resource sets string strings target time transform type uint
          user variables x509 yaml
          """);

  /// The names that are variables in some environments. Other identifiers are types, or the first
  /// parts of the names of functions.
  private static final Set<String> VARIABLES =
      words(
          """
          attestations attestors authorizer exceptions generator globalContext http images
          namespaceObject object oldObject params ref request variables
          """);

  /// Macros, which are no functions of an environment.
  private static final Set<String> MACROS =
      words(
          """
          all bind exists exists_one existsOne filter getExt greatest has hasExt least map
          optFlatMap optMap sortBy transformList transformMap transformMapEntry escapeKey
          """);

  /// The fields of an admission request (`admissionregistration`'s `BuildRequestType`).
  private static final Set<String> OF_REQUEST =
      words(
          """
          kind resource subResource requestKind requestResource requestSubResource name namespace
          operation userInfo dryRun options uid object oldObject userInfo.username userInfo.uid
          userInfo.groups userInfo.extra
          """);

  private static final Pattern MESSAGE =
      Pattern.compile("\\.?(Object|JSONPatch|google|kubernetes)(\\..*)?");

  private static Set<String> words(String text) {
    return Set.of(text.strip().split("\\s+"));
  }

  private static void judgeNames(LintedPolicy policy, LintFindingSink found) {
    var environment = environment(policy);
    expressions(policy)
        .forEach(node ->
            judgeNames(
                node,
                node.path().startsWith("spec.matchImageReferences")
                    ? Optional.of(CelEnvironment.MATCH_IMAGE)
                    : environment,
                found));
    webhookConditions(policy)
        .forEach(node -> judgeNames(node, Optional.of(CelEnvironment.KUBERNETES), found));
    if (policy.kind().builtIn() && !policy.spec().has("paramKind")) {
      expressions(policy)
          .filter(node -> names(node, Cel.NameKind.IDENTIFIER).contains("params"))
          .forEach(node ->
              found.at(
                  node,
                  index(node, "params"),
                  "params is used without a paramKind",
                  "Set spec.paramKind to the kind of the parameters."));
    }
  }

  private static void judgeNames(
      Node node, Optional<CelEnvironment> environment, LintFindingSink found) {
    if (!(Cel.read(node.text()) instanceof Cel.Parsed sound)) {
      return;
    }
    unknown(
            sound.names(Cel.NameKind.FUNCTION),
            name ->
                environment
                    .map(known -> known.hasFunction(name) || MACROS.contains(name))
                    .orElse(FUNCTIONS.contains(name)))
        .forEach(name ->
            found.at(
                node,
                index(node, name),
                FUNCTIONS.contains(name)
                    ? "this kind of policy has no CEL function " + name
                    : "the CEL function " + name + " does not exist"));
    unknown(
            sound.names(Cel.NameKind.IDENTIFIER),
            name ->
                IDENTIFIERS.contains(name)
                    && (environment.isEmpty()
                        || !VARIABLES.contains(name)
                        || environment.get().hasVariable(name)))
        .forEach(name ->
            found.at(
                node,
                index(node, name),
                IDENTIFIERS.contains(name)
                    ? "this kind of policy has no CEL variable " + name
                    : "the CEL variable " + name + " does not exist"));
    unknown(sound.names(Cel.NameKind.REQUEST_FIELD), OF_REQUEST::contains)
        .forEach(name ->
            found.at(
                node,
                index(node, name.substring(name.indexOf('.') + 1)),
                "a request has no field " + name));
    unknown(sound.names(Cel.NameKind.MESSAGE), name -> MESSAGE.matcher(name).matches())
        .forEach(
            name -> found.at(node, index(node, name), "the CEL type " + name + " does not exist"));
  }

  private static Stream<String> unknown(Set<String> names, Predicate<String> known) {
    return names.stream().filter(known.negate()).sorted();
  }

  private static int index(Node node, String name) {
    var matcher =
        Pattern.compile("(?<!\\w)" + Pattern.quote(name) + "(?!\\w)").matcher(node.text());
    return matcher.find() ? matcher.start() : 0;
  }

  /// Source: Kyverno 1.19, `compiler.CompileValidation`, `CompileMatchCondition`,
  /// `CompileGeneration`, `CompileAuditAnnotation`; CEL's standard definitions.
  private static final Rule TYPE =
      Rule.error(
              "PS055",
              "CEL expression of the wrong type",
              """
              A condition has to be of type bool, `messageExpression` and `valueExpression` of type string. A part of an \
              object alone, such as `object.spec.paused`, has no type that is known in advance. Operators take operands of \
              one type: `size(object.metadata.name) == "3"` compares an int with a string, and no string is null. A function takes \
              as many arguments as it has parameters, and a method is none (`quantity(x)`, not `x.quantity()`). A JSONPatch is a \
              list, durations, timestamps and regular expressions (RE2) have to be valid. Kyverno compiles the expressions \
              of its CEL policies when they are created and rejects the policy; so does the API server with admission policies. \
              Expressions are checked against the declarations of Kyverno 1.19 and Kubernetes 1.36 for each kind \
              ([decision 10](../decisions/0010-types-of-cel-without-cels-checker.md)), by `lint` and a sync with `LINT=block`.\
              """,
              "Compare or convert the value, e.g. with == true or string().",
              CelRules::judgeTypes,
              Trait.READS_CEL)
          .since("1.14");

  private static void judgeTypes(LintedPolicy policy, LintFindingSink found) {
    var kind = environment(policy);
    if (kind.isEmpty()) {
      return;
    }
    var scope = new CelScope(kind.get());
    var spec = policy.spec();
    for (var variable : spec.items("variables")) {
      variable.at("expression").ifPresent(node -> judge(node, scope, Set.of(), found));
      scope.define(variable.text("name"), variable.text("expression"));
    }
    expressions(policy)
        .filter(node -> !node.path().startsWith("spec.variables["))
        .forEach(node ->
            judge(
                node,
                node.path().startsWith("spec.matchImageReferences")
                    ? new CelScope(CelEnvironment.MATCH_IMAGE)
                    : scope,
                expected(node),
                found));
  }

  /// Returns the environment that compiles the expressions of a policy; empty for a ClusterPolicy,
  /// whose expressions are compiled at the first request, and for exceptions, which have the one of
  /// their policies.
  private static Optional<CelEnvironment> environment(LintedPolicy policy) {
    return switch (policy.type()) {
      case VALIDATING, IMAGE_VALIDATING, MUTATING, GENERATING, DELETING ->
          Optional.of(
              CelEnvironment.valueOf(
                  (policy.kind().namespaced() ? "NAMESPACED_" : "") + policy.type().name()));
      case VALIDATING_ADMISSION, MUTATING_ADMISSION -> Optional.of(CelEnvironment.KUBERNETES);
      case RULES,
          CLEANUP,
          VALIDATING_BINDING,
          MUTATING_BINDING,
          RULE_EXCEPTION,
          CEL_POLICY_EXCEPTION,
          CONTEXT_ENTRY ->
          Optional.empty();
    };
  }

  private static final Pattern CONDITION =
      Pattern.compile(
          "spec\\.(validations|matchConditions|targetMatchConditions|matchImageReferences|conditions|generate)\\[\\d+\\]\\.expression");

  /// Returns the types that an expression may have; empty for any type.
  private static Set<String> expected(Node node) {
    if (CONDITION.matcher(node.path()).matches()) {
      return Set.of("bool");
    }
    if (node.path().endsWith(".jsonPatch.expression")) {
      return Set.of("list");
    }
    if (node.path().endsWith(".applyConfiguration.expression")) {
      return Set.of("Object");
    }
    return switch (node.name()) {
      case "messageExpression" -> Set.of("string");
      case "valueExpression" -> Set.of("string", "null");
      default -> Set.of();
    };
  }

  private static void judge(
      Node node, CelScope scope, Set<String> expected, LintFindingSink found) {
    if (!node.isText()) {
      return;
    }
    var text = node.text();
    var checked = scope.check(text);
    checked.problems().stream()
        .limit(1)
        .forEach(problem ->
            found.at(node, text.offsetByCodePoints(0, problem.index()), problem.reason()));
    if (!checked.problems().isEmpty() || expected.isEmpty()) {
      return;
    }
    checked
        .type()
        .filter(type -> !expected.contains(type.replaceFirst("\\(.*", "")))
        .filter(type -> !type.equals("dyn") || !expected.contains("Object"))
        .ifPresent(type ->
            found.at(
                node,
                type.equals("dyn")
                    ? "a part of an object alone is not known to be of type "
                        + expected.stream().sorted().findFirst().orElseThrow()
                    : "the expression is of type "
                        + type
                        + ", not "
                        + expected.stream()
                            .sorted(Comparator.reverseOrder())
                            .findFirst()
                            .orElseThrow()));
  }
}

package dev.policysync.lint.rules;

import static java.util.stream.Collectors.joining;

import dev.policysync.lint.Hazard;
import dev.policysync.lint.LintFindingSink;
import dev.policysync.lint.LintSeverity;
import dev.policysync.lint.LintedPolicy;
import dev.policysync.lint.Node;
import dev.policysync.lint.PolicySet;
import dev.policysync.lint.Rule;
import dev.policysync.lint.expression.Cel;
import dev.policysync.lint.expression.CelMismatch;
import dev.policysync.lint.expression.CelType;
import dev.policysync.policy.kyverno.AffectedVersions;
import java.util.Set;
import java.util.stream.Stream;

/// Reports CEL expressions of the wrong type, as far as types are known without declarations.
///
/// Source: Kyverno 1.19, `compiler.CompileValidation`, `CompileMatchCondition`,
/// `CompileGeneration`, `CompileAuditAnnotation`; CEL's standard definitions.
final class CelTypesFit implements Rule {
  /// The fields whose expressions must be of type bool.
  private static final Set<String> CONDITIONS =
      Set.of(
          "validations",
          "matchConditions",
          "targetMatchConditions",
          "matchImageReferences",
          "conditions",
          "generate");

  @Override
  public Hazard hazard() {
    return new Hazard(
        "PS055",
        LintSeverity.ERROR,
        AffectedVersions.since("1.14"),
        "CEL expression of the wrong type",
        """
        A condition has to be of type bool, `messageExpression` and `valueExpression` of type string. A part of an \
        object alone, such as `object.spec.paused`, has no type that is known in advance. Operators take operands of \
        one type: `size(object.metadata.name) == "3"` compares an int with a string, and no string is null. Kyverno compiles the expressions \
        of its CEL policies when they are created and rejects the policy. Only what can be seen without types of \
        functions and variables is found, by `lint` and a sync with `LINT=block`.\
        """,
        "Compare or convert the value, e.g. with == true or string().");
  }

  @Override
  public boolean readsCel() {
    return true;
  }

  @Override
  public void judge(LintedPolicy policy, PolicySet all, LintFindingSink found) {
    if (!policy.kind().usesCel() || LegacyPolicy.of(policy).isPresent()) {
      return;
    }
    CelExpressions.of(policy).forEach(node -> judgeOperators(node, found));
    CONDITIONS.stream()
        .flatMap(field -> policy.spec().items(field).stream())
        .flatMap(item -> item.at("expression").stream())
        .forEach(node -> judgeResult(node, Set.of(CelType.BOOL), found));
    expressions(policy, "validations", "messageExpression")
        .forEach(node -> judgeResult(node, Set.of(CelType.STRING), found));
    expressions(policy, "auditAnnotations", "valueExpression")
        .forEach(node -> judgeResult(node, Set.of(CelType.STRING, CelType.NULL), found));
  }

  private static Stream<Node> expressions(LintedPolicy policy, String list, String field) {
    return policy.spec().items(list).stream().flatMap(item -> item.at(field).stream());
  }

  private static void judgeResult(Node node, Set<CelType> expected, LintFindingSink found) {
    if (!(Cel.read(node.text().orElse("true")) instanceof Cel.Parsed sound)
        || sound.type() == CelType.UNKNOWN
        || expected.contains(sound.type())) {
      return;
    }
    var wanted = expected.contains(CelType.BOOL) ? "bool" : "string";
    found.at(
        node,
        sound.type() == CelType.DYN
            ? "a part of an object alone is not known to be of type " + wanted
            : "the expression is of type " + sound.type().text() + ", not " + wanted);
  }

  private static void judgeOperators(Node node, LintFindingSink found) {
    var text = node.text().orElse("");
    if (Cel.read(text) instanceof Cel.Parsed sound) {
      sound
          .mismatches()
          .forEach(mismatch ->
              found.at(node, text.offsetByCodePoints(0, mismatch.index()), describe(mismatch)));
    }
  }

  private static String describe(CelMismatch mismatch) {
    return mismatch.operator()
        + " does not take "
        + mismatch.operands().stream().map(CelType::text).collect(joining(" and "));
  }
}

package dev.policysync.convert;

import dev.policysync.base.Value;
import dev.policysync.convert.Conversion.Successor;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.PolicyKind;
import dev.policysync.policy.feed.LocatedPolicy;
import dev.policysync.policy.kyverno.Glob;
import dev.policysync.policy.kyverno.ResourceFilter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Converts an exception from legacy policies into exceptions from their successors: one for each
/// policy, because a policy moves together with the exceptions that name it.
///
/// Source: Kyverno 1.19.1, `MatchesException` and `PolicyExceptionSpec.Contains`: names of rules
/// may have wildcards, names of policies may not; operations are ignored; a condition that cannot
/// be evaluated does not exempt. An exception of policies.kyverno.io exempts where all its
/// conditions hold.
final class ExceptionSuccessors {
  private static final Set<String> OF_SPEC =
      Set.of("background", "conditions", "exceptions", "match");
  private static final String KIND = PolicyKind.VALIDATING_POLICY.kind();

  private final LocatedPolicy exception;
  private final Value.Mapping spec;

  ExceptionSuccessors(LocatedPolicy exception) {
    this.exception = exception;
    this.spec = exception.content().mapping("spec");
  }

  static List<PolicyId> named(Value.Mapping exception) {
    return exception.mapping("spec").mappings("exceptions").stream()
        .flatMap(entry -> entry.text("policyName").stream())
        .map(name -> PolicyId.of(PolicyKind.CLUSTER_POLICY, name))
        .distinct()
        .toList();
  }

  /// Converts the exception.
  ///
  /// @param policies the conversions of the policies that the exception may name
  /// @throws Untranslatable if there is no exact translation
  List<Successor> successors(Map<PolicyId, Conversion> policies) {
    check();
    var successors = new ArrayList<Successor>();
    var named = named(exception.content());
    for (var id : named) {
      var policy = policies.get(id);
      if (policy == null || !policy.converted()) {
        throw Untranslatable.field(
            spec,
            "exceptions",
            policy == null
                ? "an exception that names a missing policy"
                : "an exception that names a policy without a successor",
            "write both by hand");
      }
      checkUpdates(policy.policy().content());
      of(policy, named.size() > 1).forEach(successors::add);
    }
    if (successors.isEmpty()) {
      throw Untranslatable.field(
          spec,
          "exceptions",
          "an exception that names no rule of its policies",
          "name rules that there are, or remove it");
    }
    return successors;
  }

  /// Refuses an exception from a `podSecurity` rule that enforces and allows existing violations:
  /// only for `podSecurity` does Kyverno ask whether the old object of an update was exempted.
  private void checkUpdates(Value.Mapping policy) {
    var settings = PolicySettings.of(policy.mapping("spec"));
    for (var rule : policy.mapping("spec").mappings("rules")) {
      if (rule.mapping("validate").field("podSecurity").isPresent()
          && settings.enforces(rule)
          && ExistingViolations.areAllowed(rule)) {
        throw Untranslatable.field(
            spec,
            "exceptions",
            "an exception from podSecurity with Enforce",
            "set allowExistingViolations: false in its policy, or write both by hand");
      }
    }
  }

  private void check() {
    Untranslatable.checkFields(
        spec, OF_SPEC, field -> field + " in an exception", "write the conditions in CEL");
    if (new Value.Bool(false).equals(spec.fields().get("background"))) {
      throw Untranslatable.field(
          spec, "background", "an exception without background scans", "its successor has scans");
    }
    for (var entry : spec.items("exceptions")) {
      if (!(entry instanceof Value.Mapping mapping)
          || mapping.text("policyName").filter(name -> name.matches("[^/*?]+")).isEmpty()) {
        throw Untranslatable.value(
            entry,
            "an exception that names anything but a ClusterPolicy",
            "Kyverno 1.19 may overlook exceptions from a NamespacedValidatingPolicy, and reads"
                + " wildcards in policyName literally; write it by hand");
      }
    }
  }

  /// Returns one successor for each set of rules that the exception exempts from under the same
  /// condition.
  private List<Successor> of(Conversion policy, boolean besideOthers) {
    var references = new LinkedHashMap<Cel, List<Value>>();
    for (var successor : policy.successors()) {
      exemptionCondition(policy, successor)
          .ifPresent(condition ->
              references
                  .computeIfAbsent(condition, _ -> new ArrayList<>())
                  .add(Value.Mapping.EMPTY.with("name", successor.name()).with("kind", KIND)));
    }
    var successors = new ArrayList<Successor>();
    references.forEach((condition, those) -> {
      var parts = new ArrayList<String>();
      if (besideOthers) {
        parts.add(policy.policy().id().name());
      }
      if (references.size() > 1) {
        parts.add(Integer.toString(successors.size() + 1));
      }
      successors.add(successor(parts, those, condition));
    });
    return successors;
  }

  private Successor successor(List<String> nameParts, List<Value> references, Cel condition) {
    var conditions = List.<Value>of(SuccessorSpec.namedExpression("exempted", condition.text()));
    return new Successor(
        "",
        List.of(),
        SuccessorManifest.of(
            exception,
            "",
            nameParts,
            PolicyKind.CEL_EXCEPTION,
            Value.Mapping.EMPTY
                .with("policyRefs", new Value.Sequence(references))
                .with("matchConditions", new Value.Sequence(conditions))));
  }

  /// Returns the condition under which the exception exempts from a successor; empty if it never
  /// does.
  private Optional<Cel> exemptionCondition(Conversion policy, Successor successor) {
    var names = exemptedRuleNames(policy.policy().id());
    var all = successor.scopes();
    var exempted =
        all.stream()
            .filter(scope ->
                names.stream()
                    .anyMatch(name -> Glob.matches(name, scope.ruleName(successor.rule()))))
            .toList();
    if (exempted.isEmpty()) {
      return Optional.empty();
    }
    var deletes = successor.manifest().mapping("spec").mapping("matchConstraints").toString();
    var object = deletes.contains("DELETE") ? Place.JUDGED : Place.OBJECT;
    var ofScopes =
        exempted.size() == all.size()
            ? Cel.TRUE
            : Cel.any(exempted.stream().map(scope -> scope.isOf(object, all)).toList());
    var matched = matched(object);
    var holds =
        Conditions.of(spec, "conditions", Roots.ofRequest(object), new Bindings.Names()).holds();
    return Optional.of(SuccessorSpec.bindJudged(Cel.all(List.of(ofScopes, matched, holds))));
  }

  private Cel matched(Place object) {
    var match = spec.mapping("match");
    var rule = Value.Mapping.EMPTY.with("match", match);
    for (var block : ResourceFilter.of(match)) {
      checkBlock(block);
    }
    return MatchTranslation.translate(rule, RuleScope.WRITTEN).matches(object);
  }

  private static void checkBlock(ResourceFilter block) {
    var resources = block.block().mapping("resources");
    if (block.asksFor("operations")) {
      throw Untranslatable.field(
          resources,
          "operations",
          "operations in an exception",
          "Kyverno ignores them there; remove them");
    }
    if (block.asksFor("namespaceSelector")) {
      throw Untranslatable.field(
          resources,
          "namespaceSelector",
          "namespaceSelector in an exception",
          "Kyverno heeds it only where a policy has one, too; name the namespaces");
    }
    if (block.asksWho()) {
      throw Untranslatable.value(
          block.block(),
          "subjects or roles in an exception",
          "background scans exempt whoever it is about; write the conditions in CEL");
    }
  }

  private List<String> exemptedRuleNames(PolicyId policy) {
    return spec.mappings("exceptions").stream()
        .filter(entry -> entry.text("policyName").equals(Optional.of(policy.name())))
        .flatMap(entry -> StringItems.of(entry, "ruleNames").stream())
        .toList();
  }
}

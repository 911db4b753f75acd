package dev.policysync.convert;

import dev.policysync.base.Value;
import dev.policysync.convert.Conversion.Successor;
import dev.policysync.policy.PolicyKind;
import dev.policysync.policy.feed.LocatedPolicy;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/// Makes the policies that take the place of a rule: their names, their origin, and the action of
/// each in its namespaces.
final class RuleSuccessors {
  private final LocatedPolicy policy;
  private final Value.Mapping rule;
  private final PolicySettings settings;

  RuleSuccessors(LocatedPolicy policy, Value.Mapping rule, PolicySettings settings) {
    this.policy = policy;
    this.rule = rule;
    this.settings = settings;
  }

  /// Returns successors that each cover all scopes of the rule.
  List<Successor> createForAll(SuccessorSpec spec) {
    return create(RuleScope.of(policy.content(), rule), spec);
  }

  /// Returns successors for each scope of the rule by itself.
  List<Successor> createForEach(Function<RuleScope, SuccessorSpec> spec) {
    return RuleScope.of(policy.content(), rule).stream()
        .flatMap(scope -> create(List.of(scope), spec.apply(scope)).stream())
        .toList();
  }

  private List<Successor> create(List<RuleScope> scopes, SuccessorSpec spec) {
    if (rule.mapping("validate").field("cel").isPresent() || !ConditionalRule.appliesTo(rule)) {
      settings.checkErrors(spec.hasSeveralConditions());
    }
    var object = spec.judgesDeletions() ? Place.ANY_OBJECT : Place.OBJECT;
    var namespace = object.field("metadata") + ".?namespace.orValue(\"\")";
    return settings.actions(rule, namespace).stream()
        .map(part -> successor(scopes, part, namespace, spec))
        .toList();
  }

  /// Returns the namespace of a namespaced policy, which judges only the objects in it.
  private Optional<String> namespaceOfPolicy() {
    if (!policy.id().kind().namespaced()) {
      return Optional.empty();
    }
    var named =
        policy.content().mapping("metadata").text("namespace").filter(name -> !name.isEmpty());
    if (named.isEmpty()) {
      throw Untranslatable.field(
          policy.content(), "metadata", "a Policy without a namespace", "name its namespace");
    }
    return named;
  }

  private Successor successor(
      List<RuleScope> scopes, FailureActions.Part part, String namespace, SuccessorSpec spec) {
    var ruleName = rule.text("name").orElse("");
    var within =
        namespaceOfPolicy()
            .map(name -> Cel.comparison(namespace + " == " + Cel.quoted(name)))
            .orElse(Cel.TRUE)
            .and(part.namespaces());
    var fields =
        new LinkedHashMap<String, Value>(
            Map.of("validationActions", new Value.Sequence(List.of(part.action()))));
    fields.putAll(settings.successorSpec().fields());
    fields.putAll(spec.fields(within).fields());
    return new Successor(
        ruleName,
        scopes,
        SuccessorManifest.of(
            policy,
            "/" + ruleName,
            nameParts(scopes.getFirst(), part),
            policy.id().kind().namespaced()
                ? PolicyKind.NAMESPACED_VALIDATING_POLICY
                : PolicyKind.VALIDATING_POLICY,
            new Value.Mapping(fields)));
  }

  private List<String> nameParts(RuleScope scope, FailureActions.Part part) {
    var parts = new ArrayList<String>();
    if (!scope.isWritten()) {
      parts.add(scope.isOfCronJobs() ? "autogen-cronjob" : "autogen");
    }
    if (policy.content().mapping("spec").items("rules").size() > 1) {
      parts.add(rule.text("name").orElse(""));
    }
    part.suffix().ifPresent(parts::add);
    return parts;
  }
}

package dev.policysync.convert;

import dev.policysync.base.Value;
import dev.policysync.convert.Conversion.Successor;
import dev.policysync.convert.expression.Cel;
import dev.policysync.convert.expression.Place;
import dev.policysync.convert.expression.Quoted;
import dev.policysync.convert.expression.Untranslatable;
import dev.policysync.policy.PolicyKind;
import dev.policysync.policy.feed.LocatedPolicy;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;

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

  /// Returns the successors for the objects of these scopes.
  ///
  /// @param judging the fields of their spec that say what is judged, and how
  List<Successor> create(List<RuleScope> scopes, Value.Mapping judging) {
    if (rule.mapping("validate").field("cel").isPresent() || !ConditionalRule.appliesTo(rule)) {
      settings.checkConditions(judging);
    }
    var deletes = judging.mapping("matchConstraints").toString().contains("DELETE");
    var namespace =
        (deletes ? Place.ANY_OBJECT : Place.OBJECT).field("metadata") + ".?namespace.orValue(\"\")";
    return settings.actions(rule, namespace).stream()
        .map(part -> successor(scopes, part, namespace, judging))
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
      List<RuleScope> scopes, FailureActions.Part part, String namespace, Value.Mapping judging) {
    var ruleName = rule.text("name").orElse("");
    var name =
        SuccessorName.of(
            policy.id().name(), nameParts(scopes.getFirst(), part).toArray(String[]::new));
    var kind =
        policy.id().kind().namespaced()
            ? PolicyKind.NAMESPACED_VALIDATING_POLICY
            : PolicyKind.VALIDATING_POLICY;
    return new Successor(
        ruleName,
        scopes,
        Value.Mapping.EMPTY
            .with("apiVersion", "policies.kyverno.io/v1")
            .with("kind", kind.kind())
            .with("metadata", SuccessorMetadata.of(policy, "/" + ruleName, name))
            .with("spec", spec(part, namespace, judging)));
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

  private Value.Mapping spec(FailureActions.Part part, String namespace, Value.Mapping judging) {
    var spec = new LinkedHashMap<String, Value>();
    spec.put("validationActions", new Value.Sequence(List.of(part.action())));
    spec.putAll(settings.successorSpec().fields());
    spec.putAll(judging.fields());
    var within =
        namespaceOfPolicy()
            .map(name -> Cel.comparison(namespace + " == " + Quoted.text(name)))
            .orElse(Cel.TRUE)
            .and(part.namespaces());
    if (!within.equals(Cel.TRUE)) {
      var conditions = new ArrayList<Value>(List.of(SpecFields.condition("namespace", within)));
      conditions.addAll(judging.items("matchConditions"));
      spec.put("matchConditions", new Value.Sequence(conditions));
    }
    return new Value.Mapping(spec);
  }
}

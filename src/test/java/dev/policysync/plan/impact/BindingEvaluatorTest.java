package dev.policysync.plan.impact;

import static dev.policysync.plan.impact.ImpactFixtures.impact;
import static dev.policysync.plan.impact.ImpactFixtures.judged;
import static dev.policysync.policy.PolicyFixtures.json;
import static dev.policysync.policy.kyverno.RelatedPolicyFixtures.related;
import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.base.Value;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.PolicyKind;
import dev.policysync.policy.kyverno.EffectiveAction;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What a change of a ValidatingAdmissionPolicyBinding does to requests, and what one of its policy
/// does by what its bindings say.
class BindingEvaluatorTest {
  private static final PolicyId BINDING =
      PolicyId.of(PolicyKind.VALIDATING_ADMISSION_POLICY_BINDING, "b");
  private static final PolicyId POLICY = PolicyId.of(PolicyKind.VALIDATING_ADMISSION_POLICY, "vap");

  @Test
  void saysWhetherABindingThatComesOrGoesDenies() {
    assertThat(judged(BINDING, "{}", binding("Deny"))).containsExactly("tightens new with Deny");
    assertThat(judged(BINDING, binding("Deny"), "{}")).containsExactly("loosens removed, was Deny");
    assertThat(judged(BINDING, "{}", binding("Audit"))).isEmpty();
    assertThat(judged(BINDING, binding("Audit"), "{}")).isEmpty();
  }

  @Test
  void letsReportsOfThePolicyTellWhomANewBindingBlocks() {
    assertThat(impact(BINDING, "{}", binding("Deny")).covered()).isTrue();
    assertThat(impact(BINDING, "{}", binding("Deny")).reported()).isEqualTo(POLICY);
    assertThat(impact(BINDING, binding("Deny"), "{}").reported()).isEqualTo(POLICY);
    assertThat(impact(BINDING, "{}", "{'spec': {'policyName': ''}}").reported()).isEqualTo(BINDING);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "'policyName': 'other' | may tighten policyName changed",
        "'policyName': 'vap', 'paramRef': {'name': 'p', 'parameterNotFoundAction': 'Allow'} | may"
            + " tighten paramRef changed",
        "'policyName': 'vap', 'matchResources': {'excludeResourceRules': [{'a': 1}]} | loosens"
            + " excludeResourceRules matches more resources",
      })
  void seesWhatADenyingBindingAppliesTo(String after, String expected) {
    var denies = "'validationActions': ['Deny']";
    var audits = "'validationActions': ['Audit']";
    var was = "{'spec': {'policyName': 'vap', " + denies + "}}";

    assertThat(judged(BINDING, was, "{'spec': {" + after + ", " + denies + "}}"))
        .containsExactly(expected);
    assertThat(judged(BINDING, was, "{'spec': {" + after + ", " + audits + "}}"))
        .containsExactly("loosens Enforce → Audit");
  }

  @Test
  void saysNothingOfWhomABindingSparesThatDeniedNothingBefore() {
    var sparing = "{'spec': {'matchResources': {'excludeResourceRules': [{'a': 1}]}, %s}}";
    var plain = "{'spec': {%s}}";
    var denies = "'validationActions': ['Deny']";
    var audits = "'validationActions': ['Audit']";

    assertThat(judged(BINDING, plain.formatted(audits), sparing.formatted(denies)))
        .containsExactly("tightens Audit → Enforce");
    assertThat(judged(BINDING, sparing.formatted(audits), plain.formatted(denies)))
        .containsExactly(
            "tightens Audit → Enforce", "tightens excludeResourceRules matches fewer resources");
  }

  /// The API server refuses for want of a parameter also what the binding only audits.
  @Test
  void seesWhoIsRefusedForWantOfAParameter() {
    var mutating = PolicyId.of(PolicyKind.MUTATING_ADMISSION_POLICY_BINDING, "b");
    var audits = "{'spec': {'policyName': 'p', 'validationActions': ['Audit']%s}}";
    var none = audits.formatted("");
    var allows = audits.formatted(", 'paramRef': {'parameterNotFoundAction': 'Allow'}");
    var denies = audits.formatted(", 'paramRef': {'parameterNotFoundAction': 'Deny'}");
    var tightens =
        "tightens parameterNotFoundAction Deny: requests without a parameter are rejected";
    for (var id : List.of(BINDING, mutating)) {
      for (var before : List.of("{}", none, allows)) {
        assertThat(judged(id, before, denies)).containsExactly(tightens);
        assertThat(impact(id, before, denies).guarded()).hasSize(1);
        assertThat(judged(id, denies, before)).doesNotContain(tightens);
      }
      assertThat(judged(id, denies, allows))
          .containsExactly(
              "loosens no parameterNotFoundAction Deny: requests without a parameter are allowed");
      assertThat(judged(id, none, allows)).isEmpty();
    }
    assertThat(impact(mutating, none, denies).reported())
        .isEqualTo(PolicyId.of(PolicyKind.MUTATING_ADMISSION_POLICY, "p"));
  }

  /// Whatever its bindings say: without a parameter, and for an error in an audit annotation, the
  /// API server refuses.
  @Test
  void seesThatAPolicyThatOnlyAuditsBeginsToRefuseWhatItCannotEvaluate() {
    var impact =
        ImpactEvaluator.of(
            POLICY,
            json("{'spec': {'failurePolicy': 'Ignore'}}"),
            json("{'spec': {}}"),
            related(Map.of(BINDING, json(binding("Audit"))), Set.of()));

    assertThat(impact.guarded()).hasSize(1);
  }

  @Test
  void aPolicyBlocksWhereAnyOfItsBindingsDenies() {
    assertThat(bound("Audit", "Deny")).containsExactly("tightens has additional validations");
    assertThat(bound("Audit", "Warn")).isEmpty();
    assertThat(bound()).as("somebody else's may deny").hasSize(1);
  }

  @Test
  void aPolicyIsNoConcernOfOthersBindings() {
    var other = json("{'spec': {'policyName': 'other', 'validationActions': ['Audit']}}");
    var stray = related(Map.of(BINDING, other, POLICY, json(binding("Audit"))), Set.of());

    assertThat(stray.ofBindings("vap"))
        .as("bound by nobody that is expected")
        .isEqualTo(EffectiveAction.BLOCKS);
  }

  /// Reasons for which one more validation matters, with bindings that say that.
  private static List<String> bound(String... actions) {
    var bindings = new LinkedHashMap<PolicyId, Value.Mapping>();
    Arrays.stream(actions)
        .forEach(action ->
            bindings.put(
                PolicyId.of(PolicyKind.VALIDATING_ADMISSION_POLICY_BINDING, "b-" + action),
                json(binding(action))));
    return ImpactFixtures.texts(
        ImpactEvaluator.of(
            POLICY,
            json("{'spec': {'validations': [{'expression': 'a'}]}}"),
            json("{'spec': {'validations': [{'expression': 'a'}, {'expression': 'b'}]}}"),
            related(bindings, Set.of())));
  }

  private static String binding(String action) {
    return "{'spec': {'policyName': 'vap', 'validationActions': ['" + action + "']}}";
  }
}

package dev.policysync.plan.impact;

import static dev.policysync.plan.impact.ImpactFixtures.texts;
import static dev.policysync.policy.PolicyFixtures.json;
import static dev.policysync.policy.kyverno.RelatedPolicyFixtures.related;
import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.base.Value;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.PolicyKind;
import dev.policysync.policy.kyverno.RelatedPolicies;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What it means for requests that a PolicyException comes, changes or goes, by the policies that
/// it shields from.
class ExceptionEvaluatorTest {
  private static final PolicyId EXCEPTION = PolicyId.of(PolicyKind.KYVERNO_EXCEPTION, "shop", "e");
  private static final PolicyId CEL_EXCEPTION = PolicyId.of(PolicyKind.CEL_EXCEPTION, "shop", "e");
  private static final PolicyId TEAM = PolicyId.of(PolicyKind.CLUSTER_POLICY, "team");
  private static final PolicyId COST = PolicyId.of(PolicyKind.CLUSTER_POLICY, "cost");
  private static final PolicyId IN_PAY = PolicyId.of(PolicyKind.NAMESPACED_POLICY, "pay", "team");
  private static final PolicyId CEL = PolicyId.of(PolicyKind.VALIDATING_POLICY, "team");
  private static final PolicyId MUTATING = PolicyId.of(PolicyKind.MUTATING_POLICY, "team");

  private static final Value.Mapping ENFORCES =
      json(
          "{'kind': 'ClusterPolicy', 'spec': {'rules': [{'validate': {'failureAction':"
              + " 'Enforce'}}]}}");
  private static final Value.Mapping AUDITS =
      json(
          "{'kind': 'ClusterPolicy', 'spec': {'rules': [{'validate': {'failureAction':"
              + " 'Audit'}}]}}");

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "team | ClusterPolicy/team",
        "team* | ClusterPolicy/team",
        "* | ClusterPolicy/team, Policy/pay/team",
        "pay/team | Policy/pay/team",
        "*/team | Policy/pay/team",
      })
  void isMissedByThePoliciesThatItNames(String name, String shielded) {
    var exception = naming(name);

    assertThat(judged(EXCEPTION, exception, Value.Mapping.EMPTY, there(TEAM, IN_PAY)))
        .containsExactly("tightens removed, exempted resources from " + shielded);
    assertThat(judged(EXCEPTION, Value.Mapping.EMPTY, exception, there(TEAM, IN_PAY)))
        .containsExactly("loosens new, exempts resources from " + shielded);
  }

  @ParameterizedTest
  @ValueSource(strings = {"other", "pay/other", "shop/team", ""})
  void isMissedByNobodyWhomItDoesNotName(String name) {
    assertThat(judged(EXCEPTION, naming(name), Value.Mapping.EMPTY, there(TEAM, IN_PAY))).isEmpty();
  }

  @Test
  void isMissedByNobodyWhoBlocksNothing() {
    var expected = related(Map.of(TEAM, AUDITS, COST, ENFORCES), Set.of(TEAM, COST));

    assertThat(judged(EXCEPTION, naming("team"), Value.Mapping.EMPTY, expected)).isEmpty();
    assertThat(judged(EXCEPTION, naming("*"), Value.Mapping.EMPTY, expected))
        .containsExactly("tightens removed, exempted resources from ClusterPolicy/cost");
  }

  @Test
  void isMissedByWhomeverNobodyKnowsToBlockNothing() {
    var there = related(Map.of(), Set.of(TEAM));
    var mutating = related(Map.of(MUTATING, json("{'kind': 'MutatingPolicy'}")), Set.of());

    assertThat(judged(EXCEPTION, naming("team"), Value.Mapping.EMPTY, there)).hasSize(1);
    assertThat(
            judged(
                CEL_EXCEPTION,
                json("{'spec': {'policyRefs': [{'kind': 'MutatingPolicy', 'name': 'team'}]}}"),
                Value.Mapping.EMPTY,
                mutating))
        .hasSize(1);
  }

  @Test
  void saysUntilWhenItExempts() {
    var exception =
        json(
            "{'spec': {'policyRefs': [{'kind': 'ValidatingPolicy', 'name': 'team'}],"
                + " 'expiresAt': '2026-12-01T00:00:00Z'}}");

    assertThat(judged(CEL_EXCEPTION, Value.Mapping.EMPTY, exception, there(CEL)))
        .containsExactly(
            "loosens new, exempts resources from ValidatingPolicy/team until 2026-12-01T00:00:00Z");
  }

  @Test
  void isMissedByThePoliciesOfTheKindThatItRefersTo() {
    var exception =
        json("{'spec': {'policyRefs': [{'kind': 'ValidatingPolicy', 'name': 'team'}]}}");

    assertThat(judged(CEL_EXCEPTION, exception, Value.Mapping.EMPTY, there(CEL, MUTATING)))
        .containsExactly("tightens removed, exempted resources from ValidatingPolicy/team");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "'exceptions': [{'policyName': 'team', 'ruleNames': ['r']}] | 'exceptions':"
            + " [{'policyName': 'team', 'ruleNames': ['r', 's']}] | loosens exceptions matches"
            + " more resources",
        "'exceptions': [{'policyName': 'team', 'ruleNames': ['r', 's']}] | 'exceptions':"
            + " [{'policyName': 'team', 'ruleNames': ['s']}] | tightens exceptions matches fewer"
            + " resources",
        "'exceptions': [{'policyName': 'team', 'ruleNames': ['r', 's']}] | 'exceptions':"
            + " [{'policyName': 'team', 'ruleNames': ['s']}, 'odd', {'policyName': 'team',"
            + " 'ruleNames': ['r']}] | none",
        "'exceptions': [{'policyName': 'team', 'ruleNames': ['r']}] | 'exceptions':"
            + " [{'policyName': 'cost', 'ruleNames': ['r']}] | tightens exceptions no longer"
            + " matches some resources; loosens exceptions matches additional resources",
        "'match': {'any': [{'a': 1}]} | 'match': {'any': [{'a': 1}, {'b': 1}]} | loosens match"
            + " matches more resources",
        "'match': {'any': [{'a': 1}, {'b': 1}]} | 'match': {'any': [{'a': 1}]} | tightens match"
            + " matches fewer resources",
        "'expiresAt': '2027-01-01T00:00:00Z' | 'expiresAt': '2026-12-01T00:00:00Z' | tightens"
            + " expiresAt 2027-01-01T00:00:00Z → 2026-12-01T00:00:00Z",
        "'expiresAt': '2026-12-01T00:00:00+01:00' | 'expiresAt': '2026-12-01T00:00:00Z' | loosens"
            + " expiresAt 2026-12-01T00:00:00+01:00 → 2026-12-01T00:00:00Z",
        "'x': 1 | 'x': 1, 'expiresAt': '2026-12-01T00:00:00Z' | tightens expiresAt never →"
            + " 2026-12-01T00:00:00Z",
        "'expiresAt': '2026-12-01T00:00:00Z' | 'a': null | loosens expiresAt 2026-12-01T00:00:00Z"
            + " → never; may tighten other fields changed",
        "'expiresAt': '2026-12-01T00:00:00Z' | 'expiresAt': 'soon' | tightens expiresAt"
            + " 2026-12-01T00:00:00Z → soon",
        "'conditions': {'any': [1]} | 'conditions': {'any': [2]} | may tighten other fields"
            + " changed",
        "'background': true | 'background': false | none",
      })
  void tellsByStructureWhatAnExceptionShieldsFrom(String before, String after, String expected) {
    assertThat(changed(EXCEPTION, "'exceptions': [{'policyName': 'team'}]", before, after))
        .isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "'policyRefs': [{'kind': 'ValidatingPolicy', 'name': 'team'}] | 'policyRefs': [{'kind':"
            + " 'ValidatingPolicy', 'name': 'team'}, {'kind': 'ValidatingPolicy', 'name':"
            + " 'cost'}] | loosens policyRefs matches more resources",
        "'policyRefs': [{'kind': 'ValidatingPolicy', 'name': 'team'}, {'kind':"
            + " 'ValidatingPolicy', 'name': 'cost'}] | 'policyRefs': [{'kind':"
            + " 'ValidatingPolicy', 'name': 'cost'}] | tightens policyRefs matches fewer resources",
        "'matchConditions': [{'name': 'a'}] | 'matchConditions': [] | loosens matchConditions"
            + " matches more resources",
        "'matchConditions': [{'name': 'a'}] | 'matchConditions': [{'name': 'a'}, {'name': 'b'}]"
            + " | tightens matchConditions matches fewer resources",
        "'images': ['a'] | 'images': ['b'] | may tighten other fields changed",
        "'reportResult': 'skip' | 'reportResult': 'pass' | none",
      })
  void tellsByStructureWhatAnExceptionOfPoliciesShieldsFrom(
      String before, String after, String expected) {
    assertThat(
            changed(
                CEL_EXCEPTION,
                "'policyRefs': [{'kind': 'ValidatingPolicy', 'name': 'team'}]",
                before,
                after))
        .isEqualTo(expected);
  }

  /// @param names the policies that the exception names, where its other fields do not
  private static String changed(PolicyId id, String names, String before, String after) {
    var reasons =
        judged(
            id,
            json("{'spec': {" + names + ", " + before + "}}"),
            json("{'spec': {" + names + ", " + after + "}}"),
            there(TEAM, CEL));
    return reasons.isEmpty() ? "none" : String.join("; ", reasons);
  }

  private static Value.Mapping naming(String policy) {
    return json("{'spec': {'exceptions': [{'policyName': '" + policy + "', 'ruleNames': ['*']}]}}");
  }

  private static RelatedPolicies there(PolicyId... policies) {
    return related(Map.of(), Set.of(policies));
  }

  private static List<String> judged(
      PolicyId id, Value.Mapping before, Value.Mapping after, RelatedPolicies relatedPolicies) {
    return texts(ImpactEvaluator.of(id, before, after, relatedPolicies));
  }
}

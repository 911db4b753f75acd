package dev.policysync.plan;

import static dev.policysync.plan.EnforcementEffect.AUDIT;
import static dev.policysync.plan.EnforcementEffect.ENFORCE;
import static dev.policysync.policy.PolicyFixtures.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.base.Value;
import dev.policysync.policy.PolicyKind;
import org.junit.jupiter.api.Test;

class EnforcementEffectTest {
  @Test
  void isAuditWhereNobodySaysOtherwise() {
    assertThat(ofClusterPolicy("{'rules': [{'name': 'a', 'validate': {'pattern': {}}}]}"))
        .isEqualTo(AUDIT);
    assertThat(ofClusterPolicy("{}")).isEqualTo(AUDIT);
  }

  @Test
  void isThePolicysWhereARuleSaysNothing() {
    assertThat(
            ofClusterPolicy(
                "{'validationFailureAction': 'Enforce', 'rules': [{'validate': {'pattern': {}}}]}"))
        .isEqualTo(ENFORCE);
    assertThat(
            ofClusterPolicy(
                "{'validationFailureAction': 'enforce', 'rules': [{'verifyImages': [{}]}]}"))
        .isEqualTo(ENFORCE);
  }

  @Test
  void isTheRulesOwnWhereItHasOne() {
    assertThat(
            ofClusterPolicy(
                """
                {'validationFailureAction': 'Enforce',
                 'rules': [{'validate': {'failureAction': 'Audit'}}]}
                """))
        .isEqualTo(AUDIT);
    assertThat(
            ofClusterPolicy(
                """
                {'validationFailureAction': 'Audit',
                 'rules': [{'validate': {'failureAction': 'Audit'}},
                           {'verifyImages': [{}, {'failureAction': 'Enforce'}]}]}
                """))
        .isEqualTo(ENFORCE);
  }

  @Test
  void isTheStrongestOfTheOverridesThatCount() {
    assertThat(
            ofClusterPolicy(
                """
                {'validationFailureActionOverrides': [{'action': 'Audit', 'namespaces': ['a']},
                                                       {'action': 'Enforce', 'namespaces': ['b']}],
                 'rules': [{'validate': {'pattern': {}}}]}
                """))
        .isEqualTo(ENFORCE);
    assertThat(
            ofClusterPolicy(
                """
                {'rules': [{'validate': {'failureAction': 'Audit',
                                         'failureActionOverrides':
                                             [{'action': 'Enforce', 'namespaces': ['a']}]}}]}
                """))
        .isEqualTo(ENFORCE);
    assertThat(
            ofClusterPolicy(
                """
                {'validationFailureActionOverrides': [{'action': 'Enforce'}],
                 'rules': [{'validate': {'failureAction': 'Audit'}}]}
                """))
        .isEqualTo(AUDIT);
  }

  @Test
  void countsNoRuleThatNeverBlocks() {
    assertThat(
            ofClusterPolicy(
                """
                {'validationFailureAction': 'Enforce',
                 'validationFailureActionOverrides': [{'action': 'Enforce'}],
                 'rules': [{'name': 'm', 'mutate': {}}, 'not a rule']}
                """))
        .isEqualTo(AUDIT);
  }

  @Test
  void isEnforceWhereActionsSayDenyOrNothing() {
    assertThat(of("ValidatingPolicy", "{'validationActions': ['Audit', 'Deny']}"))
        .isEqualTo(ENFORCE);
    assertThat(of("ValidatingAdmissionPolicyBinding", "{}")).isEqualTo(ENFORCE);
    assertThat(of("NamespacedImageValidatingPolicy", "{'validationActions': ['Audit', 'Warn']}"))
        .isEqualTo(AUDIT);
  }

  @Test
  void isNothingForKindsThatDoNotJudge() {
    assertThat(EnforcementEffect.of(object("MutatingPolicy", "{}"))).isEmpty();
    assertThat(EnforcementEffect.of(json("{'apiVersion': 'v1', 'kind': 'Policy', 'spec': {}}")))
        .isEmpty();
  }

  @Test
  void readsAsAChangeOnlyWhereItChanges() {
    var audit = object("ValidatingPolicy", "{'validationActions': ['Audit']}");
    var deny = object("ValidatingPolicy", "{'validationActions': ['Deny']}");

    assertThat(EnforcementEffect.change(audit, deny)).contains("Audit → Enforce");
    assertThat(EnforcementEffect.change(deny, audit)).contains("Enforce → Audit");
    assertThat(EnforcementEffect.change(deny, deny)).isEmpty();
    assertThat(EnforcementEffect.change(json("{}"), deny)).isEmpty();
  }

  private static EnforcementEffect ofClusterPolicy(String spec) {
    return of("ClusterPolicy", spec);
  }

  private static EnforcementEffect of(String kind, String spec) {
    return EnforcementEffect.of(object(kind, spec)).orElseThrow();
  }

  private static Value.Mapping object(String kindName, String spec) {
    var kind =
        PolicyKind.all().stream()
            .filter(it -> it.kind().equals(kindName))
            .findFirst()
            .orElseThrow();
    return json(
        "{'apiVersion': '%s/v1', 'kind': '%s', 'spec': %s}"
            .formatted(kind.group(), kindName, spec));
  }
}

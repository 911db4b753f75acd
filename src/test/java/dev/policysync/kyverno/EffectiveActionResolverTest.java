package dev.policysync.kyverno;

import static dev.policysync.policy.PolicyFixtures.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.kyverno.EffectiveAction.Exemption;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What a policy's text says of requests that break it, from all the places where it may stand.
class EffectiveActionResolverTest {
  private static final String SILENT = "{}";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "{} | false",
        "{'validationFailureAction': 'Enforce'} | true",
        "{'validationFailureAction': 'enforce'} | true",
        "{'validationFailureAction': 'Audit'} | false",
        "{'validationFailureAction': 'audit'} | false",
        "{'validationFailureAction': 'ENFORCE'} | false",
        "{'validationFailureAction': 'Enforce', 'admission': false} | false",
        "{'validationFailureAction': 'Enforce', 'admission': true} | true",
      })
  void aRuleThatSaysNothingDoesWhatThePolicySays(String spec, boolean blocks) {
    for (var rule : List.of("{'validate': {'x': 1}}", "{'verifyImages': [{'x': 1}]}")) {
      assertThat(EffectiveActionResolver.ofRule(json(spec), json(rule)))
          .isEqualTo(new EffectiveAction(List.of(), blocks));
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "{'validate': {'failureAction': 'Audit'}} | false",
        "{'validate': {'failureAction': 'Block'}} | true",
        "{'verifyImages': [{'failureAction': 'Audit'}]} | false",
        "{'verifyImages': [{}, {'failureAction': 'Audit'}]} | false",
        "{'verifyImages': [{'failureAction': 'Audit'}, {'failureAction': 'Enforce'}]} | true",
        "{'verifyImages': ['odd', {'failureAction': 'Audit'}]} | false",
      })
  void whatARuleSaysWinsOverThePolicy(String rule, boolean blocks) {
    assertThat(
            EffectiveActionResolver.ofRule(
                json("{'validationFailureAction': 'Enforce'}"), json(rule)))
        .isEqualTo(new EffectiveAction(List.of(), blocks));
  }

  @ParameterizedTest
  @ValueSource(strings = {"{'mutate': {'x': 1}}", "{'generate': {'x': 1}}", "{'validate': {}}"})
  void aRuleThatNeitherValidatesNorVerifiesBlocksNothing(String rule) {
    assertThat(
            EffectiveActionResolver.ofRule(
                json("{'validationFailureAction': 'Enforce'}"), json(rule)))
        .isEqualTo(EffectiveAction.LETS_PASS);
  }

  @Test
  void aRulesOverridesAreTriedBeforeThePolicys() {
    var spec =
        json(
            "{'validationFailureActionOverrides': [{'action': 'Audit', 'namespaces': ['kube-*']}]}");
    var overridden = "'failureActionOverrides': [{'action': 'Enforce', 'namespaces': ['shop']}]";
    var ofRule = new Exemption(true, List.of("shop"), Optional.empty());
    var ofPolicy = new Exemption(false, List.of("kube-*"), Optional.empty());

    assertThat(EffectiveActionResolver.ofRule(spec, json("{'validate': {" + overridden + "}}")))
        .isEqualTo(new EffectiveAction(List.of(ofRule, ofPolicy), false));
    assertThat(
            EffectiveActionResolver.ofRule(
                spec, json("{'validate': {'failureAction': 'Audit', " + overridden + "}}")))
        .as("a rule with an action of its own has no use for the policy's")
        .isEqualTo(new EffectiveAction(List.of(ofRule), false));
    assertThat(EffectiveActionResolver.ofRule(spec, json("{'verifyImages': [{'x': 1}]}")))
        .isEqualTo(new EffectiveAction(List.of(ofPolicy), false));
  }

  @Test
  void passesOverOverridesThatSayNothingAndNamesThatAreNone() {
    var spec =
        json(
            "{'validationFailureActionOverrides': ['odd', {'namespaces': ['shop']}, {'action':"
                + " 'Enforce', 'namespaces': ['pay', 7]}]}");

    assertThat(EffectiveActionResolver.ofRule(spec, json("{'validate': {'x': 1}}")))
        .isEqualTo(
            new EffectiveAction(
                List.of(new Exemption(true, List.of("pay"), Optional.empty())), false));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "{} | true",
        "{'validationActions': []} | true",
        "{'validationActions': ['Deny']} | true",
        "{'validationActions': ['Warn', 'Deny']} | true",
        "{'validationActions': ['Audit', 'Warn']} | false",
        "{'evaluation': {'admission': {'enabled': false}}} | false",
        "{'evaluation': {'admission': {'enabled': true}}} | true",
        "{'evaluation': {'background': {'enabled': false}}} | true",
      })
  void aPolicyInCelDeniesUnlessItSaysOtherwise(String spec, boolean denies) {
    assertThat(EffectiveActionResolver.ofActions(json(spec)))
        .isEqualTo(denies ? EffectiveAction.BLOCKS : EffectiveAction.LETS_PASS);
  }

  @ParameterizedTest
  @ValueSource(strings = {"ClusterPolicy", "Policy"})
  void aPolicyOfRulesBlocksWhereAnyRuleDoes(String kind) {
    assertThat(EffectiveActionResolver.strongest(json("{'kind': '" + kind + "'}")))
        .contains(EnforcementLevel.NO);
    assertThat(rules(kind, "{'validate': {'failureAction': 'Audit'}}"))
        .contains(EnforcementLevel.NO);
    assertThat(
            rules(
                kind,
                "'odd', {'validate': {'failureAction': 'Audit'}}, {'validate': {'failureAction':"
                    + " 'Enforce'}}"))
        .contains(EnforcementLevel.YES);
    assertThat(
            rules(
                kind,
                "{'validate': {'failureAction': 'Audit', 'failureActionOverrides': [{'action':"
                    + " 'Enforce', 'namespaces': ['shop']}]}}"))
        .contains(EnforcementLevel.YES);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ValidatingPolicy",
        "ImageValidatingPolicy",
        "NamespacedValidatingPolicy",
        "NamespacedImageValidatingPolicy",
        "ValidatingAdmissionPolicyBinding"
      })
  void aKindWithActionsBlocksWhereOneOfThemIsDeny(String kind) {
    assertThat(actions(kind, "'Warn', 'Deny'")).contains(EnforcementLevel.YES);
    assertThat(actions(kind, "'Warn', 'Audit'")).contains(EnforcementLevel.NO);
  }

  @ParameterizedTest
  @ValueSource(strings = {"ValidatingAdmissionPolicy", "MutatingPolicy", "ConfigMap"})
  void otherKindsDoNotSay(String kind) {
    assertThat(actions(kind, "'Deny'")).isEmpty();
    assertThat(EffectiveActionResolver.strongest(json(SILENT))).isEmpty();
  }

  private static Optional<EnforcementLevel> rules(String kind, String rules) {
    return EffectiveActionResolver.strongest(
        json("{'kind': '" + kind + "', 'spec': {'rules': [" + rules + "]}}"));
  }

  private static Optional<EnforcementLevel> actions(String kind, String actions) {
    return EffectiveActionResolver.strongest(
        json("{'kind': '" + kind + "', 'spec': {'validationActions': [" + actions + "]}}"));
  }
}

package dev.policysync.policy.kyverno;

import static dev.policysync.policy.PolicyFixtures.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.base.Value;
import dev.policysync.policy.PolicyKind;
import dev.policysync.policy.kyverno.EffectiveAction.ActionOverride;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
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
        "{'validate': {'failureAction': 'enforce'}} | true",
        "{'validate': {'failureAction': 'Block'}} | false",
        "{'validate': {'failureAction': 'ENFORCE'}} | false",
        "{'verifyImages': [{'failureAction': 'Audit'}]} | false",
        "{'verifyImages': [{}, {'failureAction': 'Audit'}]} | false",
        "{'verifyImages': [{'failureAction': 'Audit'}, {'failureAction': 'Enforce'}]} | true",
        "{'verifyImages': ['odd', {'failureAction': 'Audit'}]} | false",
        "{'verifyImages': [{'failureAction': 'Block'}]} | false",
        "{'verifyImages': [{'failureAction': 'Block'}, {'failureAction': 'enforce'}]} | true",
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
    var ofRule = new ActionOverride(true, List.of("shop"), Optional.empty());
    var ofPolicy = new ActionOverride(false, List.of("kube-*"), Optional.empty());

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
                List.of(new ActionOverride(true, List.of("pay"), Optional.empty())), false));
  }

  @Test
  void anOverrideForAllEndsTheSearch() {
    var spec = json("{'validationFailureAction': 'Enforce'}");

    assertThat(
            EffectiveActionResolver.ofRule(
                spec,
                json(
                    "{'validate': {'failureActionOverrides': [{'action': 'Enforce', 'namespaces':"
                        + " ['shop']}, {'action': 'Audit'}, {'action': 'Enforce'}]}}")))
        .isEqualTo(
            new EffectiveAction(
                List.of(new ActionOverride(true, List.of("shop"), Optional.empty())), false));
  }

  @Test
  void eachStatementIsFoundWhereItIsWritten() {
    var spec =
        json(
            "{'validationFailureAction': 'Audit', 'validationFailureActionOverrides': [{'action':"
                + " 'odd'}, {'action': 'Audit', 'namespaces': ['shop']}]}");

    assertThat(
            paths(
                spec,
                "{'validate': {'failureActionOverrides': [{'action': 'Enforce', 'namespaces':"
                    + " ['pay']}], 'failureAction': 'Enforce'}}"))
        .containsExactly(
            "validate failureActionOverrides [0] action",
            "validate failureAction",
            "validationFailureActionOverrides [1] action",
            "validationFailureAction");
    assertThat(paths(spec, "{'verifyImages': [{}, {'failureAction': 'Enforce'}]}"))
        .startsWith("verifyImages [1] failureAction");
  }

  private static List<String> paths(Value.Mapping spec, String rule) {
    return EffectiveActionResolver.statements(spec, json(rule)).stream()
        .map(statement -> String.join(" ", statement.path()))
        .toList();
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
  @EnumSource(names = {"CLUSTER_POLICY", "NAMESPACED_POLICY"})
  void aPolicyOfRulesBlocksWhereAnyRuleDoes(PolicyKind kind) {
    assertThat(EffectiveActionResolver.strongest(kind, json(SILENT))).contains(EnforcementLevel.NO);
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
  @EnumSource(
      names = {
        "VALIDATING_POLICY",
        "IMAGE_VALIDATING_POLICY",
        "NAMESPACED_VALIDATING_POLICY",
        "NAMESPACED_IMAGE_VALIDATING_POLICY",
        "VALIDATING_ADMISSION_POLICY_BINDING"
      })
  void aKindWithActionsBlocksWhereOneOfThemIsDeny(PolicyKind kind) {
    assertThat(actions(kind, "'Warn', 'Deny'")).contains(EnforcementLevel.YES);
    assertThat(actions(kind, "'Warn', 'Audit'")).contains(EnforcementLevel.NO);
  }

  @ParameterizedTest
  @EnumSource(names = {"VALIDATING_ADMISSION_POLICY", "MUTATING_POLICY", "CEL_EXCEPTION"})
  void otherKindsDoNotSay(PolicyKind kind) {
    assertThat(actions(kind, "'Deny'")).isEmpty();
  }

  private static Optional<EnforcementLevel> rules(PolicyKind kind, String rules) {
    return EffectiveActionResolver.strongest(kind, json("{'spec': {'rules': [" + rules + "]}}"));
  }

  private static Optional<EnforcementLevel> actions(PolicyKind kind, String actions) {
    return EffectiveActionResolver.strongest(
        kind, json("{'spec': {'validationActions': [" + actions + "]}}"));
  }
}

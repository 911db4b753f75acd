package dev.policysync.plan.impact;

import static dev.policysync.plan.impact.ImpactFixtures.impact;
import static dev.policysync.plan.impact.ImpactFixtures.judged;
import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.policy.PolicyId;
import dev.policysync.policy.PolicyKind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What a change of a ClusterPolicy does to requests, rule by rule.
class RulePolicyEvaluatorTest {
  private static final PolicyId POLICY = PolicyId.of(PolicyKind.CLUSTER_POLICY, "p");
  private static final String AUDITS = "'validate': {'failureAction': 'Audit', 'x': 1}";
  private static final String ENFORCES = "'validate': {'failureAction': 'Enforce', 'x': 1}";
  private static final String MUTATES = "'mutate': {'x': 1}";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "'preconditions': {'any': [1]} | 'preconditions': {'any': [2]} | preconditions changed",
        "'preconditions': {'any': [1]} | 'x': 1 | preconditions changed",
        "'celPreconditions': [1] | 'celPreconditions': [2] | celPreconditions changed",
        "'context': [1] | 'context': [2] | context changed",
        "'imageExtractors': {'Task': [1]} | 'imageExtractors': {'Task': [2]} | imageExtractors"
            + " changed",
        "'verifyImages': [{'a': 1}] | 'verifyImages': [{'a': 2}] | verifyImages changed",
        "'verifyImages': [{'a': 1}] | 'verifyImages': [{'a': 1}, {'a': 2}] | verifyImages changed",
        "'verifyImages': ['odd'] | 'verifyImages': ['other'] | verifyImages changed",
      })
  void saysWhichPartOfARuleChangedOfWhichItCannotTellMore(
      String before, String after, String expected) {
    var impact = impact(POLICY, rule(ENFORCES + ", " + before), rule(ENFORCES + ", " + after));

    assertThat(ImpactFixtures.texts(impact)).containsExactly("may tighten rule r: " + expected);
    assertThat(impact.covered()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "'validate': {'failureAction': 'Enforce', 'x': 1, 'message': 'another'}",
        "'validate': {'failureAction': 'Enforce', 'x': 1, 'failureActionOverrides': []}",
        "'validate': {'failureAction': 'Enforce', 'x': 1, 'allowExistingViolations': true}",
        ENFORCES + ", 'reportProperties': {'a': 'b'}",
        ENFORCES + ", 'verifyImages': []",
      })
  void findsNothingInWhatBlocksNobody(String after) {
    assertThat(judged(POLICY, rule(ENFORCES), rule(after))).isEmpty();
  }

  @Test
  void doesNotTakeTheActionOfAnImageForWhatItDemands() {
    assertThat(
            judged(
                POLICY,
                rule("'verifyImages': [{'image': 'x', 'failureAction': 'Audit'}]"),
                rule("'verifyImages': [{'image': 'x', 'failureAction': 'Enforce'}]")))
        .containsExactly("tightens rule r: Audit → Enforce");
  }

  @Test
  void saysNothingOfWhomARuleSparesThatBlockedNobodyBefore() {
    var wide = "'match': {'any': [{'resources': {'kinds': ['Pod', 'Job']}}]}, ";
    var narrow = "'match': {'any': [{'resources': {'kinds': ['Pod']}}]}, ";
    var sparing = "'exclude': {'any': [{'resources': {'namespaces': ['a']}}]}, ";

    assertThat(judged(POLICY, rule(wide + AUDITS), rule(narrow + sparing + ENFORCES)))
        .containsExactly("tightens rule r: Audit → Enforce");
    assertThat(judged(POLICY, rule(narrow + sparing + AUDITS), rule(wide + ENFORCES)))
        .containsExactly(
            "tightens rule r: Audit → Enforce",
            "tightens rule r: match matches more resources",
            "tightens rule r: exclude matches fewer resources");
    assertThat(judged(POLICY, rule(narrow + ENFORCES), rule(wide + AUDITS)))
        .containsExactly("loosens rule r: Enforce → Audit");
  }

  @Test
  void saysBothOfASelectionThatTakesInOthersThanBefore() {
    assertThat(
            judged(
                POLICY,
                rule("'match': {'any': [{'resources': {'kinds': ['Pod']}}]}, " + ENFORCES),
                rule("'match': {'any': [{'resources': {'kinds': ['Job']}}]}, " + ENFORCES)))
        .containsExactly(
            "tightens rule r: match matches additional resources",
            "loosens rule r: match no longer matches some resources");
    assertThat(
            judged(
                POLICY,
                rule("'exclude': {'any': [{'resources': {'kinds': ['Pod']}}]}, " + ENFORCES),
                rule("'exclude': {'any': [{'resources': {'kinds': ['Job']}}]}, " + ENFORCES)))
        .containsExactly(
            "tightens rule r: exclude no longer matches some resources",
            "loosens rule r: exclude matches additional resources");
    assertThat(
            judged(
                POLICY,
                rule("'exclude': {'any': [{'x': 1}]}, " + ENFORCES),
                rule("'exclude': {'any': [{'x': 2}]}, " + ENFORCES)))
        .containsExactly("may tighten rule r: exclude changed");
  }

  @Test
  void letsReportsTellWhomARuleBlocksThatNoLongerSparesWhoBreaksItAlready() {
    var sparing = rule("'validate': {'failureAction': 'Enforce', 'x': 1}");
    var strict =
        rule("'validate': {'failureAction': 'Enforce', 'x': 1, 'allowExistingViolations': false}");

    assertThat(impact(POLICY, sparing, strict).covered()).isTrue();
    assertThat(impact(POLICY, sparing, strict).guarded()).hasSize(1);
    assertThat(judged(POLICY, strict, sparing))
        .containsExactly("loosens rule r: allowExistingViolations false → true");
    assertThat(impact(POLICY, strict, sparing).guarded()).isEmpty();
  }

  @Test
  void saysNothingOfRulesThatComeOrGoAndOnlyAudit() {
    var one = "{'spec': {'rules': [{'name': 'a', " + ENFORCES + "}]}}";
    var two =
        "{'spec': {'rules': [{'name': 'a', " + ENFORCES + "}, {'name': 'b', " + AUDITS + "}]}}";

    assertThat(judged(POLICY, one, two)).isEmpty();
    assertThat(judged(POLICY, two, one)).isEmpty();
  }

  @Test
  void namesTheRulesOfANewPolicyThatBlock() {
    var three =
        "{'spec': {'rules': [{'name': 'a', "
            + ENFORCES
            + "}, {'name': 'b', "
            + AUDITS
            + "}, {"
            + ENFORCES
            + "}]}}";

    assertThat(judged(POLICY, "{}", three))
        .containsExactly("tightens new with Enforce in rule a, #2");
    assertThat(judged(POLICY, three, "{}"))
        .containsExactly("loosens removed, was Enforce in rule a, #2");
    assertThat(judged(POLICY, rule(AUDITS), "{}")).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "'failurePolicy': 'Ignore' | 'x': 1",
        "'failurePolicy': 'Ignore' | 'failurePolicy': 'Fail'",
        "'failurePolicy': 'Ignore' | 'failurePolicy': 'Ignore', 'webhookConfiguration':"
            + " {'failurePolicy': 'Fail'}",
        "'failurePolicy': 'Fail', 'webhookConfiguration': {'failurePolicy': 'Ignore'} |"
            + " 'failurePolicy': 'Fail'",
      })
  void saysWhatBecomesOfRequestsThatNobodyCanJudge(String ignoring, String failing) {
    var ignores = policy(ignoring, ENFORCES);
    var fails = policy(failing, ENFORCES);

    assertThat(judged(POLICY, ignores, fails))
        .containsExactly(
            "tightens failurePolicy Ignore → Fail: requests that cannot be evaluated are rejected");
    assertThat(judged(POLICY, fails, ignores))
        .containsExactly(
            "loosens failurePolicy Fail → Ignore: requests that cannot be evaluated are allowed");
    assertThat(judged(POLICY, fails, fails)).isEmpty();
    assertThat(judged(POLICY, policy(ignoring, AUDITS), fails)).hasSize(2);
    assertThat(judged(POLICY, ignores, policy(failing, AUDITS))).hasSize(2);
    assertThat(judged(POLICY, policy(ignoring, AUDITS), policy(failing, AUDITS))).isEmpty();
    assertThat(judged(POLICY, policy(ignoring, MUTATES), policy(failing, MUTATES))).hasSize(1);
  }

  @Test
  void seesRequestsThatNoLongerPassTheWebhookBy() {
    var one = "'webhookConfiguration': {'matchConditions': [{'name': 'a'}]}";
    var two = "'webhookConfiguration': {'matchConditions': [{'name': 'a'}, {'name': 'b'}]}";

    assertThat(judged(POLICY, policy(two, ENFORCES), policy(one, ENFORCES)))
        .containsExactly(
            "tightens spec.webhookConfiguration.matchConditions matches more resources");
    assertThat(judged(POLICY, policy(one, ENFORCES), policy(two, ENFORCES)))
        .containsExactly(
            "loosens spec.webhookConfiguration.matchConditions matches fewer resources");
  }

  @Test
  void seesHowManyRulesApply() {
    assertThat(judged(POLICY, policy("'applyRules': 'One'", ENFORCES), policy("'x': 1", ENFORCES)))
        .containsExactly("may tighten spec.applyRules changed");
    assertThat(judged(POLICY, policy("'applyRules': 'All'", ENFORCES), policy("'x': 1", ENFORCES)))
        .as("the default")
        .isEmpty();
  }

  @Test
  void saysNothingOfTheWholePolicyWhereNothingIsBlockedBeforeOrAfter() {
    assertThat(judged(POLICY, policy("'applyRules': 'One'", AUDITS), policy("'x': 1", ENFORCES)))
        .containsExactly("tightens rule r: Audit → Enforce");
    assertThat(judged(POLICY, policy("'applyRules': 'One'", ENFORCES), policy("'x': 1", AUDITS)))
        .containsExactly("loosens rule r: Enforce → Audit");
  }

  @Test
  void cannotTellWhatOtherControllersDoThatAutogenIsFor() {
    assertThat(judged(POLICY, autogen("Deployment"), autogen("Deployment,Job")))
        .containsExactly("may tighten autogen for Pod controllers changed");
    assertThat(judged(POLICY, autogen("none"), autogen("Deployment")))
        .containsExactly("tightens autogen for Pod controllers matches more resources");
    assertThat(judged(POLICY, autogen("Deployment"), autogen("none")))
        .containsExactly("loosens autogen for Pod controllers matches fewer resources");
    assertThat(judged(POLICY, autogen("none"), autogen("none"))).isEmpty();
  }

  private static String rule(String fields) {
    return "{'spec': {'rules': [{'name': 'r', " + fields + "}]}}";
  }

  private static String policy(String spec, String rule) {
    return "{'spec': {" + spec + ", 'rules': [{'name': 'r', " + rule + "}]}}";
  }

  private static String autogen(String controllers) {
    return "{'metadata': {'annotations': {'pod-policies.kyverno.io/autogen-controllers': '"
        + controllers
        + "'}}, "
        + rule(ENFORCES).substring(1);
  }
}

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

/// What a change of a policy in CEL does to requests.
class CelPolicyEvaluatorTest {
  private static final PolicyId POLICY = PolicyId.of(PolicyKind.VALIDATING_POLICY, "v");
  private static final String AUDITS = "'validationActions': ['Audit']";
  private static final String DENIES = "'validationActions': ['Deny']";

  @Test
  void saysWhetherAPolicyThatComesOrGoesDenies() {
    assertThat(judged(POLICY, "{}", spec(DENIES))).containsExactly("tightens new with Deny");
    assertThat(judged(POLICY, spec(DENIES), "{}")).containsExactly("loosens removed, was Deny");
    assertThat(judged(POLICY, "{}", spec(AUDITS))).isEmpty();
    assertThat(judged(POLICY, spec(AUDITS), "{}")).isEmpty();
    assertThat(impact(POLICY, "{}", spec(DENIES)).covered())
        .as("nobody was evaluated by it")
        .isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "'resourceRules': [{'resources': ['pods']}] | 'resourceRules': [{'resources': ['pods',"
            + " 'jobs']}] | tightens matchConstraints matches more resources",
        "'resourceRules': [{'resources': ['pods', 'jobs']}] | 'resourceRules': [{'resources':"
            + " ['pods']}] | loosens matchConstraints matches fewer resources",
        "'resourceRules': [{'a': 1}, {'b': 1}] | 'resourceRules': [{'a': 1}] | loosens"
            + " matchConstraints matches fewer resources",
        "'objectSelector': {'matchLabels': {'a': 'b'}} | 'x': 1 | may tighten matchConstraints"
            + " changed",
        "'excludeResourceRules': [{'a': 1}] | 'excludeResourceRules': [{'a': 1}, {'b': 1}] |"
            + " loosens excludeResourceRules matches more resources",
        "'excludeResourceRules': [{'a': 1}, {'b': 1}] | 'excludeResourceRules': [{'b': 1}] |"
            + " tightens excludeResourceRules matches fewer resources",
        "'excludeResourceRules': [] | 'excludeResourceRules': [{'a': 1}] | loosens"
            + " excludeResourceRules matches more resources",
        "'excludeResourceRules': [{'a': 1}] | 'x': 1 | tightens excludeResourceRules matches"
            + " fewer resources",
      })
  void tellsByStructureWhatItMatches(String before, String after, String expected) {
    var was = spec(DENIES + ", 'matchConstraints': {" + before + "}");
    var is = spec(DENIES + ", 'matchConstraints': {" + after.replace("'x': 1", "") + "}");

    assertThat(judged(POLICY, was, is)).containsExactly(expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "[{'expression': 'a'}] | [{'expression': 'a'}, {'expression': 'b'}] | tightens has"
            + " additional validations",
        "[{'expression': 'a'}, {'expression': 'b'}] | [{'expression': 'b'}] | loosens has fewer"
            + " validations",
        "[{'expression': 'a'}] | [{'expression': 'b'}] | may tighten validations changed",
        "['odd'] | ['other'] | may tighten validations changed",
      })
  void demandsMoreTheMoreValidationsThereAre(String before, String after, String expected) {
    assertThat(
            judged(
                POLICY,
                spec(DENIES + ", 'validations': " + before),
                spec(DENIES + ", 'validations': " + after)))
        .containsExactly(expected);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "'validations': [{'expression': 'a', 'message': 'm'}]",
        "'validations': [{'expression': 'a', 'messageExpression': 'm'}]",
        "'validations': [{'expression': 'a', 'reason': 'Invalid'}]",
        "'validations': [{'expression': 'a'}], 'auditAnnotations': [{'key': 'k'}]",
        "'validations': [{'expression': 'a'}], 'webhookConfiguration': {'timeoutSeconds': 3}",
        "'validations': [{'expression': 'a'}], 'evaluation': {'background': {'enabled': false}}",
      })
  void findsNothingInWhatBlocksNobody(String after) {
    assertThat(
            judged(
                POLICY,
                spec(DENIES + ", 'validations': [{'expression': 'a'}]"),
                spec(DENIES + ", " + after)))
        .isEmpty();
  }

  @Test
  void saysNothingOfWhomAPolicySparesThatDeniedNothingBefore() {
    var more = ", 'matchConditions': [{'name': 'a'}, {'name': 'b'}]";
    var fewer = ", 'matchConditions': [{'name': 'a'}]";

    assertThat(judged(POLICY, spec(AUDITS + fewer), spec(DENIES + more)))
        .containsExactly("tightens Audit → Enforce");
    assertThat(judged(POLICY, spec(AUDITS + more), spec(DENIES + fewer)))
        .containsExactly(
            "tightens Audit → Enforce", "tightens matchConditions matches more resources");
    assertThat(judged(POLICY, spec(DENIES + more), spec(AUDITS + fewer)))
        .containsExactly("loosens Enforce → Audit");
    assertThat(judged(POLICY, spec(AUDITS + more), spec(AUDITS + fewer))).isEmpty();
  }

  @Test
  void saysWhatBecomesOfRequestsThatNobodyCanJudge() {
    var ignores = spec(DENIES + ", 'failurePolicy': 'Ignore'");
    var fails = spec(DENIES + ", 'failurePolicy': 'Fail'");

    assertThat(judged(POLICY, ignores, fails))
        .containsExactly(
            "tightens failurePolicy Ignore → Fail: requests that cannot be evaluated are rejected");
    assertThat(judged(POLICY, fails, ignores))
        .containsExactly(
            "loosens failurePolicy Fail → Ignore: requests that cannot be evaluated are allowed");
    assertThat(judged(POLICY, spec(DENIES), fails)).as("the default").isEmpty();
  }

  private static String spec(String fields) {
    return "{'spec': {" + fields + "}}";
  }
}

package dev.policysync.policy.kyverno;

import static dev.policysync.policy.PolicyFixtures.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.policy.PolicyKind;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/// What a policy's text says of requests that nobody can judge.
class AdmissionTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "RULES | {} | true",
        "RULES | {'failurePolicy': 'Ignore'} | false",
        "RULES | {'webhookConfiguration': {'failurePolicy': 'Ignore'}} | false",
        "RULES | {'failurePolicy': 'Ignore', 'webhookConfiguration': {'failurePolicy': 'Fail'}} |"
            + " true",
        "RULES | {'admission': false} | false",
        "VALIDATING | {} | true",
        "VALIDATING | {'failurePolicy': 'Ignore'} | false",
        "VALIDATING | {'evaluation': {'admission': {'enabled': false}}} | false",
        "MUTATING_ADMISSION | {'failurePolicy': 'Fail'} | true",
        "GENERATING | {} | false",
        "GENERATING | {'failurePolicy': 'Fail'} | true",
        "GENERATING | {'failurePolicy': 'Fail', 'evaluation': {'admission': {'enabled': false}}} |"
            + " false",
        "DELETING | {'failurePolicy': 'Fail'} | false",
      })
  void requestsAreRefusedWhileNobodyAnswersUnlessItSaysIgnore(
      PolicyKind.Type type, String spec, boolean refused) {
    assertThat(Admission.judgesAndFailsClosed(type, json(spec))).isEqualTo(refused);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "VALIDATING | {'failurePolicy': 'Ignore'} | true",
        "IMAGE_VALIDATING | {'validationActions': ['Audit']} | false",
        "VALIDATING | {'evaluation': {'admission': {'enabled': false}}} | false",
        "MUTATING | {'failurePolicy': 'Ignore'} | false",
        "VALIDATING_ADMISSION | {} | true",
      })
  void anErrorCountsAsDenyInPoliciesThatValidateByCel(
      PolicyKind.Type type, String spec, boolean refused) {
    assertThat(Admission.refusesOnError(type, json(spec))).isEqualTo(refused);
  }

  @ParameterizedTest
  @EnumSource(
      names = {
        "CLEANUP",
        "DELETING",
        "VALIDATING_BINDING",
        "MUTATING_BINDING",
        "RULE_EXCEPTION",
        "CEL_POLICY_EXCEPTION",
        "CONTEXT_ENTRY"
      })
  void otherTypesSeeNoRequests(PolicyKind.Type type) {
    assertThat(Admission.judges(type, json("{}"))).isFalse();
  }
}

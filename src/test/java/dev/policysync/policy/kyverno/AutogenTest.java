package dev.policysync.policy.kyverno;

import static dev.policysync.policy.PolicyFixtures.json;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// For which rules Kyverno makes others for pod controllers: the cases of `CanAutoGen` in 1.19.
class AutogenTest {
  private static final String PODS = "'match': {'any': [{'resources': {'kinds': ['Pod']}}]}";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "'match': {'any': [{'resources': {'kinds': ['Pod']}}]} | true",
        "'match': {'resources': {'kinds': ['Pod'], 'namespaces': ['shop']}} | true",
        "'match': {'any': [{'resources': {'kinds': ['Pod'], 'operations': ['CREATE']}}]} | true",
        "'match': {'all': [{'resources': {'kinds': ['Pod']}}, {'subjects': ['x']}]} | true",
        "'match': {'any': [{'resources': {'kinds': ['Deployment']}}]} | false",
        "'match': {'any': [{'resources': {'kinds': ['v1/Pod']}}]} | false",
        "'match': {'any': [{'resources': {'kinds': ['Pod', 'Deployment']}}]} | false",
        "'match': {'any': [{'resources': {'kinds': ['Pod'], 'name': 'a'}}]} | false",
        "'match': {'any': [{'resources': {'kinds': ['Pod'], 'names': ['a']}}]} | false",
        "'match': {'any': [{'resources': {'kinds': ['Pod'], 'name': '', 'names': []}}]} | true",
        "'match': {'any': [{'resources': {'kinds': ['Pod'], 'selector': {}}}]} | false",
        "'match': {'any': [{'resources': {'kinds': ['Pod'], 'annotations': {}}}]} | false",
        "'match': {'any': [{'resources': {'kinds': ['Pod']}}]}, 'exclude': {'any': [{'resources':"
            + " {'kinds': ['Pod']}}]} | true",
        "'match': {'any': [{'resources': {'kinds': ['Pod']}}]}, 'exclude': {'any': [{'resources':"
            + " {'namespaces': ['shop']}}]} | true",
        "'match': {'any': [{'resources': {'kinds': ['Pod']}}]}, 'exclude': {'any': [{'resources':"
            + " {'kinds': ['Job']}}]} | false",
        "'match': {'any': [{'resources': {'kinds': ['Pod']}}]}, 'exclude': {'resources': {'name':"
            + " 'a'}} | false",
      })
  void appliesToWhatMatchesPodsAsSuch(String rule, boolean applies) {
    assertThat(applies("", rule)).isEqualTo(applies);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "'generate': {'kind': 'x'} | false",
        "'mutate': {'patchesJson6902': 'x'} | false",
        "'mutate': {'foreach': [{'patchesJson6902': 'x'}]} | false",
        "'mutate': {'patchStrategicMerge': {}} | true",
      })
  void isTakenFromAllRulesByOneThatPreventsIt(String other, boolean applies) {
    assertThat(
            Autogen.appliesTo(
                json("{'spec': {'rules': ['odd', {" + PODS + "}, {" + other + "}]}}"),
                json("{" + PODS + "}")))
        .isEqualTo(applies);
  }

  @ParameterizedTest
  @CsvSource({
    "none, false",
    "'', false",
    "Pod, false",
    "Deployment, true",
    "'none,Job', true",
    "' Deployment', false"
  })
  void isSwitchedByTheAnnotation(String controllers, boolean applies) {
    assertThat(
            applies("'annotations': {'" + Autogen.ANNOTATION + "': '" + controllers + "'}", PODS))
        .isEqualTo(applies);
  }

  @Test
  void namesTheControllerThatARuleMatchesItself() {
    assertThat(
            Autogen.controller(
                json(
                    "{'match': {'any': [{'resources': {'kinds': ['Pod', 'apps/v1/Deployment']}}]}}")))
        .contains("Deployment");
    assertThat(Autogen.controller(json("{" + PODS + "}"))).isEmpty();
  }

  private static boolean applies(String metadata, String rule) {
    return Autogen.appliesTo(
        json("{'metadata': {" + metadata + "}, 'spec': {'rules': [{" + rule + "}]}}"),
        json("{" + rule + "}"));
  }
}

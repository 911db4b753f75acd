package dev.policysync.policy.kyverno;

import static dev.policysync.policy.PolicyFixtures.json;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What Kyverno 1.19.0 means by an empty list in `match` and `exclude`.
class ResourceFilterTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{'any': []}",
        "{'all': []}",
        "{'any': [{}]}",
        "{'any': [null]}",
        "{'any': [{'resources': {}}, {'resources': {'names': []}}]}",
        "{'any': [{'resources': {'namespaces': []}}]}",
        "{'any': [{'resources': {'kinds': [], 'operations': []}}]}",
        "{'any': [{'resources': {'name': '', 'annotations': {}, 'selector': null}}]}",
        "{'resources': {'namespaces': []}}",
        "{'all': [{'resources': {'names': []}}]}",
        "{'all': [{'resources': {'namespaces': ['shop']}}, {}]}",
        "{'any': [{}], 'resources': {'namespaces': ['shop']}}",
      })
  void excludesNothingThatSaysNothing(String exclude) {
    assertThat(ResourceFilter.excluding(json(exclude))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'any': [{}, {'resources': {'namespaces': ['shop']}}]}",
        "{'all': [{'resources': {'namespaces': ['shop']}}]}",
        "{'any': [], 'all': [{'resources': {'names': ['shop']}}]}",
        "{'resources': {'kinds': ['Pod'], 'names': []}}",
        "{'any': [{'resources': {'namespaceSelector': {}}}]}",
        "{'any': [{'subjects': [{'kind': 'User', 'name': 'a'}]}]}",
      })
  void excludesWhatABlockNames(String exclude) {
    assertThat(ResourceFilter.excluding(json(exclude))).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"{'subjects': []}", "{'roles': [], 'resources': {'names': []}}"})
  void knowsAnEmptyListOfUsersThatIsAlone(String exclude) {
    assertThat(ResourceFilter.of(json(exclude)))
        .singleElement()
        .matches(ResourceFilter::isEmptyListOfUsers);
  }
}

package dev.policysync.policy.kyverno;

import static dev.policysync.policy.PolicyFixtures.json;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What of a live object is the API server's doing and no difference to what is applied.
class SchemaDefaultsTest {
  @Test
  void areTakenOutWhereverASchemaPutsThem() {
    assertThat(
            SchemaDefaults.removeFrom(
                json(
                    "{'required': true, 'nothing': null, 'list': [{'generate': false, 'a': 1}, 'b',"
                        + " 2, true], 'below': {'scope': '*', 'namespaceSelector': {}}}")))
        .isEqualTo(json("{'list': [{'a': 1}, 'b', 2, true], 'below': {}}"));
  }

  @Test
  void areOnlyTheValuesThatASchemaPutsThere() {
    var says =
        json("{'required': false, 'generate': true, 'scope': 'Namespaced', 'method': 'POST'}");

    assertThat(SchemaDefaults.removeFrom(says)).isEqualTo(says);
  }

  /// There the names are somebody's own.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "pattern",
        "anyPattern",
        "assert",
        "deny",
        "preconditions",
        "conditions",
        "value",
        "default",
        "matchLabels",
        "annotations"
      })
  void areNotLookedForInWhatAPolicyComparesWith(String field) {
    var says = json("{'%s': {'method': 'GET', 'below': {'required': true}}}".formatted(field));

    assertThat(SchemaDefaults.removeFrom(says)).isEqualTo(says);
  }
}

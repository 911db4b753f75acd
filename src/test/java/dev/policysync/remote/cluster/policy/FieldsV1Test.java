package dev.policysync.remote.cluster.policy;

import static dev.policysync.policy.PolicyFixtures.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.base.Value;
import dev.policysync.plan.managedfields.FieldOwnership;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Managed fields as they come, and as they never should: whatever is doubtful reads as drift, in
/// our own entry as well as in another's.
class FieldsV1Test {
  private static final Value.Mapping MANIFEST =
      json(
          """
          {'apiVersion': 'policies.kyverno.io/v1', 'kind': 'ValidatingPolicy',
           'metadata': {'name': 'team', 'labels': {'team': 'shop'}},
           'spec': {'actions': ['Deny', 1, true], 'validations': [{'expression': 'true'}],
                    'variables': [{'name': 'x', 'expression': '1'}], 'places': ['a', {'b': 'c'}],
                    'nothing': null, 'empty': {}, 'none': [], 'validationActions': []}}
          """);

  private static final String OURS =
      """
      {'manager': 'kyverno-policy-sync', 'operation': 'Apply', 'apiVersion': 'policies.kyverno.io/v1',
       'fieldsType': 'FieldsV1', 'time': '2026-08-01T12:00:00Z',
       'fieldsV1': {
         'f:metadata': {'f:labels': {'f:team': {}}},
         'f:spec': {'f:actions': {'v:"Deny"': {}, 'v:1': {}, 'v:true': {}}, 'f:validations': {},
                    'f:variables': {'k:{"name":"x"}': {'.': {}, 'f:name': {}, 'f:expression': {}}},
                    'f:places': {'i:0': {}, 'i:1': {'f:b': {}}}, 'f:nothing': {}, 'f:empty': {},
                    'f:none': {}}}}
      """;

  private static final String STATUS =
      """
      {'manager': 'kyverno', 'operation': 'Update', 'apiVersion': 'policies.kyverno.io/v1',
       'fieldsType': 'FieldsV1', 'fieldsV1': {'f:status': {'f:ready': {}}}, 'subresource': 'status'}
      """;

  @Test
  void areInSyncWhereTheyAreWhatAnApplyLeaves() {
    assertThat(inSync(OURS, STATUS)).isTrue();
    assertThat(inSync(STATUS, OURS, another("{'f:metadata': {'f:labels': {'f:note': {}}}}")))
        .isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "'v:\"Deny\"'           | 'v:\"Warn\"'",
        "'v:\"Deny\"'           | 'v:Deny'",
        "'v:\"Deny\"'           | 'v:\"Deny\" 1'",
        "'v:1'                  | 'v:\"1\"'",
        "'v:true'               | 'v:\"true\"'",
        "'v:true'               | 'v:'",
        "'k:{\"name\":\"x\"}'   | 'k:{\"name\":\"y\"}'",
        "'k:{\"name\":\"x\"}'   | 'k:{\"name\":\"x\",\"more\":1}'",
        "'k:{\"name\":\"x\"}'   | 'k:{}'",
        "'k:{\"name\":\"x\"}'   | 'k:{\"name\":'",
        "'k:{\"name\":\"x\"}'   | 'k:[\"x\"]'",
        "'k:{\"name\":\"x\"}'   | 'k:{\"name\":\"x\"}}'",
        "'i:1'                  | 'i:2'",
        "'i:1'                  | 'i:-1'",
        "'i:1'                  | 'i:one'",
        "'i:1'                  | 'x:1'",
        "'f:validations'        | 'validations'",
        "'f:validations'        | 'f:Validations'",
        "'f:validations'        | 'g:validations'",
        "'f:validations': {}    | 'f:validations': null",
        "'f:validations': {}    | 'f:validations': true",
        "'f:validations': {}    | 'f:validations': {'f:other': {}}",
        "'f:nothing': {},       | ``",
        "'f:empty': {}          | 'f:empty': {'f:more': {}}",
        "'f:expression': {}     | 'f:message': {}",
        "'f:labels'             | 'f:annotations'",
        "'f:spec'               | ''",
        "'FieldsV1'             | 'FieldsV2'",
        "'fieldsType': 'FieldsV1', | ``",
        "'fieldsV1'             | 'fieldsV2'",
        "'Apply'                | 'Update'",
        "'Apply'                | 'apply'",
        "'Apply'                | true",
        "'kyverno-policy-sync'  | 'kyverno-policy-sync2'",
        "'kyverno-policy-sync'  | null",
        "'time'                 | 'subresource': 'status', 'time'",
      })
  void areDriftWhereOurEntryIsOther(String there, String other) {
    assertThat(OURS).contains(there);

    assertThat(inSync(OURS.replace(there, other), STATUS)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "'f:more': {}, 'f:validations'",
        "'x:more': {}, 'f:validations'",
        "'': {}, 'f:validations'",
        "'f:more': 7, 'f:validations'",
        "'f:validationActions': {'v:1': {}}, 'f:validations'",
      })
  void areDriftWhereOurEntryHasMore(String more) {
    assertThat(inSync(OURS.replace("'f:validations'", more), STATUS)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'f:spec': {}}",
        "{'f:spec': {'f:variables': {'k:{\"name\":\"y\"}': {'.': {}, 'f:name': {}}}}}",
        "{'f:spec': {'x:odd': {}}}",
        "{'f:spec': 1}",
        "{'x:spec': {}}",
        "{'spec': {'f:more': {}}}",
        "[]",
        "7",
      })
  void areDriftWhereAnotherOwnsOrMayOwnSomethingOfTheSpec(String fields) {
    assertThat(inSync(OURS, another(fields), STATUS)).isFalse();
  }

  @Test
  void areDriftWhereSomebodyRemovedAnEmptyListOfOurs() {
    var without = OURS.replaceFirst(",\\s*'f:none': \\{}", "");

    assertThat(without).isNotEqualTo(OURS);
    assertThat(inSync(without, STATUS)).isFalse();
  }

  @Test
  void areDriftWhereAnEntryOfAnotherCannotBeRead() {
    var labels = another("{'f:metadata': {'f:labels': {'f:note': {}}}}");

    assertThat(inSync(OURS, labels.replace("FieldsV1", "FieldsV2"))).isFalse();
    assertThat(inSync(OURS, "7")).isFalse();
    assertThat(inSync(OURS, "null")).isFalse();
    assertThat(inSync(OURS, "{}")).isFalse();
  }

  @Test
  void areDriftWhereThereIsNoEntryOfOursOrMoreThanOne() {
    assertThat(inSync()).isFalse();
    assertThat(inSync(STATUS)).isFalse();
    assertThat(inSync(OURS, OURS)).isFalse();
  }

  @Test
  void areWrittenAsTheyWereRead() {
    var entries = List.<Value>of(json(OURS).without("time"), json(STATUS));

    assertThat(FieldsV1.write(FieldsV1.read(entries))).isEqualTo(new Value.Sequence(entries));
  }

  private static String another(String fields) {
    return "{'manager': 'kubectl-edit', 'operation': 'Update', 'apiVersion': 'v1',"
        + " 'fieldsType': 'FieldsV1', 'fieldsV1': "
        + fields
        + "}";
  }

  private static boolean inSync(String... entries) {
    var list = json("{'list': [" + String.join(",", entries) + "]}").items("list");
    FieldOwnership ownership = FieldsV1.read(list);
    return ownership.matches(MANIFEST) && ownership.intruders().isEmpty();
  }
}

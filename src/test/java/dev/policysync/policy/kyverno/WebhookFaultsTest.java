package dev.policysync.policy.kyverno;

import static dev.policysync.policy.PolicyFixtures.json;
import static dev.policysync.policy.PolicyFixtures.policy;
import static dev.policysync.policy.PolicyFixtures.value;
import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.base.Value;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.PolicyKind;
import dev.policysync.policy.admission.FieldFault;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// `realkyverno.BreakingPoliciesIT` shows what becomes of Kyverno's webhooks with such policies.
class WebhookFaultsTest {
  private static final String RULE =
      "{'apiGroups': [''], 'apiVersions': ['v1'], 'operations': ['CREATE'], 'resources': ['pods']}";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          operations  | ['create']                    | operations[0]
          operations  | ['CREATE', 'Update']          | operations[1]
          operations  | []                            | operations
          operations  | ['*', 'CREATE']               | operations
          operations  | ['CREATE ']                   | operations[0]
          apiGroups   | []                            | apiGroups
          apiGroups   | ['apps', '*']                 | apiGroups
          apiVersions | []                            | apiVersions
          apiVersions | ['']                          | apiVersions
          apiVersions | ['v1', '*']                   | apiVersions
          resources   | []                            | resources
          resources   | ['']                          | resources
          resources   | ['pods', '']                  | resources
          resources   | ['*', 'pods']                 | resources
          resources   | ['pods', '*']                 | resources
          resources   | ['*/*', 'pods']               | resources
          resources   | ['pods/*', 'pods/exec']       | resources
          resources   | ['pods/exec', 'pods/*']       | resources
          resources   | ['*/scale', 'pods/scale']     | resources
          scope       | 'namespaced'                  | scope
          """)
  void findsWhatAWebhookMayNotHave(String field, String value, String place) {
    var rule = json(RULE).with(field, value(value));

    assertThat(places(PolicyKind.VALIDATING_POLICY, constraints(rule)))
        .containsExactly("matchConstraints.resourceRules[0]." + place);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          operations  | ['*']
          operations  | ['CREATE', 'UPDATE', 'DELETE', 'CONNECT']
          apiGroups   | ['', 'apps']
          apiVersions | ['*']
          resources   | ['*']
          resources   | ['*/*']
          resources   | ['*', '*/scale', 'pods/exec']
          resources   | ['pods/*', 'deployments/scale']
          resources   | ['Pod']
          scope       | '*'
          """)
  void leavesAloneWhatAWebhookMayHave(String field, String value) {
    var rule = json(RULE).with(field, value(value));

    assertThat(places(PolicyKind.VALIDATING_POLICY, constraints(rule))).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {'matchLabels': {'team name': 'shop'}}                             | matchLabels.team name
          {'matchLabels': {'team': 'our shop'}}                              | matchLabels.team
          {'matchExpressions': [{'key': 'a//b', 'operator': 'Exists'}]}      | matchExpressions[0].key
          {'matchExpressions': [{'key': 'a', 'operator': 'notIn'}]}          | matchExpressions[0].operator
          {'matchExpressions': [{'key': 'a', 'operator': 'In'}]}             | matchExpressions[0].values
          {'matchExpressions': [{'key': 'a', 'operator': 'Exists', 'values': ['b']}]} | matchExpressions[0].values
          """)
  void findsInvalidSelectors(String selector, String place) {
    var constraints = constraints(json(RULE)).with("objectSelector", json(selector));

    assertThat(places(PolicyKind.NAMESPACED_MUTATING_POLICY, constraints))
        .containsExactly("matchConstraints.objectSelector." + place);
  }

  @Test
  void ignoresTheNamespaceSelectorOfANamespacedPolicy() {
    var constraints =
        constraints(json(RULE)).with("namespaceSelector", json("{'matchLabels': {'?': ''}}"));

    assertThat(places(PolicyKind.NAMESPACED_VALIDATING_POLICY, constraints)).isEmpty();
    assertThat(places(PolicyKind.VALIDATING_POLICY, constraints)).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource({"GENERATING_POLICY", "DELETING_POLICY", "VALIDATING_ADMISSION_POLICY"})
  void ignoresOperationsThatKyvernoDoesNotCopy(PolicyKind kind) {
    var rule = json(RULE).with("operations", value("['create']"));

    assertThat(places(kind, constraints(rule))).isEmpty();
  }

  @Test
  void ignoresAPolicyThatJudgesNoRequests() {
    var rule = json(RULE).with("resources", new Value.Sequence(List.of()));
    var spec =
        Value.Mapping.EMPTY
            .with("matchConstraints", constraints(rule))
            .with("evaluation", json("{'admission': {'enabled': false}}"));

    assertThat(ofSpec(PolicyKind.VALIDATING_POLICY, spec)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"0, 1", "1, 0", "30, 0", "31, 1"})
  void knowsTheLongestTimeout(int seconds, int faults) {
    var spec =
        Value.Mapping.EMPTY
            .with("matchConstraints", constraints(json(RULE)))
            .with("webhookConfiguration", json("{'timeoutSeconds': " + seconds + "}"));

    assertThat(ofSpec(PolicyKind.VALIDATING_POLICY, spec)).hasSize(faults);
  }

  @ParameterizedTest
  @CsvSource({"21, pods, 0", "22, pods, 1", "64, services, 0", "65, services, 1"})
  void countsTheMatchConditionsOfTheWebhook(int conditions, String resource, int faults) {
    assertThat(ofSpec(PolicyKind.VALIDATING_POLICY, conditions(conditions, resource, "true")))
        .hasSize(faults);
  }

  @Test
  void ignoresConditionsThatKyvernoDoesNotCopy() {
    assertThat(
            ofSpec(PolicyKind.VALIDATING_POLICY, conditions(65, "services", "variables.it == 1")))
        .isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"46, pods, 0", "47, pods, 1", "63, services, 0"})
  void measuresTheNamesOfMatchConditions(int length, String resource, int faults) {
    var condition = json("{'expression': 'true'}").with("name", "n".repeat(length));
    var spec =
        Value.Mapping.EMPTY
            .with("matchConstraints", ofResource(resource))
            .with("matchConditions", new Value.Sequence(List.of(condition)));

    assertThat(ofSpec(PolicyKind.VALIDATING_POLICY, spec)).hasSize(faults);
  }

  private static Value.Mapping conditions(int count, String resource, String expression) {
    var conditions =
        IntStream.range(0, count)
            .<Value>mapToObj(
                i -> Value.Mapping.EMPTY.with("name", "n" + i).with("expression", expression))
            .collect(Collectors.toList());
    return Value.Mapping.EMPTY
        .with("matchConstraints", ofResource(resource))
        .with("matchConditions", new Value.Sequence(conditions));
  }

  private static Value.Mapping ofResource(String resource) {
    return constraints(
        json(RULE).with("resources", new Value.Sequence(List.of(new Value.Text(resource)))));
  }

  private static Value.Mapping constraints(Value.Mapping rule) {
    return Value.Mapping.EMPTY.with("resourceRules", new Value.Sequence(List.of(rule)));
  }

  private static List<String> places(PolicyKind kind, Value.Mapping constraints) {
    return ofSpec(kind, Value.Mapping.EMPTY.with("matchConstraints", constraints));
  }

  private static List<String> ofSpec(PolicyKind kind, Value.Mapping spec) {
    var id = kind.namespaced() ? PolicyId.of(kind, "shop", "a") : PolicyId.of(kind, "a");
    var content = policy(id).content().with("spec", spec);
    return WebhookFaults.of(kind, content).stream()
        .map(FieldFault::text)
        .map(text -> text.substring("spec.".length(), text.indexOf(": ")))
        .toList();
  }
}

package dev.policysync.plan;

import static dev.policysync.policy.PolicyFixtures.json;
import static dev.policysync.policy.PolicyFixtures.value;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PolicyDiffTest {
  @Test
  void findsNothingInEqualObjects() {
    assertThat(between("{'a': {'b': [1, 2]}, 'c': null}", "{'c': null, 'a': {'b': [1, 2]}}"))
        .isEmpty();
  }

  @Test
  void namesAFieldByItsPath() {
    assertThat(
            between(
                "{'spec': {'admission': {'enabled': true}}}",
                "{'spec': {'admission': {'enabled': false}}}"))
        .containsExactly(changed("spec.admission.enabled", "true", "false"));
  }

  @Test
  void tellsNewFromGone() {
    assertThat(between("{'spec': {'old': 1}}", "{'spec': {'fresh': {'x': 2}}}"))
        .containsExactly(added("spec.fresh", "{'x': 2}"), removed("spec.old", "1"));
  }

  @Test
  void showsAWholeNewObjectFieldByField() {
    assertThat(between("{}", "{'kind': 'ClusterPolicy', 'spec': {'rules': []}}"))
        .containsExactly(added("kind", "'ClusterPolicy'"), added("spec", "{'rules': []}"));
  }

  @Test
  void keepsTheOrderOfTheNewerObject() {
    assertThat(between("{'a': 1, 'b': 1, 'c': 1}", "{'c': 2, 'd': 2, 'a': 2}"))
        .extracting(FieldChange::path)
        .containsExactly("c", "d", "a", "b");
  }

  @Test
  void bracketsANameWithADotOrASlash() {
    assertThat(
            between(
                "{'metadata': {'annotations': {}}}",
                "{'metadata': {'annotations': {'policies.kyverno.io/title': 'T', 'a/b': '1', 'c': ''}}}"))
        .extracting(FieldChange::path)
        .containsExactly(
            "metadata.annotations[policies.kyverno.io/title]",
            "metadata.annotations[a/b]",
            "metadata.annotations.c");
  }

  @Test
  void comparesNamedItemsByName() {
    assertThat(
            between(
                "{'rules': [{'name': 'a', 'x': 1}, {'name': 'b', 'x': 1}]}",
                "{'rules': [{'name': 'new'}, {'name': 'a', 'x': 1}, {'name': 'b', 'x': 2}]}"))
        .containsExactly(added("rules[new]", "{'name': 'new'}"), changed("rules[b].x", "1", "2"));
  }

  @Test
  void findsANamedItemThatIsGone() {
    assertThat(between("{'rules': [{'name': 'a'}, {'name': 'b'}]}", "{'rules': [{'name': 'b'}]}"))
        .containsExactly(removed("rules[a]", "{'name': 'a'}"));
  }

  @Test
  void comparesOtherItemsByTheirPlace() {
    assertThat(between("{'kinds': ['Pod', 'Job']}", "{'kinds': ['Pod', 'CronJob', 'Job']}"))
        .containsExactly(changed("kinds[1]", "'Job'", "'CronJob'"), added("kinds[2]", "'Job'"));
    assertThat(between("{'any': [{'a': {'b': 1}}]}", "{'any': [{'a': {'b': 2}}]}"))
        .containsExactly(changed("any[0].a.b", "1", "2"));
  }

  @Test
  void comparesByPlaceWhereTwoItemsShareAName() {
    assertThat(
            between(
                "{'rules': [{'name': 'a', 'x': 1}, {'name': 'a', 'x': 2}]}",
                "{'rules': [{'name': 'a', 'x': 1}, {'name': 'a', 'x': 3}]}"))
        .containsExactly(changed("rules[1].x", "2", "3"));
  }

  @Test
  void showsAFieldThatBecameAnotherKindOfValue() {
    assertThat(between("{'a': {'b': 1}, 'c': [1], 'd': 1}", "{'a': [1], 'c': {'0': 1}, 'd': '1'}"))
        .containsExactly(
            changed("a", "{'b': 1}", "[1]"),
            changed("c", "[1]", "{'0': 1}"),
            changed("d", "1", "'1'"));
  }

  @Test
  void tellsNullFromNothing() {
    assertThat(between("{'a': null}", "{}")).containsExactly(removed("a", "null"));
  }

  @Test
  void showsThatNamedItemsChangedTheirOrder() {
    assertThat(
            between(
                "{'rules': [{'name': 'a'}, {'name': 'b'}]}",
                "{'rules': [{'name': 'b'}, {'name': 'a'}]}"))
        .containsExactly(changed("rules (order)", "['a', 'b']", "['b', 'a']"));
  }

  @Test
  void leavesOutTheMarkThatChangesWithEverything() {
    assertThat(
            between(
                """
                {'metadata': {'annotations': {'policysync.dev/applied': 'old', 'a': '1'}}}
                """,
                """
                {'metadata': {'annotations': {'policysync.dev/applied': 'new', 'a': '2'}}}
                """))
        .containsExactly(changed("metadata.annotations.a", "'1'", "'2'"));
  }

  @Test
  void saysInWordsThatAPolicyBeginsToBlock() {
    var policyDiff =
        PolicyDiff.between(
            json(
                """
                {'apiVersion': 'kyverno.io/v1', 'kind': 'ClusterPolicy',
                 'spec': {'validationFailureAction': 'Audit',
                 'rules': [{'name': 'a', 'validate': {'failureAction': 'Audit'}}]}}
                """),
            json(
                """
                {'apiVersion': 'kyverno.io/v1', 'kind': 'ClusterPolicy',
                 'spec': {'validationFailureAction': 'Audit',
                 'rules': [{'name': 'a', 'validate': {'failureAction': 'Enforce'}}]}}
                """));

    assertThat(policyDiff)
        .isEqualTo(
            new PolicyDiff(
                List.of(changed("spec.rules[a].validate.failureAction", "'Audit'", "'Enforce'")),
                Optional.of("Audit → Enforce")));
  }

  private static List<FieldChange> between(String before, String after) {
    return PolicyDiff.between(json(before), json(after)).fields();
  }

  private static FieldChange changed(String path, String before, String after) {
    return new FieldChange(path, Optional.of(value(before)), Optional.of(value(after)));
  }

  private static FieldChange added(String path, String after) {
    return new FieldChange(path, Optional.empty(), Optional.of(value(after)));
  }

  private static FieldChange removed(String path, String before) {
    return new FieldChange(path, Optional.of(value(before)), Optional.empty());
  }
}

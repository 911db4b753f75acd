package dev.policysync.plan.managedfields;

import static dev.policysync.plan.managedfields.OwnershipFixtures.fields;
import static dev.policysync.policy.PolicyFixtures.json;
import static dev.policysync.policy.PolicyFixtures.value;
import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.base.Value;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FieldSetTest {
  private static final Set<String> KEYED = Set.of("variables");

  @Test
  void coversEveryLeafBelowAStruct() {
    var set = fields("{'f:evaluation': {'f:admission': {'f:enabled': {}}, 'f:mode': {}}}");

    assertThat(
            set.covers(
                json("{'evaluation': {'admission': {'enabled': true}, 'mode': 'JSON'}}"), KEYED))
        .isTrue();
    assertThat(set.covers(json("{'evaluation': {'admission': {'enabled': true, 'x': 1}}}"), KEYED))
        .isFalse();
  }

  @Test
  void coversAWholeListBelowOnePath() {
    var set = fields("{'f:rules': {}}");

    assertThat(set.covers(json("{'rules': [{'name': 'a', 'match': {'any': []}}, 7, null]}"), KEYED))
        .isTrue();
  }

  @Test
  void coversAWholeMappingBelowOnePath() {
    var set = fields("{'f:matchConstraints': {}}");

    assertThat(set.covers(json("{'matchConstraints': {'resourceRules': [{'x': 1}]}}"), KEYED))
        .isTrue();
  }

  @Test
  void findsListItemsByTheirKeys() {
    var set =
        fields(
            """
            {'f:variables': {'k:{"name":"a"}': {'.': {}, 'f:name': {}, 'f:expression': {}},
                             'k:{"name":"b"}': {}}}
            """);

    assertThat(
            set.covers(
                json(
                    """
                    {'variables': [{'name': 'b', 'expression': '2'}, {'name': 'a', 'expression': '1'}]}
                    """),
                KEYED))
        .isTrue();
    assertThat(set.covers(json("{'variables': [{'name': 'c', 'expression': '3'}]}"), KEYED))
        .isFalse();
  }

  @Test
  void missesTheOneFieldOfAListItemThatIsNotInIt() {
    var set = fields("{'f:variables': {'k:{\"name\":\"a\"}': {'.': {}, 'f:name': {}}}}");

    assertThat(set.covers(json("{'variables': [{'name': 'a', 'expression': '1'}]}"), KEYED))
        .isFalse();
  }

  @Test
  void findsListItemsBySeveralKeys() {
    var set = fields("{'f:ports': {'k:{\"port\":80,\"protocol\":\"TCP\"}': {}}}");

    assertThat(
            set.covers(json("{'ports': [{'port': 80, 'protocol': 'TCP', 'name': 'web'}]}"), KEYED))
        .isTrue();
    assertThat(
            set.covers(json("{'ports': [{'port': 80, 'protocol': 'UDP', 'name': 'web'}]}"), KEYED))
        .isFalse();
  }

  @Test
  void findsItemsOfASetByValue() {
    var set = fields("{'f:validationActions': {'v:\"Audit\"': {}, 'v:1': {}}}");

    assertThat(set.covers(json("{'validationActions': ['Audit', 1]}"), KEYED)).isTrue();
    assertThat(set.covers(json("{'validationActions': ['Deny']}"), KEYED)).isFalse();
    assertThat(set.covers(json("{'validationActions': ['1']}"), KEYED)).isFalse();
  }

  @Test
  void findsListItemsByTheirPlace() {
    var set = fields("{'f:items': {'i:0': {}, 'i:1': {'f:a': {}}}}");

    assertThat(set.covers(json("{'items': ['x', {'a': 1}]}"), KEYED)).isTrue();
    assertThat(set.covers(json("{'items': ['x', {'a': 1}, 'y']}"), KEYED)).isFalse();
    assertThat(set.covers(json("{'items': ['x', {'b': 1}]}"), KEYED)).isFalse();
  }

  @Test
  void wantsAPathOfItsOwnForAnEmptyMapping() {
    assertThat(fields("{'f:match': {}}").covers(json("{'match': {}}"), KEYED)).isTrue();
    assertThat(fields("{'f:match': {'f:any': {}}}").covers(json("{'match': {}}"), KEYED)).isFalse();
    assertThat(fields("{'f:other': {}}").covers(json("{'match': {}}"), KEYED)).isFalse();
  }

  @Test
  void wantsNoPathForAnEmptyList() {
    // An empty list whose items could be named has no path in an apply's set: there is no leaf.
    var set = fields("{'f:background': {}}");

    assertThat(set.covers(json("{'background': true, 'variables': []}"), KEYED)).isTrue();
    assertThat(set.covers(json("{'background': true, 'deep': {'variables': []}}"), KEYED)).isTrue();
    assertThat(set.covers(json("{'background': true, 'deep': {'variables': [1]}}"), KEYED))
        .isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"'x'", "1", "true", "null"})
  void wantsThePathOfEveryScalar(String scalar) {
    var value = json("{'a': %s}".formatted(scalar));

    assertThat(fields("{'f:a': {}}").covers(value, KEYED)).isTrue();
    assertThat(fields("{'f:a': {'.': {}, 'f:b': {}}}").covers(value, KEYED)).isTrue();
    assertThat(fields("{'f:a': {'f:b': {}}}").covers(value, KEYED)).isFalse();
    assertThat(fields("{'f:b': {}}").covers(value, KEYED)).isFalse();
  }

  @Test
  void coversNothingIfItIsEmpty() {
    assertThat(FieldSet.NONE.covers(json("{'a': 1}"), KEYED)).isFalse();
    assertThat(FieldSet.NONE.covers(value("'a'"), KEYED)).isFalse();
    assertThat(FieldSet.NONE.covers(Value.Mapping.EMPTY, KEYED)).isFalse();
  }

  @Test
  void isWithinAValueThatHasAllItsPaths() {
    var set =
        fields(
            """
            {'f:rules': {}, 'f:actions': {'v:"Audit"': {}}, 'f:empty': {}, 'f:items': {'i:0': {}},
             'f:variables': {'k:{"name":"a"}': {'.': {}, 'f:name': {}}}}
            """);

    assertThat(
            set.within(
                json(
                    """
                    {'rules': [1], 'actions': ['Audit', 'Deny'], 'empty': null, 'items': [1],
                     'variables': [{'name': 'b'}, {'name': 'a', 'expression': '1'}], 'more': 1}
                    """)))
        .isTrue();
  }

  @Test
  void isNotWithinAValueThatLacksOneOfItsPaths() {
    assertThat(fields("{'f:a': {}, 'f:b': {}}").within(json("{'a': 1}"))).isFalse();
    assertThat(fields("{'f:a': {'f:b': {}}}").within(json("{'a': 1}"))).isFalse();
    assertThat(fields("{'f:a': {'v:\"x\"': {}}}").within(json("{'a': ['y']}"))).isFalse();
    assertThat(fields("{'f:a': {'i:1': {}}}").within(json("{'a': ['y']}"))).isFalse();
    assertThat(fields("{'f:a': {'k:{\"n\":1}': {}}}").within(json("{'a': [{'n': 2}]}"))).isFalse();
    assertThat(
            fields("{'f:a': {'k:{\"n\":1}': {'f:n': {}, 'f:m': {}}}}")
                .within(json("{'a': [{'n': 1}]}")))
        .isFalse();
  }

  @Test
  void unitesThePathsOfBoth() {
    var one = fields("{'f:a': {}, 'f:b': {'f:c': {}}}");
    var other = fields("{'f:b': {'.': {}, 'f:d': {}}, 'f:e': {'v:1': {}}}");

    assertThat(one.union(other))
        .isEqualTo(
            fields("{'f:a': {}, 'f:b': {'.': {}, 'f:c': {}, 'f:d': {}}, 'f:e': {'v:1': {}}}"));
    assertThat(one.union(FieldSet.NONE)).isEqualTo(one);
    assertThat(FieldSet.NONE.union(one)).isEqualTo(one);
  }

  @Test
  void keepsAPathThatIsALeafInOneAndAParentInTheOther() {
    var leaf = fields("{'f:a': {}}");
    var parent = fields("{'f:a': {'f:b': {}}}");

    assertThat(leaf.union(parent)).isEqualTo(fields("{'f:a': {'.': {}, 'f:b': {}}}"));
    assertThat(parent.union(leaf)).isEqualTo(leaf.union(parent));
  }

  @Test
  void takesAwayThePathsOfTheOther() {
    var one = fields("{'f:a': {}, 'f:b': {'.': {}, 'f:c': {}, 'f:d': {}}, 'f:e': {'f:f': {}}}");

    assertThat(one.minus(fields("{'f:a': {}, 'f:b': {'f:c': {}}, 'f:e': {'f:f': {}}}")))
        .isEqualTo(fields("{'f:b': {'.': {}, 'f:d': {}}}"));
    assertThat(one.minus(FieldSet.NONE)).isEqualTo(one);
    assertThat(one.minus(one)).isEqualTo(FieldSet.NONE);
  }

  @Test
  void takesAwayAContainerWithTheLastThatIsInIt() {
    var one = fields("{'f:a': {'.': {}, 'f:b': {}}, 'f:c': {'.': {}, 'f:d': {}, 'f:e': {}}}");

    assertThat(one.minus(fields("{'f:a': {'f:b': {}}, 'f:c': {'f:d': {}}}")))
        .isEqualTo(fields("{'f:c': {'.': {}, 'f:e': {}}}"));
  }

  @Test
  void namesAValueThatHasOneOfItsLeaves() {
    assertThat(fields("{'f:a': {'f:b': {}}}").names(json("{'a': {'b': 1, 'c': 2}}"))).isTrue();
    assertThat(fields("{'f:a': {'v:\"x\"': {}}}").names(json("{'a': ['x', 'y']}"))).isTrue();
    assertThat(
            fields("{'f:a': {'k:{\"n\":1}': {'f:m': {}}}}")
                .names(json("{'a': [{'n': 1, 'm': 2}]}")))
        .isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"'x'", "1", "true", "null", "{}", "[]"})
  void namesAValueThatIsALeafByItsOwnPathAlone(String leaf) {
    var value = json("{'a': %s}".formatted(leaf));

    assertThat(fields("{'f:a': {}}").names(value)).isTrue();
    assertThat(fields("{'f:a': {'f:b': {}}}").names(value)).isFalse();
  }

  @Test
  void namesNoValueOfWhichItHasNoLeaf() {
    assertThat(fields("{'f:a': {'f:b': {}}}").names(json("{'a': {'c': 2}}"))).isFalse();
    assertThat(fields("{'f:a': {'v:\"x\"': {}}}").names(json("{'a': ['y']}"))).isFalse();
    assertThat(fields("{'f:a': {'.': {}, 'f:b': {}}}").names(json("{'a': {'c': 2}}"))).isFalse();
    assertThat(fields("{'f:a': {}}").names(json("{'a': {'c': 2}}"))).isFalse();
    assertThat(FieldSet.NONE.names(json("{'a': 1}"))).isFalse();
  }

  @Test
  void keepsWhatIsBelowAPathThatAloneIsTakenAway() {
    assertThat(fields("{'f:a': {'.': {}, 'f:b': {}}}").minus(fields("{'f:a': {}}")))
        .isEqualTo(fields("{'f:a': {'f:b': {}}}"));
    assertThat(fields("{'f:a': {}}").minus(fields("{'f:a': {'f:b': {}}}")))
        .isEqualTo(fields("{'f:a': {}}"));
  }
}

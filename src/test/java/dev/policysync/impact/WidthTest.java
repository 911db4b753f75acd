package dev.policysync.impact;

import static dev.policysync.policy.PolicyFixtures.json;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// How much more or less a selection takes in than before, by what its lists gain and lose.
class WidthTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "{} | {} | SAME",
        "{'any': [{'a': 1}]} | {'any': [{'a': 1}, {'b': 1}]} | WIDER",
        "{'any': [{'a': 1}, {'b': 1}]} | {'any': [{'b': 1}]} | NARROWER",
        "{'any': [{'a': 1}, {'b': 1}]} | {'any': [{'b': 1}, {'a': 1}]} | SAME",
        "{'any': [{'a': 1}, {'b': 1}]} | {'any': [{'c': 1}, {'d': 1}]} | BOTH",
        "{'all': [{'a': 1}]} | {'all': [{'a': 1}, {'b': 1}]} | NARROWER",
        "{'all': [{'a': 1}, {'b': 1}]} | {'all': [{'b': 1}]} | WIDER",
        "{'all': [{'a': 1}, {'b': 1}]} | {'all': [{'c': 1}, {'d': 1}]} | BOTH",
        "{'any': [{'a': 1}], 'all': [{'a': 1}]} | {'any': [{'a': 1}, {'b': 1}], 'all': [{'a': 1}, {'b': 1}]} | BOTH",
      })
  void ofAnyOneMoreBlockWidensAndOfAllItNarrows(String before, String after, Width expected) {
    assertThat(filter(before, after)).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(strings = {"any", "all"})
  void nobodyKnowsWhatTheFirstBlockOrAnotherSortOfBlockDoes(String list) {
    assertThat(filter("{'%s': []}", "{'%s': [{'a': 1}]}", list)).isEqualTo(Width.CHANGED);
    assertThat(filter("{'%s': [{'a': 1}]}", "{}", list)).isEqualTo(Width.CHANGED);
    assertThat(filter("{'%s': ['a']}", "{'%s': [{'a': 1}]}", list)).isEqualTo(Width.CHANGED);
    assertThat(filter("{'%s': [{'a': 1}]}", "{'%s': ['a']}", list)).isEqualTo(Width.CHANGED);
  }

  /// A block that changes takes in what its lists say, in `any` as in `all` and beside them.
  @ParameterizedTest
  @ValueSource(strings = {"{'any': [%s]}", "{'all': [%s]}", "%s"})
  void aBlockIsAsWideAsItsLists(String filter) {
    var pods = filter.formatted("{'resources': {'kinds': ['Pod']}}");
    var both = filter.formatted("{'resources': {'kinds': ['Pod', 'Job']}}");
    var jobs = filter.formatted("{'resources': {'kinds': ['Job']}}");
    var inShop = filter.formatted("{'resources': {'kinds': ['Pod'], 'namespaces': ['shop']}}");
    var jobsInShop = filter.formatted("{'resources': {'kinds': ['Job'], 'namespaces': ['shop']}}");

    assertThat(filter(pods, both)).isEqualTo(Width.WIDER);
    assertThat(filter(both, pods)).isEqualTo(Width.NARROWER);
    assertThat(filter(pods, jobs)).isEqualTo(Width.BOTH);
    assertThat(filter(pods, inShop)).isEqualTo(Width.NARROWER);
    assertThat(filter(inShop, jobsInShop)).isEqualTo(Width.BOTH);
    assertThat(filter(pods, pods)).isEqualTo(Width.SAME);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "names",
        "namespaces",
        "operations",
        "subjects",
        "roles",
        "clusterRoles",
        "resourceNames"
      })
  void aListThatLimitsTakesInEverythingWhereItIsAbsent(String list) {
    assertThat(block("{'%s': ['a']}", "{}", list)).isEqualTo(Width.WIDER);
    assertThat(block("{}", "{'%s': ['a']}", list)).isEqualTo(Width.NARROWER);
    assertThat(block("{'%s': ['a']}", "{'%s': []}", list)).isEqualTo(Width.WIDER);
    assertThat(block("{'%s': []}", "{}", list)).isEqualTo(Width.SAME);
    assertThat(block("{'%s': ['a']}", "{'%s': ['a', 'b']}", list)).isEqualTo(Width.WIDER);
    assertThat(block("{'%s': ['a', 'b']}", "{'%s': ['a']}", list)).isEqualTo(Width.NARROWER);
  }

  @ParameterizedTest
  @ValueSource(strings = {"kinds", "apiGroups", "apiVersions", "resources"})
  void aListThatNamesTakesInWhatItNames(String list) {
    assertThat(block("{'%s': ['a']}", "{'%s': ['a', 'b']}", list)).isEqualTo(Width.WIDER);
    assertThat(block("{'%s': ['a', 'b']}", "{'%s': ['b']}", list)).isEqualTo(Width.NARROWER);
    assertThat(block("{'%s': ['a', 'b']}", "{'%s': ['b', 'a']}", list)).isEqualTo(Width.SAME);
    assertThat(block("{'%s': ['a']}", "{'%s': ['b']}", list)).isEqualTo(Width.BOTH);
    assertThat(block("{'%s': ['a']}", "{}", list)).as("nothing named").isEqualTo(Width.CHANGED);
    assertThat(block("{'%s': []}", "{'%s': ['a']}", list)).isEqualTo(Width.CHANGED);
  }

  @ParameterizedTest
  @ValueSource(strings = {"kinds", "namespaces"})
  void anAsteriskTakesInEverything(String list) {
    assertThat(block("{'%s': ['a', 'b']}", "{'%s': ['*']}", list)).isEqualTo(Width.WIDER);
    assertThat(block("{'%s': ['*']}", "{'%s': ['a']}", list)).isEqualTo(Width.NARROWER);
    assertThat(block("{'%s': ['*']}", "{'%s': ['*', 'a']}", list)).isEqualTo(Width.SAME);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "{'selector': {'matchLabels': {'a': 'b'}}} | {'selector': {'matchLabels': {'a': 'c'}}}",
        "{'annotations': {'a': 'b'}} | {}",
        "{'unheardOf': ['a']} | {'unheardOf': ['a', 'b']}",
        "{'kinds': 'Pod'} | {'kinds': ['Pod']}",
        "{'resources': {'kinds': ['Pod']}} | {'resources': ['pods']}",
        "{'resources': ['pods']} | {'resources': {'kinds': ['Pod']}}",
      })
  void nobodyKnowsWhatAnythingElseDoes(String before, String after) {
    assertThat(Width.ofBlock(json(before), json(after))).isEqualTo(Width.CHANGED);
  }

  @Test
  void resourcesThatComeOrGoCountByTheirLists() {
    var named = "{'resources': {'names': ['a']}}";

    assertThat(Width.ofBlock(json(named), json("{}"))).isEqualTo(Width.WIDER);
    assertThat(Width.ofBlock(json("{}"), json(named))).isEqualTo(Width.NARROWER);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "{} | {} | SAME",
        "{} | {'any': [{'a': 1}]} | WIDER",
        "{'any': [{'a': 1}]} | {} | NARROWER",
        "{'any': [{'a': 1}]} | {'any': [{'a': 1}, {'b': 1}]} | WIDER",
        "{'any': [{'a': 1}]} | {'any': [{'a': 1}]} | SAME",
      })
  void anExclusionThatSaysNothingSparesNothing(String before, String after, Width expected) {
    assertThat(Width.ofExclusion(json(before), json(after))).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "['a'] | ['a'] | SAME",
        "['a'] | ['a', 'b'] | NARROWER",
        "['a', 'b'] | ['b'] | WIDER",
        "['a'] | ['b'] | CHANGED",
      })
  void conditionsTakeInLessTheMoreThereAre(String before, String after, Width expected) {
    var was = json("{'c': " + before + "}").items("c");
    var is = json("{'c': " + after + "}").items("c");

    assertThat(Width.conditions(was, is)).isEqualTo(expected);
  }

  @ParameterizedTest
  @EnumSource
  void twoChangesTogetherAreWiderOnlyIfNeitherIsNarrower(Width one) {
    for (var other : Width.values()) {
      assertThat(one.and(other)).as("%s and %s", one, other).isEqualTo(other.and(one));
    }
    assertThat(one.and(Width.SAME)).isEqualTo(one);
    assertThat(one.and(one)).isEqualTo(one);
    assertThat(one.and(Width.CHANGED)).isEqualTo(Width.CHANGED);
    assertThat(Width.WIDER.and(Width.NARROWER)).isEqualTo(Width.BOTH);
    assertThat(Width.WIDER.and(Width.BOTH)).isEqualTo(Width.BOTH);
    assertThat(Width.NARROWER.and(Width.BOTH)).isEqualTo(Width.BOTH);
  }

  private static Width filter(String before, String after) {
    return Width.ofFilter(json(before), json(after));
  }

  private static Width filter(String before, String after, String list) {
    return filter(before.formatted(list), after.formatted(list));
  }

  private static Width block(String before, String after, String list) {
    return Width.ofBlock(json(before.formatted(list)), json(after.formatted(list)));
  }
}

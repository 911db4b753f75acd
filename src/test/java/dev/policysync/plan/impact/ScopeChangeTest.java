package dev.policysync.plan.impact;

import static dev.policysync.policy.PolicyFixtures.json;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// How much more or less a selection takes in than before, by what its lists gain and lose.
class ScopeChangeTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "kinds",
        "names",
        "namespaces",
        "operations",
        "subjects",
        "roles",
        "clusterRoles",
        "resourceNames"
      })
  void aListThatLimitsTakesInEverythingWhereItIsAbsent(String list) {
    assertThat(block("{'%s': ['a']}", "{}", list)).isEqualTo(ScopeChange.WIDER);
    assertThat(block("{}", "{'%s': ['a']}", list)).isEqualTo(ScopeChange.NARROWER);
    assertThat(block("{'%s': ['a']}", "{'%s': []}", list)).isEqualTo(ScopeChange.WIDER);
    assertThat(block("{'%s': []}", "{}", list)).isEqualTo(ScopeChange.SAME);
    assertThat(block("{'%s': ['a']}", "{'%s': ['a', 'b']}", list)).isEqualTo(ScopeChange.WIDER);
    assertThat(block("{'%s': ['a', 'b']}", "{'%s': ['a']}", list)).isEqualTo(ScopeChange.NARROWER);
  }

  @ParameterizedTest
  @ValueSource(strings = {"apiGroups", "apiVersions", "resources"})
  void aListThatNamesTakesInWhatItNames(String list) {
    assertThat(block("{'%s': ['a']}", "{'%s': ['a', 'b']}", list)).isEqualTo(ScopeChange.WIDER);
    assertThat(block("{'%s': ['a', 'b']}", "{'%s': ['b']}", list)).isEqualTo(ScopeChange.NARROWER);
    assertThat(block("{'%s': ['a', 'b']}", "{'%s': ['b', 'a']}", list)).isEqualTo(ScopeChange.SAME);
    assertThat(block("{'%s': ['a']}", "{'%s': ['b']}", list)).isEqualTo(ScopeChange.BOTH);
    assertThat(block("{'%s': ['a']}", "{}", list))
        .as("nothing named")
        .isEqualTo(ScopeChange.CHANGED);
    assertThat(block("{'%s': []}", "{'%s': ['a']}", list)).isEqualTo(ScopeChange.CHANGED);
  }

  @ParameterizedTest
  @ValueSource(strings = {"kinds", "namespaces"})
  void anAsteriskTakesInEverything(String list) {
    assertThat(block("{'%s': ['a', 'b']}", "{'%s': ['*']}", list)).isEqualTo(ScopeChange.WIDER);
    assertThat(block("{'%s': ['*']}", "{'%s': ['a']}", list)).isEqualTo(ScopeChange.NARROWER);
    assertThat(block("{'%s': ['*']}", "{'%s': ['*', 'a']}", list)).isEqualTo(ScopeChange.SAME);
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
    assertThat(ScopeChange.ofBlock(json(before), json(after))).isEqualTo(ScopeChange.CHANGED);
  }

  @Test
  void resourcesThatComeOrGoCountByTheirLists() {
    var named = "{'resources': {'names': ['a']}}";

    assertThat(ScopeChange.ofBlock(json(named), json("{}"))).isEqualTo(ScopeChange.WIDER);
    assertThat(ScopeChange.ofBlock(json("{}"), json(named))).isEqualTo(ScopeChange.NARROWER);
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
  void conditionsTakeInLessTheMoreThereAre(String before, String after, ScopeChange expected) {
    var was = json("{'c': " + before + "}").items("c");
    var is = json("{'c': " + after + "}").items("c");

    assertThat(ScopeChange.conditions(was, is)).isEqualTo(expected);
  }

  @ParameterizedTest
  @EnumSource
  void twoChangesTogetherAreWiderOnlyIfNeitherIsNarrower(ScopeChange one) {
    for (var other : ScopeChange.values()) {
      assertThat(one.and(other)).as("%s and %s", one, other).isEqualTo(other.and(one));
    }
    assertThat(one.and(ScopeChange.SAME)).isEqualTo(one);
    assertThat(one.and(one)).isEqualTo(one);
    assertThat(one.and(ScopeChange.CHANGED)).isEqualTo(ScopeChange.CHANGED);
    assertThat(ScopeChange.WIDER.and(ScopeChange.NARROWER)).isEqualTo(ScopeChange.BOTH);
    assertThat(ScopeChange.WIDER.and(ScopeChange.BOTH)).isEqualTo(ScopeChange.BOTH);
    assertThat(ScopeChange.NARROWER.and(ScopeChange.BOTH)).isEqualTo(ScopeChange.BOTH);
  }

  private static ScopeChange block(String before, String after, String list) {
    return ScopeChange.ofBlock(json(before.formatted(list)), json(after.formatted(list)));
  }
}

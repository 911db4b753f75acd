package dev.policysync.plan.impact;

import static dev.policysync.policy.PolicyFixtures.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.plan.impact.FilterChange.Role;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// How much more or less a `match` or an `exclude` selects than before, block by block.
class FilterChangeTest {
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
        "{'any': [{'a': 1}], 'all': [{'a': 1}]} | {'any': [{'a': 1}, {'b': 1}], 'all': [{'a': 1},"
            + " {'b': 1}]} | WIDER",
      })
  void ofAnyOneMoreBlockWidensAndOfAllItNarrows(String before, String after, ScopeChange expected) {
    assertThat(filter(before, after)).isEqualTo(expected);
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

    assertThat(filter(pods, both)).isEqualTo(ScopeChange.WIDER);
    assertThat(filter(both, pods)).isEqualTo(ScopeChange.NARROWER);
    assertThat(filter(pods, jobs)).isEqualTo(ScopeChange.BOTH);
    assertThat(filter(pods, inShop)).isEqualTo(ScopeChange.NARROWER);
    assertThat(filter(inShop, jobsInShop)).isEqualTo(ScopeChange.BOTH);
    assertThat(filter(pods, pods)).isEqualTo(ScopeChange.SAME);
  }

  /// Every spelling of a block that says nothing: in `exclude` it excludes nothing, and so tightens
  /// where it takes the place of one that says something; in `match` it matches nothing.
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "{'resources': {'names': ['a']}} | {'resources': {'names': []}}",
        "{'resources': {'name': 'a'}} | {'resources': {'name': ''}}",
        "{'resources': {'namespaces': ['a']}} | {'resources': {'namespaces': []}}",
        "{'resources': {'kinds': ['Pod']}} | {'resources': {'kinds': []}}",
        "{'resources': {'operations': ['CREATE']}} | {'resources': {'operations': []}}",
        "{'resources': {'annotations': {'a': 'b'}}} | {'resources': {'annotations': {}}}",
        "{'resources': {'names': ['a'], 'namespaces': ['b']}} | {'resources': {'names': [],"
            + " 'namespaces': []}}",
        "{'resources': {'names': ['a']}} | {'resources': {'names': null}}",
        "{'resources': {'names': ['a']}} | {'resources': {}}",
        "{'resources': {'names': ['a']}} | {'resources': null}",
        "{'subjects': [{'kind': 'User', 'name': 'a'}]} | {'resources': {}}",
      })
  void aBlockThatIsEmptiedSelectsNothing(String says, String empty) {
    for (var filter : new String[] {"%s", "{'any': [%s]}", "{'all': [%s]}"}) {
      var before = filter.formatted(says);
      for (var after :
          new String[] {filter.formatted(empty), "{'any': [{}]}", "{'any': []}", "{}"}) {
        assertThat(exclusion(before, after)).as(after).isEqualTo(ScopeChange.NARROWER);
        assertThat(filter(before, after)).as(after).isEqualTo(ScopeChange.NARROWER);
      }
      assertThat(exclusion("{}", before)).isEqualTo(ScopeChange.WIDER);
    }
    assertThat(exclusion("{'any': [%s]}".formatted(empty), "{'any': [%s]}".formatted(says)))
        .as("Kyverno's webhook left the kind out")
        .isEqualTo(ScopeChange.CHANGED);
  }

  /// Kyverno's code takes it for everybody in a rule, and for nobody in an exception.
  @ParameterizedTest
  @ValueSource(strings = {"subjects", "roles", "clusterRoles"})
  void nobodyKnowsWhatAnEmptyListOfUsersDoesAlone(String users) {
    var named = "{'any': [{'%s': ['a']}]}".formatted(users);
    var empty = "{'any': [{'%s': []}]}".formatted(users);

    assertThat(exclusion(named, empty)).isEqualTo(ScopeChange.CHANGED);
    assertThat(exclusion(empty, named)).isEqualTo(ScopeChange.CHANGED);
    assertThat(exclusion("{}", empty)).isEqualTo(ScopeChange.CHANGED);
    assertThat(filter(named, empty)).isEqualTo(ScopeChange.CHANGED);
  }

  @Test
  void anEmptyListBesideAConditionIsNone() {
    var both = "{'any': [{'resources': {'names': ['a'], 'namespaces': ['b']}}]}";
    var one = "{'any': [{'resources': {'names': [], 'namespaces': ['b']}, 'subjects': []}]}";

    assertThat(exclusion(both, one)).isEqualTo(ScopeChange.WIDER);
    assertThat(filter(both, one)).isEqualTo(ScopeChange.WIDER);
    assertThat(exclusion(one, "{'any': [{'resources': {'namespaces': ['b']}}]}"))
        .isEqualTo(ScopeChange.SAME);
  }

  @Test
  void aSelectorWithoutRequirementsSelectsEverything() {
    var selector = "{'any': [{'resources': {'namespaceSelector': {}}}]}";

    assertThat(exclusion("{}", selector)).isEqualTo(ScopeChange.WIDER);
    assertThat(exclusion(selector, "{'any': [{'resources': {}}]}")).isEqualTo(ScopeChange.NARROWER);
  }

  @Test
  void anAllWithABlockThatSaysNothingSelectsNothing() {
    var all = "{'all': [{'resources': {'names': ['a']}}, {'resources': {'namespaces': ['b']}}]}";
    var emptied = "{'all': [{'resources': {'names': []}}, {'resources': {'namespaces': ['b']}}]}";

    assertThat(exclusion(all, emptied)).isEqualTo(ScopeChange.NARROWER);
  }

  @Test
  void withAnyTheRestIsNotLookedAt() {
    var before = "{'any': [{'resources': {'names': ['a']}}], 'resources': {'names': ['b']}}";
    var after = "{'any': [{'resources': {'names': ['a']}}], 'resources': {'names': []}}";

    assertThat(exclusion(before, after)).isEqualTo(ScopeChange.SAME);
    assertThat(exclusion("{'any': [], 'resources': {'names': ['b']}}", "{'any': []}"))
        .isEqualTo(ScopeChange.NARROWER);
  }

  /// A rule that names no operations is not evaluated for all of them.
  @Test
  void operationsBeyondTheUsualOnesAreNoLimit() {
    var none = "{'resources': {'kinds': ['Pod']}}";
    var deletion = "{'resources': {'kinds': ['Pod'], 'operations': ['DELETE']}}";
    var creation = "{'resources': {'kinds': ['Pod'], 'operations': ['CREATE']}}";

    assertThat(filter(none, deletion)).isEqualTo(ScopeChange.CHANGED);
    assertThat(filter(deletion, none)).isEqualTo(ScopeChange.CHANGED);
    assertThat(filter(none, creation)).isEqualTo(ScopeChange.NARROWER);
    assertThat(exclusion(none, deletion)).isEqualTo(ScopeChange.NARROWER);
  }

  /// It exempts everything then, unless the API server refuses it.
  @Test
  void anExceptionWithoutAnyBlockIsNotKnown() {
    assertThat(
            FilterChange.between(
                json("{'any': [{'resources': {'names': ['a']}}]}"),
                json("{'any': []}"),
                Role.EXCEPTION))
        .isEqualTo(ScopeChange.CHANGED);
  }

  private static ScopeChange filter(String before, String after) {
    return FilterChange.between(json(before), json(after), Role.MATCH);
  }

  private static ScopeChange exclusion(String before, String after) {
    return FilterChange.between(json(before), json(after), Role.EXCLUDE);
  }
}

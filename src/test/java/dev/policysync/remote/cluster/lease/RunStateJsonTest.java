package dev.policysync.remote.cluster.lease;

import static dev.policysync.plan.PlanFixtures.SOURCE;
import static dev.policysync.plan.PlanFixtures.clusterPolicyId;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.base.CanonicalJson;
import dev.policysync.plan.FeedHistory;
import dev.policysync.plan.RemovalHistory;
import dev.policysync.plan.SourceName;
import dev.policysync.policy.Digest;
import dev.policysync.sync.RunState;
import dev.policysync.sync.execution.FailureHistory;
import dev.policysync.testcluster.Documents;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The memory's text; that all of it is read as it was written is in `RunStateStoreContract`.
class RunStateJsonTest {
  private static final Instant NOW = Instant.parse("2026-11-20T09:30:00Z");

  @Test
  void readsWhatTheVersionBeforeItWrote() {
    var runState =
        RunStateJson.read(
            "{\"statuses\":[{\"source\":\"acme/prod-1\","
                + "\"begun\":{\"ClusterPolicy.kyverno.io\":[\"a\"]}}],\"ownedBefore\":20}");

    assertThat(runState.backlog(SOURCE).begun()).containsExactly(clusterPolicyId("a"));
    assertThat(runState.removals())
        .isEqualTo(new RemovalHistory(Optional.of(20), Optional.empty(), List.of()));
    assertThat(runState.feeds()).isEqualTo(FeedHistory.NONE);
    assertThat(runState.failures()).isEqualTo(FailureHistory.NONE);
  }

  @Test
  void writesTheMeasureWhereTheVersionBeforeItReadsIt() {
    var noted =
        RunState.NONE.withRemovals(
            RemovalHistory.NONE.with(new RemovalHistory.Note(Optional.of(20), 5, 0), NOW));

    assertThat(RunStateJson.write(noted))
        .contains(
            "{\"ownedBefore\":20,\"withheld\":{\"at\":\"2026-11-20T09:30:00Z\",\"count\":5}}");
  }

  @Test
  void takesAFewKilobytesForTheLongestHistories() {
    var removals = RemovalHistory.NONE;
    var feeds = FeedHistory.NONE;
    var source = SourceName.of("an-organization-with-a-long-name", "a-cluster-with-a-long-name");
    for (int i = 0; i < 1_000; i++) {
      var now = NOW.plus(Duration.ofMinutes(i * 5L));
      removals =
          removals.at(now).removing(1, new RemovalHistory.Note(Optional.of(1_000), 0, 1_000), now);
      feeds = feeds.beforeApplying(source, Digest.of(new byte[] {(byte) i}), now);
    }
    var runState = RunState.NONE.withRemovals(removals).withFeeds(feeds);

    var text = RunStateJson.write(runState).orElseThrow();

    assertThat(text.getBytes(UTF_8).length).isLessThan(5_000);
    assertThat(RunStateJson.read(text)).isEqualTo(runState);
  }

  @Test
  void readsEachFieldAlone() {
    var whole =
        """
        {"agreement": {"cluster": "%1$s", "feed": "%1$s"},
         "failures": [{"policies": {"ClusterPolicy.kyverno.io": ["a"]}, "runs": 1,
                       "since": "2026-11-20T09:30:00Z"}],
         "feeds": {"source": "acme/prod-1", "written": []},
         "ownedBefore": 20,
         "removed": [{"at": "2026-11-20T09:30:00Z", "count": 2, "owned": 22}],
         "removing": ["7a1e"],
         "repairs": [{"by": ["argocd"], "last": "2026-11-20T09:30:00Z",
                      "policies": {"ClusterPolicy.kyverno.io": ["a"]}, "times": 2}],
         "statuses": [{"source": "acme/prod-1",
                       "begun": {"ClusterPolicy.kyverno.io": ["a"]},
                       "conflicts": {"%1$s": {"ClusterPolicy.kyverno.io": ["b"]}},
                       "unsent": [{"action": "delete", "at": "2026-11-20T09:30:00Z",
                                   "success": true,
                                   "policies": {"ClusterPolicy.kyverno.io": ["a"]}}]}],
         "unreadableSince": "2026-11-20T09:30:00Z",
         "withheld": {"at": "2026-11-20T09:30:00Z", "count": 5}}
        """
            .formatted(Digest.of(new byte[] {1}));
    var fields = Documents.json(whole);
    assertThat(RunStateJson.read(whole).removals().unreadable()).isEmpty();

    for (var field : fields.fields().keySet()) {
      for (var bad :
          List.of("1.5", "-1", "\"no\"", "[1.5]", "[{}]", "{\"at\": 1}", "true", "9e99")) {
        var damaged = fields.with(field, Documents.json("{\"a\": " + bad + "}").field("a").get());

        var runState = RunStateJson.read(CanonicalJson.write(damaged));

        assertThat(runState.removals().unreadable()).as(field + ": " + bad).containsExactly(field);
        var rest = RunStateJson.read(CanonicalJson.write(fields.without(field)));
        assertThat(runState.withRemovals(RemovalHistory.NONE))
            .as(field + ": " + bad)
            .isEqualTo(rest.withRemovals(RemovalHistory.NONE));
        assertThat(runState.removals().removed()).isEqualTo(rest.removals().removed());
        assertThat(runState.removals().ownedBefore()).isEqualTo(rest.removals().ownedBefore());
        assertThat(runState.removals().withheld()).isEqualTo(rest.removals().withheld());
        assertThat(runState.removals().begun()).isEqualTo(rest.removals().begun());
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'failures': [{'policies': {'ClusterPolicy.kyverno.io': ['a']}, 'runs': 1.5, 'since':"
            + " '2026-11-20T09:30:00Z'}]}",
        "{'removed': [{'at': '2026-11-20T09:30:00Z', 'count': '2', 'owned': 22}]}",
        "{'removed': [{'at': '2026-11-20T09:30:00Z', 'owned': 22}]}",
        "{'removed': ['2']}",
        "{'withheld': {'at': '+1000000000-12-31T23:59:59Z', 'count': 5}}",
        "{'withheld': {'at': '2026-11-20T09:30:00Z', 'count': 2147483648}}",
        "{'removed': [{'at': '-1000000000-01-01T00:00:00Z', 'count': 2, 'owned': 22}]}",
        "{'feeds': {'source': 'acme/prod-1', 'written': [{'at': '2026-11-20T09:30:00Z', 'feed':"
            + " 'sha256:12'}]}}",
        "{'statuses': [{'source': 'acme/prod-1', 'begun': {'NoKind.example.com': ['a']}}]}",
        "{'statuses': [{'begun': {'ClusterPolicy.kyverno.io': ['a']}}]}",
        "{'statuses': [{'source': 'acme/prod-1', 'conflicts': {'sha256:1': {}}}]}",
        "{'unreadableSince': '+1000000000-12-31T23:59:59Z'}"
      })
  void takesNothingForNothingThatItCannotRead(String json) {
    var text = json.replace('\'', '"');

    var removals = RunStateJson.read(text).removals();

    assertThat(removals.unreadable())
        .containsExactlyElementsOf(Documents.json(text).fields().keySet());
    assertThat(removals.at(NOW).completeFrom()).contains(NOW.plus(Duration.ofHours(24)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "{", "[]", "null", "1", "\"\"", "{}}", "{\"begun\": {}", "\u0000"})
  void knowsOfNothingWhereAllOfItCannotBeRead(String text) {
    assertThat(RunStateJson.read(text))
        .isEqualTo(
            RunState.NONE.withRemovals(
                RemovalHistory.NONE.withUnreadable(List.of("policysync.dev/memory"))));
  }
}

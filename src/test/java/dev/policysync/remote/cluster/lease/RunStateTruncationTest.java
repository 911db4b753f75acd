package dev.policysync.remote.cluster.lease;

import static dev.policysync.plan.PlanFixtures.SOURCE;
import static dev.policysync.plan.PlanFixtures.clusterPolicyId;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.plan.DriftHistory;
import dev.policysync.plan.FeedHistory;
import dev.policysync.plan.InSyncFingerprint;
import dev.policysync.plan.RemovalHistory;
import dev.policysync.plan.RemovalHistory.Removed;
import dev.policysync.plan.SourceName;
import dev.policysync.policy.Digest;
import dev.policysync.policy.feed.FeedVersion;
import dev.policysync.sync.Agreement;
import dev.policysync.sync.RunState;
import dev.policysync.sync.StatusBacklog;
import dev.policysync.sync.execution.FailureHistory;
import dev.policysync.sync.execution.FailureHistory.Streak;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// A text that the Lease can hold; the statuses among it are in [LeaseRunStateStoreIT].
class RunStateTruncationTest {
  private static final Instant SINCE = Instant.parse("2026-11-22T05:00:00Z");

  /// Removals then wait anew.
  @Test
  void forgetsFailuresWhereNothingElseMakesTheTextShortEnough() {
    var long200 = "x".repeat(200);
    var begun = IntStream.range(0, 900).mapToObj(i -> clusterPolicyId(long200 + i)).toList();
    var failures =
        begun.stream().limit(500).collect(Collectors.toMap(id -> id, _ -> new Streak(SINCE, 7)));

    var text =
        RunStateJson.write(
                RunState.NONE
                    .withBacklog(StatusBacklog.none(SOURCE).beginning(begun))
                    .withFailures(new FailureHistory(new TreeMap<>(failures))))
            .orElseThrow();

    assertThat(text.getBytes(UTF_8).length).isLessThan(192 * 1024);
    assertThat(RunStateJson.read(text).failures()).isEqualTo(FailureHistory.NONE);
    assertThat(RunStateJson.read(text).backlog(SOURCE).begun()).hasSize(900);
  }

  /// More than anybody removes without an approval, unless MAX_REMOVALS is 100%.
  @Test
  void countsAllRemovalsWhereTheyAreTooManyToNameThose() {
    var uid = "7a1e0c52-0000-4000-8000-";
    var uids = IntStream.range(0, 6_000).mapToObj(i -> uid + "%012d".formatted(i)).toList();
    var removed = List.of(new RemovalHistory.Removed(SINCE, 6_000, 6_000));
    var removals = new RemovalHistory(Optional.empty(), Optional.empty(), removed).beginning(uids);

    var text = RunStateJson.write(RunState.NONE.withRemovals(removals)).orElseThrow();

    assertThat(text.getBytes(UTF_8).length).isLessThan(192 * 1024);
    assertThat(RunStateJson.read(text).removals()).isEqualTo(removals.confirm(uids));
  }

  /// No limit bounds the names of field managers, an entity tag, or what somebody wrote there.
  @Test
  void endsWhateverIsTooLong() {
    var huge = "x".repeat(200 * 1024);
    var digest = Digest.of(new byte[] {1});
    var removed =
        IntStream.range(0, 6_000)
            .mapToObj(i -> new Removed(SINCE.plus(Duration.ofMinutes(30L * i)), 1, 9_000 - i))
            .toList();
    var last = removed.getLast().slot();
    var enough =
        RunState.NONE.withRemovals(new RemovalHistory(Optional.of(7), Optional.empty(), removed));

    for (var tooLong :
        List.of(
            enough,
            enough.withRepairs(
                new DriftHistory(
                    Map.of(clusterPolicyId("a"), new DriftHistory.Series(Set.of(huge), 2, SINCE)))),
            enough.withAgreement(
                Optional.of(
                    new Agreement(
                        new InSyncFingerprint(digest, digest),
                        Optional.of(new FeedVersion("https://api.example.com", huge)),
                        Map.of(),
                        SINCE))),
            enough.withBacklog(
                StatusBacklog.none(SOURCE).beginning(List.of(clusterPolicyId(huge)))),
            enough.withFeeds(new FeedHistory(new SourceName(huge), List.of(), Optional.empty())))) {
      var text = RunStateJson.write(tooLong).orElseThrow();

      assertThat(text.getBytes(UTF_8).length).isLessThan(192 * 1024);
      assertThat(RunStateJson.read(text).removals())
          .as("all of them, as long as any")
          .isEqualTo(
              new RemovalHistory(
                  Optional.of(7), Optional.empty(), List.of(new Removed(last, 6_000, 3_001))));
    }
  }
}

package dev.policysync.singlefault;

import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.testcluster.Rounds;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// Every scenario with every single fault, in memory and by a clock that is advanced by hand. A
/// failure names the fault; `-Dpolicysync.fault=moves:137` plays it alone.
class SingleFaultsTest {
  /// As many as docs/proofs.md says.
  private static final int RUNS = 7_000;

  @Test
  void breakNoPromise() {
    var counts =
        Scenarios.inMemory().parallelStream()
            .filter(FaultCounts::concern)
            .map(scenario -> FaultCounts.all(new FaultPlay(scenario, FakeWorld.of(scenario))))
            .toList();

    System.out.println("single faults\n" + FaultCounts.table(counts));
    var all = FaultCounts.total(counts);
    assertThat(all.broken()).isEmpty();
    if (System.getProperty("policysync.fault") == null) {
      assertThat(all.runs()).isGreaterThanOrEqualTo(RUNS);
    }
  }

  /// A build compares some of them, `-Dpolicysync.torture=true` all.
  @Test
  void areLikeTheEssentialOnesThatStandForThem() {
    var random = new Random(Long.getLong("policysync.fault.seed", 20_261_123));
    for (var scenario : Scenarios.inMemory()) {
      var play = new FaultPlay(scenario, FakeWorld.of(scenario));
      var essential = play.essential().stream().map(play.faults()::get).collect(toSet());
      var others =
          new ArrayList<>(play.faults().stream().filter(it -> !essential.contains(it)).toList());
      Collections.shuffle(others, random);
      for (var fault : others.subList(0, Rounds.of(Math.min(9, others.size()), others.size()))) {
        var same = standIn(fault, play, essential);

        assertThat(play.play(fault))
            .as("%s, %s, %s", scenario, fault, same)
            .isEqualTo(play.play(same));
      }
    }
  }

  /// The next one of the same change. One that lasts for a moment in which nobody looks is one that
  /// is over at once.
  private static SingleFault standIn(
      SingleFault fault, FaultPlay play, Set<SingleFault> essential) {
    var what = fault.happening().what().replace("for a moment", "and edited back");
    return play.faults().stream()
        .skip(play.faults().indexOf(fault))
        .filter(it -> it.happening().what().equals(what) && essential.contains(it))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void meetRunsThatDoWhatTheyAreMeantTo() {
    for (var scenario : Scenarios.inMemory()) {
      var undisturbed = new FaultPlay(scenario, FakeWorld.of(scenario));

      assertThat(undisturbed.does()).as(scenario.name()).isEqualTo(scenario.does());
    }
  }

  @Test
  void meetEveryActionOfTheAgent() {
    var actions =
        Scenarios.inMemory().stream()
            .flatMap(scenario -> scenario.does().stream())
            .map(does -> does.replaceFirst(" \\S+/\\S+", ""))
            .collect(toSet());
    var requests =
        Scenarios.inMemory().stream()
            .flatMap(
                scenario -> new FaultPlay(scenario, FakeWorld.of(scenario)).requests().stream())
            .map(request -> request.what().split(" ", 2)[0])
            .collect(toSet());

    assertThat(actions)
        .containsAll(
            List.of(
                "create",
                "update changed",
                "update drifted",
                "update adopted",
                "remove",
                "withheld",
                "waiting",
                "conflict",
                "kept",
                "ignored"));
    assertThat(requests)
        .isEqualTo(
            Set.of(
                "FEED",
                "DISCOVER",
                "GET",
                "LIST",
                "RECALL",
                "READ",
                "PREVIEW",
                "REPORTS",
                "TAKE",
                "NOTE",
                "USE",
                "APPLY",
                "REMOVE",
                "TELL",
                "RELEASE"));
  }
}

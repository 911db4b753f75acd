package dev.policysync.singlefault;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/// Every scenario with every single fault, in memory and by a clock that is advanced by hand. A
/// failure names the fault; `-Dpolicysync.fault=moves:137` plays it alone.
class SingleFaultsTest {
  /// As many as docs/safety.md says.
  private static final int RUNS = 7_000;

  @Test
  void breakNoPromise() {
    var counts =
        Scenarios.all().parallelStream()
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

  @Test
  void meetRunsThatDoWhatTheyAreMeantTo() {
    for (var scenario : Scenarios.all()) {
      var undisturbed = new FaultPlay(scenario, FakeWorld.of(scenario));

      assertThat(undisturbed.does()).as(scenario.name()).isEqualTo(scenario.does());
    }
  }

  @Test
  void meetEveryActionOfTheAgent() {
    var actions =
        Scenarios.all().stream()
            .flatMap(scenario -> scenario.does().stream())
            .map(does -> does.replaceFirst(" \\S+/\\S+", ""))
            .collect(Collectors.toSet());
    var requests =
        Scenarios.all().stream()
            .flatMap(
                scenario -> new FaultPlay(scenario, FakeWorld.of(scenario)).requests().stream())
            .map(request -> request.what().split(" ", 2)[0])
            .collect(Collectors.toSet());

    assertThat(actions)
        .containsAll(
            List.of(
                "create",
                "update changed",
                "update drifted",
                "update adopted",
                "remove",
                "withheld",
                "conflict",
                "kept"));
    assertThat(requests)
        .isEqualTo(
            Set.of(
                "FEED",
                "DISCOVER",
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

package dev.policysync.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.base.Value;
import dev.policysync.harness.Agent;
import dev.policysync.testcluster.Documents;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/// What holds of a run whatever broke in it.
///
/// @param story what happened, for whoever reads of a broken promise
record FaultRunInvariants(
    String story, Agent.Run run, FaultFeed faultFeed, PolicySnapshot before, PolicySnapshot after) {
  private static final Set<String> ENDINGS = Set.of("Policy sync completed", "Policy sync failed");

  void hold() {
    endsWithExactlyOneSummary();
    changesOnlyWhatIsWantedAndWhatItNames();
    removesOnlyWhatIsNotWantedAndWhatItNames();
    saysDoneOnlyOfWhatIsDone();
    removesNothingWhileAKindCannotBeListed();
    removesNothingWhileAnApplyMayStillPass();
  }

  private void endsWithExactlyOneSummary() {
    var lines = run.stdout().lines().map(Documents::json).toList();
    var summaries =
        lines.stream().filter(line -> ENDINGS.contains(line.text("msg").orElse(""))).toList();
    assertThat(summaries).as(story).hasSize(1).containsExactly(lines.getLast());
    assertThat(run.exitCode()).as(story).isIn(0, 1, 3);
    var failed = !errors().isEmpty() || !run.summary().items("notAttempted").isEmpty();
    assertThat(run.exitCode() == 1).as(story).isEqualTo(failed);
    assertThat(run.stderr()).as(story).isEmpty();
  }

  private void changesOnlyWhatIsWantedAndWhatItNames() {
    var touched = new TreeSet<>(after.changedSince(before));
    touched.addAll(after.without(before));
    assertThat(faultFeed.forms().keySet()).as(story).containsAll(touched);
    assertThat(namedBy("applied", "updated", "failed")).as(story).containsAll(touched);
  }

  private void removesOnlyWhatIsNotWantedAndWhatItNames() {
    assertThat(gone()).as(story).doesNotContainAnyElementsOf(faultFeed.forms().keySet());
    assertThat(namedBy("removed", "failed")).as(story).containsAll(gone());
  }

  private void saysDoneOnlyOfWhatIsDone() {
    assertThat(namedBy("applied", "updated"))
        .as(story)
        .allMatch(name -> after.hasInForce(name, faultFeed));
    assertThat(gone()).as(story).containsAll(namedBy("removed"));
  }

  private void removesNothingWhileAKindCannotBeListed() {
    if (errors().stream()
        .flatMap(error -> error.text("reason").stream())
        .anyMatch(reason -> reason.startsWith("this kind is not synced: "))) {
      assertThat(gone()).as(story).isEmpty();
    }
  }

  private void removesNothingWhileAnApplyMayStillPass() {
    var mayPass =
        errors().stream()
            .filter(error -> error.field("retryable").orElseThrow().equals(new Value.Bool(true)))
            .flatMap(error -> error.text("policy").stream())
            .anyMatch(policy -> faultFeed.names(policy.substring(policy.lastIndexOf('/') + 1)));
    if (mayPass) {
      assertThat(gone()).as(story).isEmpty();
    }
  }

  private Set<String> gone() {
    return before.without(after);
  }

  private List<Value.Mapping> errors() {
    return run.summary().items("errors").stream().map(Value.Mapping.class::cast).toList();
  }

  private Set<String> namedBy(String... lists) {
    return List.of(lists).stream()
        .flatMap(list -> texts(list).stream())
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private List<String> texts(String list) {
    return run.summary().items(list).stream().map(item -> ((Value.Text) item).text()).toList();
  }
}

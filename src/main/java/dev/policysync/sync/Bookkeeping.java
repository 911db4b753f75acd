package dev.policysync.sync;

import dev.policysync.plan.Action;
import dev.policysync.plan.Agreement;
import dev.policysync.plan.Plan;
import dev.policysync.policy.Expected;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/// What a run notes for the next one before its first write and after its last, and what it tells
/// the remote API (promises 4, 8 and 12).
///
/// It is noted before anything is written, because a run can be killed at any moment.
final class Bookkeeping {
  private final RunMemory memory;
  private final Optional<StatusSink> api;
  private final Clock clock;
  private final Progress progress;

  /// @param api nobody where the policies come from files
  Bookkeeping(RunMemory memory, Optional<StatusSink> api, Clock clock, Progress progress) {
    this.memory = memory;
    this.api = api;
    this.clock = clock;
    this.progress = progress;
  }

  /// Notes what a run is about to write.
  ///
  /// @return what is noted then
  /// @throws ClusterUnavailable if it could not be noted: then nothing may be written
  Memory begin(Plan plan, Memory before) {
    var ids = plan.actions().stream().map(Action::id).toList();
    UnaryOperator<Memory> change =
        there -> {
          var noted =
              there
                  .withRepairs(there.repairs().at(clock.instant()))
                  .withOwnedBefore(plan.ownedBefore());
          return api.isPresent() ? noted.beginning(ids) : noted;
        };
    if (!ids.isEmpty()) {
      memory.update(change);
    }
    return ids.isEmpty() ? before : change.apply(before);
  }

  /// Tells the API how each policy fared and notes what it could not tell.
  ///
  /// @param noted what is noted so far
  /// @param agreement what feed and cluster agree on now, if they do
  /// @return what went wrong with that, for the summary's warnings
  List<String> end(
      Expected expected,
      Plan plan,
      List<Outcome> outcomes,
      Memory noted,
      Optional<Agreement> agreement) {
    var statuses =
        api.isPresent()
            ? Statuses.of(expected, plan, outcomes, noted, clock.instant())
            : List.<PolicyStatus>of();
    var unsent = send(statuses);
    var open = Statuses.open(plan, outcomes, noted, statuses);
    UnaryOperator<Memory> change =
        there -> {
          var repaired =
              repaired(there, outcomes)
                  .withOwnedBefore(ownedBefore(plan, outcomes))
                  .withFailures(there.failures().after(plan, outcomes, clock.instant()))
                  .withAgreement(agreement);
          return api.isPresent()
              ? repaired.told(statuses, unsent).ended(noted.begun(), open)
              : repaired;
        };
    var untold = unsent.size() == 1 ? "1 status" : unsent.size() + " statuses";
    try {
      if (!change.apply(noted).equals(noted)) {
        memory.update(change);
      }
    } catch (ClusterUnavailable e) {
      var lost = unsent.isEmpty() ? "" : ", not even that the API did not take " + untold;
      return List.of(
          "what the next run should know could not be noted" + lost + ": " + e.failure().reason());
    }
    return unsent.isEmpty()
        ? List.of()
        : List.of("the API did not take " + untold + "; the next run tells it again");
  }

  private List<PolicyStatus> send(List<PolicyStatus> statuses) {
    if (api.isEmpty() || statuses.isEmpty()) {
      return List.of();
    }
    progress.step("reporting");
    return api.get().send(statuses);
  }

  private Memory repaired(Memory there, List<Outcome> outcomes) {
    var repairs = there.repairs();
    for (var outcome : outcomes) {
      if (outcome instanceof Outcome.Done(Action.Update update, _)
          && update.cause() == Action.Cause.DRIFTED) {
        repairs = repairs.with(update.id(), update.by(), clock.instant());
      }
    }
    return there.withRepairs(repairs);
  }

  /// The budget's measure is forgotten with the last pending removal.
  private static Optional<Integer> ownedBefore(Plan plan, List<Outcome> outcomes) {
    var removals =
        outcomes.stream().filter(outcome -> outcome.action() instanceof Action.Remove).toList();
    var allDone =
        plan.withheldRemovals().isEmpty()
            && !removals.isEmpty()
            && removals.stream().allMatch(Outcome.Done.class::isInstance);
    return allDone ? Optional.empty() : plan.ownedBefore();
  }
}

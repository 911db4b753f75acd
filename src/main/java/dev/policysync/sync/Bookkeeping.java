package dev.policysync.sync;

import dev.policysync.plan.Action;
import dev.policysync.plan.Agreement;
import dev.policysync.plan.Consent;
import dev.policysync.plan.Failure;
import dev.policysync.plan.FeedHistory;
import dev.policysync.plan.Plan;
import dev.policysync.plan.RemovalHistory;
import dev.policysync.plan.SourceName;
import dev.policysync.policy.Digest;
import java.time.Clock;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;

/// What a run notes for the next one before its first write and after its last, and what it tells
/// the remote API (promises 3, 4, 8 and 12).
///
/// It is noted before anything is written, because a run can be killed at any moment.
final class Bookkeeping {
  private final RunMemory memory;
  private final Optional<StatusSink> api;
  private final SourceName source;
  private final Clock clock;
  private final Progress progress;

  /// @param api nobody where the policies come from files
  Bookkeeping(
      RunMemory memory,
      Optional<StatusSink> api,
      SourceName source,
      Clock clock,
      Progress progress) {
    this.memory = memory;
    this.api = api;
    this.source = source;
    this.clock = clock;
    this.progress = progress;
  }

  /// Whether the API says what it said before a newer feed was written. Whoever applies files knows
  /// how old they are.
  ///
  /// @param first what was noted when this run read the same feed first
  /// @param now what is noted now
  Optional<FeedHistory.Older> wentBack(Digest feed, Memory first, Memory now) {
    var at = clock.instant();
    return api.flatMap(_ -> now.feeds().read(feed, first.feeds(), at).wentBack(source, feed, at));
  }

  /// Notes what a run is about to write.
  ///
  /// @return what is noted then
  /// @throws ClusterUnavailable if it could not be noted: then nothing may be written
  Memory begin(Situation situation) {
    var plan = situation.plan();
    var now = clock.instant();
    var ids = plan.actions().stream().map(Action::id).toList();
    UnaryOperator<Memory> change =
        there -> {
          requireKnown(there, situation.memory());
          var noted =
              there
                  .withRepairs(there.repairs().at(now))
                  .withRemovals(
                      situation
                          .removals()
                          .with(plan.note(), now)
                          .removing(unapproved(plan).size(), plan.note(), now)
                          .beginning(unapproved(plan)));
          return api.isPresent()
              ? noted.beginning(ids).withFeeds(there.feeds().writing(source, situation.feed(), now))
              : noted;
        };
    if (!ids.isEmpty()) {
      memory.update(change);
    }
    return ids.isEmpty() ? situation.memory() : change.apply(situation.memory());
  }

  /// Who holds the Lease is the only one to write: where another run has noted something meanwhile,
  /// this one has lost it, or was told an old memory.
  private static void requireKnown(Memory there, Memory known) {
    if (!there.feeds().equals(known.feeds()) || !there.removals().equals(known.removals())) {
      throw new ClusterUnavailable(
          new Failure(
              Failure.Cause.CONFLICT,
              "note on the Lease what is about to be written: another run has noted something since"
                  + " this one looked; the next run looks again"));
    }
  }

  /// Tells the API how each policy fared and notes what it could not tell.
  ///
  /// @param agreement what feed and cluster agree on now, if they do
  /// @return what went wrong with that, for the summary's warnings
  List<String> end(Situation situation, List<Outcome> outcomes, Optional<Agreement> agreement) {
    var plan = situation.plan();
    var noted = situation.memory();
    var statuses =
        api.isPresent()
            ? Statuses.of(situation.expected(), plan, outcomes, noted, clock.instant())
            : List.<PolicyStatus>of();
    var unsent = send(statuses);
    var open = Statuses.open(plan, outcomes, noted, statuses);
    UnaryOperator<Memory> change =
        there -> {
          var repaired =
              repaired(there, outcomes)
                  .withRemovals(removals(there, situation, outcomes))
                  .withFailures(there.failures().after(plan, outcomes, clock.instant()))
                  .withAgreement(agreement);
          return api.isPresent()
              ? repaired
                  .told(statuses, unsent)
                  .ended(noted.begun(), open)
                  .withFeeds(there.feeds().looking(source, situation.feed(), situation.older()))
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

  /// What was withheld is forgotten with the last pending removal. What an older feed asks for is
  /// none of the story.
  private RemovalHistory removals(Memory there, Situation situation, List<Outcome> outcomes) {
    if (situation.older().isPresent()) {
      return there.removals();
    }
    var plan = situation.plan();
    var removals =
        outcomes.stream().filter(outcome -> outcome.action() instanceof Action.Remove).toList();
    var allDone =
        plan.withheldRemovals().isEmpty()
            && !removals.isEmpty()
            && removals.stream().allMatch(Outcome.Done.class::isInstance);
    var done = (int) removals.stream().filter(Bookkeeping::mayBeDone).count();
    var note = allDone ? RemovalHistory.Note.NONE : plan.note();
    var history = there.removals().with(note, clock.instant());
    return plan.actions().isEmpty()
        ? history
        : history.without(Math.max(0, unapproved(plan).size() - done));
  }

  /// Without an answer nobody knows.
  private static boolean mayBeDone(Outcome removal) {
    return switch (removal) {
      case Outcome.Done _ -> true;
      case Outcome.Failed(_, var failure) -> failure.cause() == Failure.Cause.UNREACHABLE;
      case Outcome.NotAttempted _, Outcome.Settled _, Outcome.Dropped _ -> false;
    };
  }

  /// The uids of what a run is to remove that nobody approved.
  private static Set<String> unapproved(Plan plan) {
    var uids = new HashSet<String>();
    for (var action : plan.actions()) {
      if (action instanceof Action.Remove removal && !(plan.consent() instanceof Consent.Given)) {
        uids.add(removal.was().uid());
      }
    }
    return uids;
  }
}

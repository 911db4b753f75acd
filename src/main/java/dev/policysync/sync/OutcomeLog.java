package dev.policysync.sync;

import dev.policysync.plan.Action;
import dev.policysync.plan.FeedHistory;
import dev.policysync.plan.Guard;
import dev.policysync.plan.Plan;
import dev.policysync.sync.execution.Outcome;
import dev.policysync.sync.execution.WriteMode;
import java.util.EnumSet;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/// Logs what a run did to each policy: constant messages, with the facts as keys.
final class OutcomeLog {
  private static final Logger LOG = LoggerFactory.getLogger(OutcomeLog.class);

  private static final Set<Guard> OF_ITS_OWN =
      EnumSet.of(
          Guard.HAZARD,
          Guard.BREAKS_WEBHOOKS,
          Guard.UNSHIELDED,
          Guard.STILL_SERVES,
          Guard.SERVES_UNKNOWN);

  private OutcomeLog() {}

  public static void log(Outcome outcome, WriteMode writeMode) {
    switch (outcome) {
      case Outcome.Done(var action, _) ->
          entry(LOG.atInfo(), action)
              .addKeyValue("cause", action.cause())
              .log(done(action, writeMode == WriteMode.DRY_RUN));
      case Outcome.Failed(var action, var failure) ->
          entry(LOG.atError(), action).addKeyValue("reason", failure.reason()).log("Policy failed");
      case Outcome.NotAttempted untried ->
          entry(LOG.atWarn(), untried.action())
              .addKeyValue("reason", untried.reason())
              .log("Policy not attempted");
      case Outcome.Settled(var action) -> entry(LOG.atInfo(), action).log("Policy already in sync");
      case Outcome.Dropped(var action, var reason) ->
          entry(LOG.atWarn(), action).addKeyValue("reason", reason).log("Policy left unchanged");
    }
  }

  public static void withheldForAge(FeedHistory.Older feed) {
    LOG.atWarn()
        .addKeyValue("digest", feed.feed())
        .addKeyValue(
            "reason",
            "a newer feed was applied before; this one is applied from " + feed.intendedFrom())
        .log("Feed went back to an older version, nothing is written");
  }

  /// Logs withheld actions that no approval covers and that no other log line explains.
  public static void withheld(Plan plan) {
    for (var withheld : plan.pending().withheld()) {
      if (OF_ITS_OWN.contains(withheld.guard())) {
        LOG.atWarn()
            .addKeyValue("policy", withheld.id())
            .addKeyValue("reason", withheld.reason())
            .log("Policy withheld");
      }
    }
  }

  public static void withheldEnforcement(Plan plan, ApprovalInstructions how) {
    LOG.atWarn()
        .addKeyValue(
            "count",
            plan.pending().withheld().stream()
                .filter(held -> held.guard() == Guard.ENFORCEMENT)
                .count())
        .addKeyValue("list", how.list())
        .addKeyValue("approve", how.command())
        .log("Enforcement changes are withheld until approved");
  }

  public static void withheldRemovals(Plan plan, ApprovalInstructions how) {
    LOG.atWarn()
        .addKeyValue(
            "removals",
            plan.withheldRemovals().stream().filter(held -> held.guard().approvable()).count())
        .addKeyValue("list", how.list())
        .addKeyValue("approve", how.command())
        .log("Removals are withheld until approved");
  }

  private static LoggingEventBuilder entry(LoggingEventBuilder event, Action action) {
    return event.addKeyValue("policy", action.id());
  }

  private static String done(Action action, boolean dryRun) {
    return switch (action) {
      case Action.Create _ -> dryRun ? "Policy would be applied" : "Policy applied";
      case Action.Update _ -> dryRun ? "Policy would be updated" : "Policy updated";
      case Action.Remove _ -> dryRun ? "Policy would be removed" : "Policy removed";
    };
  }
}

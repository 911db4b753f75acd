package dev.policysync.cli;

import dev.policysync.inspect.ClusterFacts;
import dev.policysync.inspect.Schedule;
import dev.policysync.inspect.SyncStatus;
import dev.policysync.plan.Action.Cause;
import dev.policysync.sync.ApprovalInstructions;
import dev.policysync.sync.Summary;
import dev.policysync.sync.Summary.Note;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// The status as text: the source, the last run and the cluster, then a line for each policy that
/// is not in force, then whether all is well.
final class StatusText {
  private static final int LABEL = 14;

  private final TextStyle textStyle;
  private final TerminalText text = new TerminalText();

  StatusText(TextStyle textStyle) {
    this.textStyle = textStyle;
  }

  TerminalText write(SyncStatus syncStatus) {
    var summary = syncStatus.summary();
    var facts = syncStatus.facts();
    line("Source", syncStatus.source() + summary.feed().map(feed -> ", feed " + feed).orElse(""));
    summary.namespace().ifPresent(namespace -> line("Namespace", namespace.text()));
    line("Last run", lastRun(facts.schedule(), syncStatus.now()));
    facts.lease().ifPresent(lease -> line("Lease", lease(lease, syncStatus.now())));
    line("Kyverno", facts.kyverno().map(StatusText::kyverno).orElse("not found"));
    if (syncStatus.endsWithKyverno119() > 0) {
      line("Upgrade", upgrade(syncStatus.endsWithKyverno119()));
    }
    line("Kubernetes", kubernetes(facts));
    line("Metrics", syncStatus.metrics().orElse("off"));
    line("Policies", counts(syncStatus));
    for (var given : facts.approvals()) {
      line("Approved", approved(given));
    }
    summary.pending().approvals().forEach(used -> line("Approved", used));
    for (var exception : syncStatus.expiringSoon()) {
      var ended = exception.at().isBefore(syncStatus.now());
      line(
          "Exception",
          exception.exception() + (ended ? " expired " : " expires ") + exception.at());
    }
    facts.unread().forEach(why -> line("Not read", why));
    text.append(new PolicyRows(textStyle).write(syncStatus));
    Stream.of(summary.pending().approval(), summary.pending().enforcing())
        .flatMap(Optional::stream)
        .forEach(this::howToApprove);
    problems(summary);
    return text.line()
        .append(syncStatus.well() ? textStyle.green("All well") : textStyle.red("Not all is well"))
        .line();
  }

  private void problems(Summary summary) {
    var troubles = new TerminalText();
    for (var why : summary.warnings()) {
      troubles.append(textStyle.yellow("warning: ")).line(why);
    }
    for (var problem : summary.writes().failed()) {
      if (problem.label().isEmpty()) {
        troubles.append(textStyle.red("error: ")).line(problem.reason());
      }
    }
    if (!troubles.isEmpty()) {
      text.line().append(troubles);
    }
  }

  private void line(String label, String what) {
    text.append(textStyle.bold(label + ":"))
        .append(" ".repeat(LABEL - label.length() - 1))
        .line(what);
  }

  private static String lastRun(Schedule schedule, Instant now) {
    var objection = schedule.objection(now);
    if (!(schedule instanceof Schedule.CronJob cronJob)) {
      return "unknown" + objection.map(why -> "; " + why).orElse("");
    }
    var last =
        cronJob.lastSuccess().map(time -> "succeeded " + ago(time, now)).orElse("no success yet");
    var work = cronJob.active() > 0 ? ", " + cronJob.active() + " at work" : "";
    var worry = objection.map(why -> ", " + why).orElse("");
    return last + work + worry + " (CronJob " + cronJob.name() + ")";
  }

  private static String lease(ClusterFacts.LeaseHolder lease, Instant now) {
    if (lease.holder().isEmpty()) {
      var last = lease.renewed().map(time -> ", last taken " + ago(time, now)).orElse("");
      return "free" + last + " (" + lease.name() + ")";
    }
    var since = lease.held().map(time -> " for " + rounded(time)).orElse("");
    return "held by "
        + lease.holder().get()
        + since
        + (lease.stuck() ? ", which is no run at work; release it: " + lease.howToFree() : "");
  }

  private static String kyverno(ClusterFacts.Kyverno kyverno) {
    return "%s, %d of %d replicas ready (Deployment %s)"
        .formatted(
            kyverno.image().orElse("version unknown"),
            kyverno.ready(),
            kyverno.wanted(),
            kyverno.deployment());
  }

  private static String upgrade(int policies) {
    return "Kyverno 1.20 will not execute "
        + (policies == 1 ? "1 of these policies" : policies + " of these policies")
        + " (group kyverno.io); migrate first";
  }

  private static String kubernetes(ClusterFacts facts) {
    var missing = facts.missingKinds();
    return facts.kubernetes().orElse("unknown")
        + (missing.isEmpty() ? "" : "; does not serve " + String.join(", ", missing));
  }

  private static String counts(SyncStatus syncStatus) {
    var summary = syncStatus.summary();
    if (!syncStatus.sourceRead()) {
      return "unknown, since the source could not be read";
    }
    return syncStatus.expected()
        + " expected, "
        + syncStatus.inForce()
        + " in force"
        + pendingCounts(syncStatus)
        + count(summary.untouched().notInForce(), "not in force")
        + count(summary.pending().withheld(), "withheld")
        + count(summary.untouched().conflicts(), "conflict")
        + count(summary.untouched().ignored(), "ignored")
        + count(summary.untouched().terminating(), "terminating")
        + count(PolicyRows.failed(summary), "failed");
  }

  private static String pendingCounts(SyncStatus syncStatus) {
    var text = new StringBuilder();
    for (var cause : Cause.values()) {
      var number =
          syncStatus.pending().stream().filter(pending -> pending.cause() == cause).count();
      text.append(number == 0 ? "" : ", " + number + " " + PolicyRows.state(cause));
    }
    return text.toString();
  }

  private static String count(List<Note> notes, String state) {
    return notes.isEmpty() ? "" : ", " + notes.size() + " " + state;
  }

  private static String approved(ClusterFacts.GivenApproval given) {
    return given.what()
        + ", list "
        + given.list()
        + given.by().map(who -> ", by " + who).orElse("")
        + given.given().map(time -> ", at " + time).orElse("")
        + given.until().map(time -> ", until " + time).orElse("");
  }

  private void howToApprove(ApprovalInstructions how) {
    text.line()
        .line("To approve exactly what is withheld, once, for 24 hours from then on:")
        .append("  ")
        .line(how.command());
  }

  private static String ago(Instant time, Instant now) {
    return rounded(Duration.between(time, now)) + " ago";
  }

  /// Formats an age as kubectl does: `3m`.
  private static String rounded(Duration time) {
    if (time.toDays() > 1) {
      return time.toDays() + "d";
    }
    if (time.toHours() > 1) {
      return time.toHours() + "h";
    }
    return time.toMinutes() > 1 ? time.toMinutes() + "m" : Math.max(0, time.toSeconds()) + "s";
  }
}

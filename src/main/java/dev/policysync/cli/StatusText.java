package dev.policysync.cli;

import dev.policysync.inspect.ClusterFacts;
import dev.policysync.inspect.Schedule;
import dev.policysync.inspect.StatusProblem;
import dev.policysync.inspect.SyncStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/// The status as text: what is wrong, the worst first; then the facts; then what to do next.
final class StatusText {
  private static final int LABEL = 12;

  private final TextStyle textStyle;
  private final int columns;
  private final TerminalText text = new TerminalText();

  /// @param columns the width of the terminal; 0 for lines of any length
  StatusText(TextStyle textStyle, int columns) {
    this.textStyle = textStyle;
    this.columns = columns;
  }

  TerminalText write(SyncStatus status) {
    if (status.well()) {
      text.append(textStyle.boldGreen(allWell(status))).line().line();
    }
    for (var problem : status.problems()) {
      text.append(new ProblemText(textStyle, columns).write(problem)).line();
    }
    facts(status);
    next(status);
    return text;
  }

  private static String allWell(SyncStatus status) {
    return status
        .policies()
        .map(policies ->
            switch (policies.expected()) {
              case 0 -> "All is well; no policy is expected";
              case 1 -> "All is well: 1 policy" + inForce(policies);
              default -> "All is well: " + policies.expected() + " policies" + inForce(policies);
            })
        .orElse("All is well");
  }

  private static String inForce(SyncStatus.Policies policies) {
    return policies.inForce().isPresent() ? " in force" : " as expected";
  }

  private void facts(SyncStatus status) {
    var facts = status.facts();
    fact("Cluster", status.target().cluster() + kubernetes(facts));
    status.target().namespace().ifPresent(namespace -> fact("Namespace", namespace.text()));
    fact("Source", status.target().source());
    status.policies().ifPresent(policies -> fact("Policies", counts(policies, status)));
    facts.kyverno().ifPresent(kyverno -> fact("Kyverno", kyverno(kyverno)));
    status
        .policies()
        .map(SyncStatus.Policies::endsWithKyverno119)
        .filter(n -> n > 0)
        .ifPresent(n ->
            fact(
                "Upgrade",
                "Kyverno 1.20 will not execute "
                    + (n == 1 ? "1 of these policies" : n + " of these policies")
                    + " (group kyverno.io)"));
    lastRun(facts.schedule(), status.now()).ifPresent(last -> fact("Last run", last));
    facts.lease().ifPresent(lease -> fact("Lease", lease(lease, status.now())));
    status.target().metrics().ifPresent(metrics -> fact("Metrics", metrics));
    facts.approvals().forEach(given -> fact("Approved", approved(given)));
    status.summary().pending().approvals().forEach(used -> fact("Approved", used));
  }

  private void fact(String label, String fact) {
    var padded = label + " ".repeat(LABEL - label.length());
    text.paragraph(textStyle.dim(padded), LABEL, fact, columns, textStyle::plain);
  }

  private static String kubernetes(ClusterFacts facts) {
    var missing = facts.missingKinds();
    return facts.kubernetes().map(version -> ", Kubernetes " + version).orElse("")
        + (missing.isEmpty() ? "" : "; does not serve " + String.join(", ", missing));
  }

  private static String counts(SyncStatus.Policies policies, SyncStatus status) {
    var summary = status.summary();
    return policies.expected()
        + " expected"
        + policies.inForce().map(n -> ", " + n + " in force").orElse("")
        + (policies.inForce().isEmpty() ? ", in force: unknown" : "")
        + count(summary.untouched().notInForce().size(), "not in force")
        + count(policies.staying(), "no longer expected and still in force")
        + count(summary.untouched().conflicts().size(), "in conflict")
        + count(summary.untouched().ignored().size(), "left alone")
        + count(policies.rehearsals(), "in rehearsal");
  }

  private static String count(int number, String state) {
    return number == 0 ? "" : ", " + number + " " + state;
  }

  private static String kyverno(ClusterFacts.Kyverno kyverno) {
    return "%s, %d of %d replicas ready (Deployment %s)"
        .formatted(
            kyverno.image().orElse("version unknown"),
            kyverno.ready(),
            kyverno.wanted(),
            kyverno.deployment());
  }

  private static Optional<String> lastRun(Schedule schedule, Instant now) {
    if (!(schedule instanceof Schedule.CronJob cronJob)) {
      return Optional.empty();
    }
    var last =
        cronJob.lastSuccess().map(time -> "succeeded " + ago(time, now)).orElse("no success yet");
    var active = cronJob.active() > 0 ? ", " + cronJob.active() + " active" : "";
    return Optional.of(last + active + " (CronJob " + cronJob.name() + ")");
  }

  private static String lease(ClusterFacts.LeaseHolder lease, Instant now) {
    var time = lease.held().map(held -> " for " + rounded(held)).orElse("");
    var by = lease.holder().orElse("");
    return switch (lease.hold()) {
          case FREE ->
              "free" + lease.renewed().map(at -> ", last taken " + ago(at, now)).orElse("");
          case ACTIVE -> "held by " + by + time;
          case EXPIRED ->
              "held by " + by + ", which no longer renews it; the next run takes it over";
          case STUCK -> "held by " + by + time + ", which cannot be a run";
        }
        + " ("
        + lease.name()
        + ")";
  }

  private static String approved(ClusterFacts.GivenApproval given) {
    return given.what()
        + given.by().map(who -> ", by " + who).orElse("")
        + given.given().map(time -> ", at " + time).orElse("")
        + given.until().map(time -> ", until " + time).orElse("");
  }

  /// Writes what to do about each problem, each once. A command stays on one line, to be copied.
  private void next(SyncStatus status) {
    var steps =
        status.problems().stream()
            .filter(problem -> problem.severity() != StatusProblem.Severity.NOTE || status.well())
            .map(StatusProblem::next)
            .flatMap(Optional::stream)
            .distinct()
            .toList();
    if (!steps.isEmpty()) {
      text.line().append(textStyle.bold("Next")).line();
      steps.forEach(step -> text.command("  ", step, columns));
      if (!status.well()) {
        text.append("  ").line(Documentation.url("docs/operations.md"));
      }
    }
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

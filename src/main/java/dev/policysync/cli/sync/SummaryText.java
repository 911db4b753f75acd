package dev.policysync.cli.sync;

import dev.policysync.cli.Documentation;
import dev.policysync.cli.OutputFormat;
import dev.policysync.cli.ProblemText;
import dev.policysync.cli.TerminalText;
import dev.policysync.cli.TextStyle;
import dev.policysync.inspect.StatusProblem;
import dev.policysync.inspect.StatusProblem.Severity;
import dev.policysync.inspect.StatusProblems;
import dev.policysync.plan.Action;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.Position;
import dev.policysync.sync.Summary;
import dev.policysync.sync.Summary.Note;
import dev.policysync.sync.analysis.WriteImpact;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/// The summary as text: in a dry run an overview; then a line for each change; then what did not go
/// well, each cause once, the worst last, where a terminal shows it; and the counts.
public final class SummaryText {
  private static final Comparator<StatusProblem> WORST_LAST =
      Comparator.comparing(StatusProblem::severity).reversed();

  private final Summary summary;
  private final TextStyle textStyle;
  private final Detail detail;
  private final int columns;
  private final TerminalText text = new TerminalText();
  private final Map<PolicyId, WriteImpact> impacts;
  private final Map<String, Position> positions;
  private boolean endsWithDetails;

  /// How much the text says.
  ///
  /// @param format with [OutputFormat#DIFF] the changed fields of each policy
  /// @param full whether the fields of new policies are among them
  /// @param verbose whether each new policy that blocks requests has its own warning
  public record Detail(OutputFormat format, boolean full, boolean verbose) {}

  private SummaryText(Summary summary, TextStyle textStyle, Detail detail, int columns) {
    this.summary = summary;
    this.textStyle = textStyle;
    this.detail = detail;
    this.columns = columns;
    this.impacts =
        summary.impact().stream()
            .collect(
                Collectors.toMap(
                    impact -> impact.impact().policy(), Function.identity(), (first, _) -> first));
    this.positions =
        summary.writes().failed().stream()
            .filter(problem -> problem.label().isPresent() && problem.position().isPresent())
            .collect(
                Collectors.toMap(
                    problem -> problem.label().get(),
                    problem -> problem.position().get(),
                    (first, _) -> first));
  }

  /// Returns the summary as text that ends with a line break.
  ///
  /// @param columns the width of the terminal; 0 for lines of any length
  public static TerminalText write(
      Summary summary, TextStyle textStyle, Detail detail, int columns) {
    return new SummaryText(summary, textStyle, detail, columns).write();
  }

  private TerminalText write() {
    if (summary.dryRun() && !changes().isEmpty()) {
      text.append(textStyle.bold(overview())).line().line();
    }
    writeChanges();
    summary.conversions().map(new ConversionText(textStyle)::write).ifPresent(text::append);
    problems().stream()
        .sorted(WORST_LAST)
        .forEach(problem -> {
          text.append(new ProblemText(textStyle, columns).write(problem));
          writeImpactOfWithheld(problem);
          if (problem.policies().isEmpty()) {
            problem.next().ifPresent(command -> text.command("    ", command, columns));
          }
          text.line();
        });
    summary.pending().approvals().forEach(used -> labelled("Approved", used));
    if (summary.status() != Summary.RunStatus.FAILED) {
      summary.skipped().ifPresent(reason -> labelled("Skipped", reason));
    }
    summary.namespace().ifPresent(namespace -> labelled("Namespace", namespace.text()));
    if (!HeadlineText.success(summary) || summary.status() == Summary.RunStatus.WITHHELD) {
      text.append(textStyle.dim("Help: ")).line(Documentation.url("docs/messages.md"));
    }
    return text.append(textStyle.bold(HeadlineText.headline(summary)))
        .line(HeadlineText.allCounts(summary));
  }

  /// Writes what withheld changes would do to requests, for whoever is to approve them.
  private void writeImpactOfWithheld(StatusProblem problem) {
    if (detail.format != OutputFormat.DIFF) {
      return;
    }
    var named = problem.policies().stream().map(Note::policy).collect(Collectors.toSet());
    summary.pending().withheld().stream()
        .filter(withheld -> named.contains(withheld.id().toString()))
        .flatMap(withheld -> Optional.ofNullable(impacts.get(withheld.id())).stream())
        .forEach(impact -> text.append(new ImpactText(textStyle).write(impact)));
  }

  private void labelled(String label, String what) {
    var first = label + ": ";
    text.paragraph(textStyle.dim(first), first.length(), what, columns, textStyle::plain);
  }

  private List<Summary.Change> changes() {
    var changes = new ArrayList<>(summary.writes().applied());
    changes.addAll(summary.writes().updated());
    changes.addAll(summary.writes().removed());
    return changes;
  }

  /// Returns the changes in one line: `3 new, 1 changed (Audit → Enforce), 2 to remove, 30
  /// unchanged`.
  private String overview() {
    var parts = new ArrayList<String>();
    var byCause =
        changes().stream()
            .collect(
                Collectors.groupingBy(
                    Summary.Change::cause, LinkedHashMap::new, Collectors.toList()));
    byCause.forEach((cause, changes) -> parts.add(changes.size() + " " + cause + effects(changes)));
    parts.add(summary.untouched().unchanged() + " unchanged");
    return String.join(", ", parts);
  }

  private static String effects(List<Summary.Change> changes) {
    var effects =
        changes.stream()
            .filter(change -> change.cause() != Action.Cause.NEW)
            .flatMap(change -> change.policyDiff().effect().stream())
            .collect(
                Collectors.groupingBy(
                    Function.identity(), LinkedHashMap::new, Collectors.counting()));
    return effects.isEmpty()
        ? ""
        : effects.entrySet().stream()
            .map(effect ->
                effect.getValue() == changes.size()
                    ? effect.getKey()
                    : effect.getValue() + " " + effect.getKey())
            .collect(Collectors.joining(", ", " (", ")"));
  }

  private void writeChanges() {
    var width =
        changes().stream().mapToInt(change -> change.policy().toString().length()).max().orElse(0);
    var dryRun = summary.dryRun();
    write(
        "+ ", dryRun ? "to apply" : "applied", summary.writes().applied(), textStyle::green, width);
    write(
        "~ ",
        dryRun ? "to update" : "updated",
        summary.writes().updated(),
        textStyle::yellow,
        width);
    write(
        "- ", dryRun ? "to remove" : "removed", summary.writes().removed(), textStyle::red, width);
    if (!changes().isEmpty() && !endsWithDetails) {
      text.line();
    }
  }

  private void write(
      String sign,
      String what,
      List<Summary.Change> changes,
      Function<String, TextStyle.Painted> colour,
      int width) {
    for (var change : changes) {
      var policy = change.policy().toString();
      text.append("  ")
          .append(colour.apply(sign + policy + " ".repeat(width - policy.length())))
          .append("  " + what + " ".repeat("to update".length() - what.length()) + "  ")
          .append(textStyle.plain(because(change)))
          .line();
      endsWithDetails = detail.format == OutputFormat.DIFF && writeDetails(change);
      if (endsWithDetails) {
        text.line();
      }
    }
  }

  private String because(Summary.Change change) {
    var by = change.by().isEmpty() ? "" : " by " + String.join(", ", change.by());
    var effect =
        isFolded(change) && impact(change).filter(impact -> impact.impact().tightens()).isPresent()
            ? Optional.of("blocks requests")
            : change.policyDiff().effect().filter(_ -> !isExplained(change));
    return change.cause() + by + effect.map(text -> ", " + text).orElse("");
  }

  /// Returns whether the impact below a change names its effect, with the rule.
  private boolean isExplained(Summary.Change change) {
    return detail.format == OutputFormat.DIFF
        && change.policyDiff().effect().isPresent()
        && impact(change).stream()
            .flatMap(impact -> impact.impact().reasons().stream())
            .anyMatch(reason -> reason.toString().endsWith(change.policyDiff().effect().get()));
  }

  /// Returns whether a change is one line: the manifest of a new policy is in the feed.
  private boolean isFolded(Summary.Change change) {
    return !detail.full && change.cause() == Action.Cause.NEW;
  }

  /// Writes what a change does to requests, and its fields.
  private boolean writeDetails(Summary.Change change) {
    if (isFolded(change)) {
      return false;
    }
    var details = new TerminalText();
    impact(change).ifPresent(impact -> details.append(new ImpactText(textStyle).write(impact)));
    details.append(
        new DiffText(textStyle).write(change.policyDiff().fields(), change.policyDiff().effect()));
    text.append(details);
    return !details.isEmpty();
  }

  private Optional<WriteImpact> impact(Summary.Change change) {
    return Optional.ofNullable(impacts.get(change.policy()));
  }

  /// Returns what did not go well, one problem for each cause.
  private List<StatusProblem> problems() {
    var problems = new ArrayList<StatusProblem>();
    summary
        .warnings()
        .forEach(warning -> problems.add(problem(Severity.WARNING, warning, List.of())));
    if (!detail.verbose) {
      foldWarningsOfNewPolicies(problems);
    }
    addGroups(
        problems, Severity.NOTE, summary.untouched().ignored(), "is left alone", "are left alone");
    addGroups(
        problems,
        Severity.PENDING,
        summary.pending().waiting(),
        "waits for a later run",
        "wait for a later run");
    addGroups(
        problems,
        Severity.NOTE,
        summary.untouched().terminating(),
        "is being removed",
        "are being removed");
    addGroups(
        problems,
        Severity.WARNING,
        summary.untouched().conflicts(),
        "is not applied",
        "are not applied");
    problems.addAll(
        StatusProblems.withheld(
            summary.pending().withheld(),
            summary.pending().approval(),
            summary.pending().enforcing()));
    addGroups(
        problems,
        Severity.ERROR,
        summary.writes().notAttempted(),
        "was not attempted",
        "were not attempted");
    addGroups(
        problems,
        Severity.ERROR,
        summary.untouched().notInForce(),
        "is not in force",
        "are not in force");
    addGroups(problems, Severity.ERROR, failures(), "failed", "failed");
    summary.writes().failed().stream()
        .filter(problem -> problem.label().isEmpty())
        .forEach(problem -> problems.add(problem(Severity.ERROR, problem.reason(), List.of())));
    return problems;
  }

  private List<Note> failures() {
    return summary.writes().failed().stream()
        .flatMap(
            problem -> problem.label().map(label -> new Note(label, problem.reason())).stream())
        .toList();
  }

  /// Returns the name of a policy that failed, with its place in the feed: `ClusterPolicy/a (feed,
  /// line 41)`.
  private String withPosition(String policy) {
    var at = positions.get(policy);
    return at == null ? policy : policy + " (" + at.source() + ", line " + at.line() + ")";
  }

  private void addGroups(
      List<StatusProblem> problems, Severity severity, List<Note> notes, String one, String many) {
    for (var same : Note.byReason(notes)) {
      var title = same.size() == 1 ? "1 policy " + one : same.size() + " policies " + many;
      problems.add(
          new StatusProblem(
              severity,
              title,
              same.getFirst().reason(),
              same.stream().map(note -> new Note(withPosition(note.policy()), "")).toList(),
              Optional.empty(),
              Optional.empty()));
    }
  }

  /// Returns a problem without a reason of its own. A command at the end of its text gets a line of
  /// its own, to be copied.
  private static StatusProblem problem(Severity severity, String text, List<Note> policies) {
    var command = text.lastIndexOf(": kubectl ");
    return new StatusProblem(
        severity,
        command < 0 ? text : text.substring(0, command + 1),
        "",
        policies,
        Optional.empty(),
        command < 0 ? Optional.empty() : Optional.of(text.substring(command + 2)));
  }

  /// Replaces the warnings about new policies that block requests by one, because a first sync
  /// would warn of each of them.
  private void foldWarningsOfNewPolicies(List<StatusProblem> problems) {
    var applied =
        summary.writes().applied().stream().map(Summary.Change::policy).collect(Collectors.toSet());
    var fresh =
        summary.impact().stream()
            .filter(WriteImpact::isNewPolicy)
            .map(impact -> impact.impact().policy())
            .filter(applied::contains)
            .map(id -> new Note(id.toString(), ""))
            .toList();
    if (fresh.size() >= 2) {
      problems.removeIf(problem -> problem.title().endsWith(WriteImpact.NEW_POLICY));
      var title = fresh.size() + " new policies block requests and have no report data yet";
      problems.add(problem(Severity.WARNING, title, fresh));
    }
  }
}

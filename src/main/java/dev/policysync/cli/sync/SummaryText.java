package dev.policysync.cli.sync;

import dev.policysync.cli.DurationText;
import dev.policysync.cli.OutputFormat;
import dev.policysync.cli.TerminalText;
import dev.policysync.cli.TextStyle;
import dev.policysync.plan.PolicyDiff;
import dev.policysync.sync.Summary;
import dev.policysync.sync.analysis.WriteImpact;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/// The summary as text: one line per policy that is not in sync, then the counts.
public final class SummaryText {
  private final TextStyle textStyle;
  private final OutputFormat format;
  private final boolean verbose;
  private final List<Row> rows = new ArrayList<>();
  private List<WriteImpact> impact = List.of();

  private SummaryText(TextStyle textStyle, OutputFormat format, boolean verbose) {
    this.textStyle = textStyle;
    this.format = format;
    this.verbose = verbose;
  }

  /// Returns the summary as text that ends with a line break.
  ///
  /// @param verbose whether each new policy that blocks requests has its own warning
  public static TerminalText write(
      Summary summary, TextStyle textStyle, OutputFormat format, boolean verbose) {
    var text = new SummaryText(textStyle, format, verbose);
    text.collect(summary);
    var written = text.table();
    summary.conversions().map(new ConversionText(textStyle)::write).ifPresent(written::append);
    return written.append(text.closing(summary));
  }

  /// Returns whether the run succeeded. Withheld actions are not a failure.
  static boolean success(Summary summary) {
    return switch (summary.status()) {
      case DONE, WITHHELD -> true;
      case FAILED, STOPPED -> false;
    };
  }

  /// Returns the counts in the format that the documentation of the API promises.
  static String counts(Summary summary) {
    return "Applied "
        + summary.writes().applied().size()
        + ", Updated "
        + summary.writes().updated().size()
        + ", Removed "
        + summary.writes().removed().size()
        + ", Failed "
        + summary.writes().failed().stream().filter(problem -> problem.label().isPresent()).count();
  }

  private record Row(
      String sign,
      String policy,
      String what,
      String detail,
      Function<String, TextStyle.Painted> colour,
      PolicyDiff policyDiff) {}

  private void collect(Summary summary) {
    impact = summary.impact();
    var would = summary.dryRun() ? "would be " : "";
    for (var change : summary.writes().applied()) {
      rows.add(row("+", change, would + "applied", textStyle::green));
    }
    for (var change : summary.writes().updated()) {
      rows.add(row("~", change, would + "updated", textStyle::yellow));
    }
    for (var change : summary.writes().removed()) {
      rows.add(row("-", change, would + "removed", textStyle::red));
    }
    summary
        .pending()
        .withheld()
        .forEach(note -> rows.add(row("!", note, "withheld", textStyle::yellow)));
    summary
        .untouched()
        .conflicts()
        .forEach(note -> rows.add(row("!", note, "conflict", textStyle::yellow)));
    summary
        .writes()
        .notAttempted()
        .forEach(note -> rows.add(row(".", note, "not attempted", textStyle::red)));
    summary
        .pending()
        .waiting()
        .forEach(note -> rows.add(row(".", note, "waiting", textStyle::yellow)));
    summary
        .untouched()
        .notInForce()
        .forEach(note -> rows.add(row("x", note, "not in force", textStyle::red)));
    summary
        .untouched()
        .ignored()
        .forEach(note -> rows.add(row(".", note, "ignored", textStyle::dim)));
    summary
        .untouched()
        .terminating()
        .forEach(note -> rows.add(row("-", note, "terminating", textStyle::yellow)));
    for (var problem : summary.writes().failed()) {
      problem
          .label()
          .ifPresent(label ->
              rows.add(
                  new Row(
                      "x", label, "failed", problem.reason(), textStyle::red, PolicyDiff.NONE)));
    }
  }

  private Row row(
      String sign, Summary.Change change, String what, Function<String, TextStyle.Painted> colour) {
    var by = change.by().isEmpty() ? "" : " by " + String.join(", ", change.by());
    var effect = change.policyDiff().effect().map(text -> ", " + text).orElse("");
    var detail = change.cause() + by + effect;
    return new Row(sign, change.policy().toString(), what, detail, colour, change.policyDiff());
  }

  private static Row row(
      String sign, Summary.Note note, String what, Function<String, TextStyle.Painted> colour) {
    return new Row(sign, note.policy(), what, note.reason(), colour, PolicyDiff.NONE);
  }

  private TerminalText table() {
    var policies = rows.stream().mapToInt(row -> row.policy().length()).max().orElse(0);
    var whats = rows.stream().mapToInt(row -> row.what().length()).max().orElse(0);
    var text = new TerminalText();
    for (var row : rows) {
      text.append("  ")
          .append(row.colour().apply(row.sign() + " " + padded(row.policy(), policies)))
          .append("  ")
          .append(padded(row.what(), whats))
          .append("  ")
          .append(textStyle.dim(row.detail()))
          .line();
      if (format == OutputFormat.DIFF) {
        impact.stream()
            .filter(writeImpact -> writeImpact.impact().policy().toString().equals(row.policy()))
            .forEach(writeImpact -> text.append(new ImpactText(textStyle).write(writeImpact)));
        text.append(new DiffText(textStyle).write(row.policyDiff().fields()));
      }
    }
    return rows.isEmpty() ? text : text.line();
  }

  private TerminalText closing(Summary summary) {
    var text = new TerminalText();
    for (var warning : warnings(summary)) {
      text.append(textStyle.yellow("warning: ")).line(warning);
    }
    for (var problem : summary.writes().failed()) {
      if (problem.label().isEmpty()) {
        text.append(textStyle.red("error: ")).line(problem.reason());
      }
    }
    summary.pending().approvals().forEach(used -> text.append("Approved: ").line(used));
    summary
        .pending()
        .approval()
        .ifPresent(approval ->
            text.line("To approve exactly these removals, once, within 24 hours:")
                .append("  ")
                .line(approval.command())
                .line());
    summary
        .pending()
        .enforcing()
        .ifPresent(approval ->
            text.line("To approve exactly these enforcement changes, once, within 24 hours:")
                .append("  ")
                .line(approval.command())
                .line());
    summary.skipped().ifPresent(reason -> text.append("Skipped: ").line(reason));
    summary.namespace().ifPresent(namespace -> text.append("Namespace: ").line(namespace.text()));
    return text.append(textStyle.bold(headline(summary))).line(allCounts(summary));
  }

  /// Returns the warnings. Several new policies that block requests share one line, because a first
  /// sync would warn of each of them.
  private List<String> warnings(Summary summary) {
    var applied =
        summary.writes().applied().stream().map(Summary.Change::policy).collect(Collectors.toSet());
    var fresh =
        summary.impact().stream()
            .filter(WriteImpact::isNewPolicy)
            .map(writeImpact -> writeImpact.impact().policy())
            .filter(applied::contains)
            .toList();
    if (verbose || fresh.size() < 2) {
      return summary.warnings();
    }
    var warnings = new ArrayList<String>();
    warnings.add(
        fresh.size()
            + " new policies block requests and have no report data yet; list them with"
            + " LOG_LEVEL=debug or -o json");
    summary.warnings().stream()
        .filter(warning -> !warning.endsWith(WriteImpact.NEW_POLICY))
        .forEach(warnings::add);
    return warnings;
  }

  /// Returns the whole run in one line.
  static String line(Summary summary) {
    return headline(summary) + allCounts(summary);
  }

  private static String allCounts(Summary summary) {
    return ": "
        + counts(summary)
        + ", Unchanged "
        + summary.untouched().unchanged()
        + more("Withheld", summary.pending().withheld())
        + more("Conflicts", summary.untouched().conflicts())
        + more("Not attempted", summary.writes().notAttempted())
        + more("Waiting", summary.pending().waiting())
        + more("Not in force", summary.untouched().notInForce())
        + more("Ignored", summary.untouched().ignored())
        + more("Terminating", summary.untouched().terminating())
        + " ("
        + DurationText.of(summary.duration())
        + ")";
  }

  private static String more(String what, List<Summary.Note> notes) {
    return notes.isEmpty() ? "" : ", " + what + " " + notes.size();
  }

  private static String headline(Summary summary) {
    return switch (summary.status()) {
      case DONE -> done(summary);
      case FAILED -> "Failed";
      case WITHHELD -> "Done, some changes were withheld";
      case STOPPED -> "Stopped by a signal";
    };
  }

  private static String done(Summary summary) {
    if (summary.skipped().isPresent()) {
      return "Nothing done";
    }
    if (!summary.changes()) {
      return "In sync";
    }
    return summary.dryRun() ? "Dry run, nothing was written" : "Done";
  }

  private static String padded(String text, int width) {
    return text + " ".repeat(width - text.length());
  }
}

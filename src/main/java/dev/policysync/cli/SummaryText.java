package dev.policysync.cli;

import dev.policysync.difference.Difference;
import dev.policysync.sync.Foreseen;
import dev.policysync.sync.Summary;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/// The summary for people: a line a policy that is not simply in sync, the counts last.
final class SummaryText {
  private final Style style;
  private final OutputFormat format;
  private final List<Row> rows = new ArrayList<>();
  private List<Foreseen> impact = List.of();

  private SummaryText(Style style, OutputFormat format) {
    this.style = style;
    this.format = format;
  }

  static String write(Summary summary, Style style, OutputFormat format) {
    var text = new SummaryText(style, format);
    text.collect(summary);
    return text.table() + text.closing(summary);
  }

  /// Whether nothing failed; what a guard withheld is no failure.
  static boolean success(Summary summary) {
    return switch (summary.ending()) {
      case DONE, WITHHELD -> true;
      case FAILED, STOPPED -> false;
    };
  }

  /// The counts as the documentation of the API promises them.
  static String counts(Summary summary) {
    return "Applied "
        + summary.applied().size()
        + ", Updated "
        + summary.updated().size()
        + ", Removed "
        + summary.removed().size()
        + ", Failed "
        + summary.failed().stream().filter(problem -> problem.label().isPresent()).count();
  }

  private record Row(
      String sign,
      String policy,
      String what,
      String detail,
      UnaryOperator<String> colour,
      Difference difference) {}

  private void collect(Summary summary) {
    impact = summary.impact();
    var would = summary.dryRun() ? "would be " : "";
    for (var change : summary.applied()) {
      rows.add(row("+", change, would + "applied", style::green));
    }
    for (var change : summary.updated()) {
      rows.add(row("~", change, would + "updated", style::yellow));
    }
    for (var change : summary.removed()) {
      rows.add(row("-", change, would + "removed", style::red));
    }
    summary.withheld().forEach(note -> rows.add(row("!", note, "withheld", style::yellow)));
    summary.conflicts().forEach(note -> rows.add(row("!", note, "conflict", style::yellow)));
    summary.notAttempted().forEach(note -> rows.add(row(".", note, "not attempted", style::red)));
    for (var problem : summary.failed()) {
      problem
          .label()
          .ifPresent(label ->
              rows.add(
                  new Row("x", label, "failed", problem.reason(), style::red, Difference.NONE)));
    }
  }

  private Row row(String sign, Summary.Change change, String what, UnaryOperator<String> colour) {
    var by = change.by().isEmpty() ? "" : " by " + String.join(", ", change.by());
    var effect = change.difference().effect().map(text -> ", " + text).orElse("");
    var detail = change.cause() + by + effect;
    return new Row(sign, change.policy().toString(), what, detail, colour, change.difference());
  }

  private static Row row(
      String sign, Summary.Note note, String what, UnaryOperator<String> colour) {
    return new Row(sign, note.policy(), what, note.reason(), colour, Difference.NONE);
  }

  private String table() {
    var policies = rows.stream().mapToInt(row -> row.policy().length()).max().orElse(0);
    var whats = rows.stream().mapToInt(row -> row.what().length()).max().orElse(0);
    var text = new StringBuilder();
    for (var row : rows) {
      text.append("  ")
          .append(row.colour().apply(row.sign() + " " + padded(row.policy(), policies)))
          .append("  ")
          .append(padded(row.what(), whats))
          .append("  ")
          .append(style.dim(row.detail()))
          .append('\n');
      if (format == OutputFormat.DIFF) {
        impact.stream()
            .filter(foreseen -> foreseen.impact().policy().toString().equals(row.policy()))
            .forEach(foreseen -> text.append(new ImpactText(style).write(foreseen)));
        text.append(new DifferenceText(style).write(row.difference().fields()));
      }
    }
    return rows.isEmpty() ? "" : text.append('\n').toString();
  }

  private String closing(Summary summary) {
    var text = new StringBuilder();
    for (var warning : summary.warnings()) {
      text.append(style.yellow("warning: ")).append(warning).append('\n');
    }
    for (var problem : summary.failed()) {
      if (problem.label().isEmpty()) {
        text.append(style.red("error: ")).append(problem.reason()).append('\n');
      }
    }
    summary
        .approval()
        .ifPresent(approval ->
            text.append("To let exactly these removals through once, within 24 hours:\n  ")
                .append(approval.command())
                .append("\n\n"));
    summary
        .enforcing()
        .ifPresent(approval ->
            text.append("To let exactly these changes block more, once, within 24 hours:\n  ")
                .append(approval.command())
                .append("\n\n"));
    summary.skipped().ifPresent(reason -> text.append("Skipped: ").append(reason).append('\n'));
    return text.append(style.bold(headline(summary)))
        .append(allCounts(summary))
        .append('\n')
        .toString();
  }

  /// The whole run in one line.
  static String line(Summary summary) {
    return headline(summary) + allCounts(summary);
  }

  private static String allCounts(Summary summary) {
    return ": "
        + counts(summary)
        + ", Unchanged "
        + summary.unchanged()
        + more("Withheld", summary.withheld())
        + more("In conflict", summary.conflicts())
        + more("Not attempted", summary.notAttempted())
        + " ("
        + SummaryJson.seconds(summary.duration())
        + ")";
  }

  private static String more(String what, List<Summary.Note> notes) {
    return notes.isEmpty() ? "" : ", " + what + " " + notes.size();
  }

  private static String headline(Summary summary) {
    return switch (summary.ending()) {
      case DONE -> done(summary);
      case FAILED -> "Failed";
      case WITHHELD -> "Done, but something was held back";
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
    return summary.dryRun() ? "Preview, nothing was written" : "Done";
  }

  private static String padded(String text, int width) {
    return text + " ".repeat(width - text.length());
  }
}

package dev.policysync.cli;

import dev.policysync.inspect.SyncStatus;
import dev.policysync.plan.Action.Cause;
import dev.policysync.sync.Summary;
import dev.policysync.sync.Summary.Note;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/// The lines of `status` about policies that are not in force, or need attention.
final class PolicyRows {
  /// The maximum number of lines per state; `-o json` lists all policies.
  private static final int EACH = 10;

  private final TextStyle textStyle;

  PolicyRows(TextStyle textStyle) {
    this.textStyle = textStyle;
  }

  private record Row(
      String sign, Note note, String state, Function<String, TextStyle.Painted> colour) {}

  TerminalText write(SyncStatus syncStatus) {
    var summary = syncStatus.summary();
    var rows = new ArrayList<Row>();
    for (var cause : Cause.values()) {
      add(rows, "~", state(cause), pending(syncStatus, cause), textStyle::yellow);
    }
    add(rows, "x", "not in force", summary.untouched().notInForce(), textStyle::red);
    add(rows, "x", "failed", failed(summary), textStyle::red);
    add(rows, "!", "fought over", syncStatus.managerConflicts(), textStyle::red);
    add(rows, "!", "withheld", summary.pending().withheld(), textStyle::yellow);
    add(rows, "!", "conflict", summary.untouched().conflicts(), textStyle::yellow);
    add(rows, "-", "terminating", summary.untouched().terminating(), textStyle::yellow);
    add(rows, ".", "ignored", summary.untouched().ignored(), textStyle::dim);
    var text = new TerminalText();
    if (rows.isEmpty()) {
      return text;
    }
    text.line();
    var policies = rows.stream().mapToInt(row -> row.note.policy().length()).max().orElse(0);
    var states = rows.stream().mapToInt(row -> row.state.length()).max().orElse(0);
    for (var row : rows) {
      text.append("  ")
          .append(row.colour.apply(row.sign + " " + padded(row.note.policy(), policies)))
          .append("  ")
          .append(padded(row.state, states))
          .append("  ")
          .append(textStyle.dim(row.note.reason()))
          .line();
    }
    return text;
  }

  private static void add(
      List<Row> rows,
      String sign,
      String state,
      List<Note> notes,
      Function<String, TextStyle.Painted> colour) {
    notes.stream().limit(EACH).forEach(note -> rows.add(new Row(sign, note, state, colour)));
    if (notes.size() > EACH) {
      var more = new Note("and " + (notes.size() - EACH) + " more", "see -o json");
      rows.add(new Row(sign, more, state, colour));
    }
  }

  private static List<Note> pending(SyncStatus syncStatus, Cause cause) {
    return syncStatus.pending().stream()
        .filter(pending -> pending.cause() == cause)
        .map(pending -> new Note(pending.policy(), next(pending)))
        .toList();
  }

  private static String next(SyncStatus.Pending pending) {
    return switch (pending.cause()) {
      case NEW -> "the next run applies it";
      case CHANGED -> "the source has changed; the next run updates it";
      case DRIFTED ->
          "changed"
              + (pending.by().isEmpty() ? "" : " by " + String.join(", ", pending.by()))
              + "; the next run repairs it";
      case ADOPTED -> "the next run takes it over";
      case GONE_FROM_FEED -> "the source no longer has it; the next run removes it";
      case REPLACED -> "its successor is in force; the next run removes it";
    };
  }

  static List<Note> failed(Summary summary) {
    return summary.writes().failed().stream()
        .flatMap(
            problem -> problem.label().map(label -> new Note(label, problem.reason())).stream())
        .toList();
  }

  static String state(Cause cause) {
    return switch (cause) {
      case NEW -> "missing";
      case CHANGED -> "outdated";
      case DRIFTED -> "drifted";
      case ADOPTED -> "to adopt";
      case GONE_FROM_FEED, REPLACED -> "to remove";
    };
  }

  private static String padded(String text, int width) {
    return text + " ".repeat(width - text.length());
  }
}

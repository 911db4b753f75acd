package dev.policysync.cli.sync;

import dev.policysync.cli.DurationText;
import dev.policysync.sync.Summary;
import java.util.LinkedHashMap;
import java.util.stream.Collectors;

/// The summary in one line: how the run ended, and how many policies are in which state.
final class HeadlineText {
  private HeadlineText() {}

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
        + failed(summary);
  }

  private static long failed(Summary summary) {
    return summary.writes().failed().stream()
        .filter(problem -> problem.label().isPresent())
        .count();
  }

  /// Returns the whole run in one line.
  static String line(Summary summary) {
    return headline(summary) + allCounts(summary);
  }

  /// Returns the counts that are not zero: `: 3 applied, 30 unchanged (0.4s)`.
  static String allCounts(Summary summary) {
    var dryRun = summary.dryRun();
    var counts = new LinkedHashMap<String, Long>();
    counts.put(dryRun ? "to apply" : "applied", (long) summary.writes().applied().size());
    counts.put(dryRun ? "to update" : "updated", (long) summary.writes().updated().size());
    counts.put(dryRun ? "to remove" : "removed", (long) summary.writes().removed().size());
    counts.put("failed", failed(summary));
    counts.put("withheld", (long) summary.pending().withheld().size());
    counts.put("in conflict", (long) summary.untouched().conflicts().size());
    counts.put("not attempted", (long) summary.writes().notAttempted().size());
    counts.put("waiting", (long) summary.pending().waiting().size());
    counts.put("not in force", (long) summary.untouched().notInForce().size());
    counts.put("left alone", (long) summary.untouched().ignored().size());
    counts.put("terminating", (long) summary.untouched().terminating().size());
    counts.put("unchanged", (long) summary.untouched().unchanged());
    var text =
        counts.entrySet().stream()
            .filter(count -> count.getValue() > 0)
            .map(count -> count.getValue() + " " + count.getKey())
            .collect(Collectors.joining(", "));
    return (text.isEmpty() ? "" : ": " + text) + " (" + DurationText.of(summary.duration()) + ")";
  }

  /// Returns how the run ended: `Dry run, nothing was written`.
  static String headline(Summary summary) {
    if (!summary.dryRun()) {
      return switch (summary.status()) {
        case DONE -> done(summary);
        case FAILED -> "Failed";
        case WITHHELD -> "Done, some changes are withheld";
        case STOPPED -> "Stopped by a signal";
      };
    }
    return switch (summary.status()) {
      case DONE -> summary.changes() ? "Dry run, nothing was written" : "In sync";
      case FAILED -> "Dry run failed, nothing was written";
      case WITHHELD -> "Dry run, nothing was written, some changes would be withheld";
      case STOPPED -> "Dry run stopped by a signal, nothing was written";
    };
  }

  private static String done(Summary summary) {
    if (summary.skipped().isPresent()) {
      return "Nothing done";
    }
    return summary.changes() ? "Done" : "In sync";
  }
}

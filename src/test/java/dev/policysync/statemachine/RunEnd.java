package dev.policysync.statemachine;

import dev.policysync.sync.Summary;
import java.util.List;
import java.util.function.Function;

/// How a run ended.
sealed interface RunEnd {
  /// With a summary.
  record Said(Summary summary) implements RunEnd {
    /// In short, for the story.
    @Override
    public String toString() {
      return summary.status()
          + summary.skipped().map(reason -> " skipped: " + reason).orElse("")
          + list("applied", summary.writes().applied(), change -> change.policy().toString())
          + list("updated", summary.writes().updated(), change -> change.policy().toString())
          + list("removed", summary.writes().removed(), change -> change.policy().toString())
          + list("failed", summary.writes().failed(), Said::shortened)
          + list("withheld", summary.pending().withheldNotes(), Summary.Note::policy)
          + list("conflicts", summary.untouched().conflicts(), Summary.Note::policy)
          + list(
              "not attempted",
              summary.writes().notAttempted(),
              note -> note.policy() + " (" + note.reason() + ")");
    }

    private static String shortened(Summary.Problem problem) {
      var reason = problem.reason();
      return problem.label().orElse("")
          + " ("
          + reason.substring(0, Math.min(70, reason.length()))
          + ")";
    }

    private static <T> String list(String title, List<T> items, Function<T, String> text) {
      return items.isEmpty() ? "" : " " + title + " " + items.stream().map(text).toList();
    }
  }

  /// Without a word.
  record Killed() implements RunEnd {
    @Override
    public String toString() {
      return "killed";
    }
  }
}

package dev.policysync.cli.sync;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.policysync.base.Printable;
import dev.policysync.cli.TerminationMessage;
import dev.policysync.sync.RunId;
import dev.policysync.sync.Summary;
import dev.policysync.sync.Summary.Note;
import java.util.List;
import java.util.stream.Stream;

/// The summary as a [TerminationMessage]: the counts, then the problems, the most urgent first.
final class TerminationText {
  private static final String MORE = "…\n";

  private TerminationText() {}

  static String write(Summary summary, RunId run) {
    var text = new StringBuilder(HeadlineText.line(summary)).append(", run ").append(run);
    var left = TerminationMessage.LIMIT - MORE.getBytes(UTF_8).length;
    left -= text.append('\n').toString().getBytes(UTF_8).length;
    for (var line : (Iterable<String>) lines(summary)::iterator) {
      var whole = line + "\n";
      left -= whole.getBytes(UTF_8).length;
      if (left < 0) {
        return text.append(MORE).toString();
      }
      text.append(whole);
    }
    return text.toString();
  }

  private static Stream<String> lines(Summary summary) {
    var failed =
        summary.writes().failed().stream()
            .map(problem -> new Note(problem.label().orElse(""), problem.reason()))
            .toList();
    return Stream.of(
            grouped(failed, ""),
            grouped(summary.untouched().notInForce(), " not in force"),
            summary.pending().approval().stream()
                .map(how ->
                    "Withheld " + summary.pending().withheld().size() + ": " + how.command()),
            summary.pending().enforcing().stream()
                .map(how -> "Enforcement changes withheld: " + how.command()),
            grouped(summary.untouched().conflicts(), ""),
            grouped(summary.writes().notAttempted(), " not attempted"),
            summary.skipped().stream(),
            summary.warnings().stream())
        .flatMap(part -> part)
        .map(Printable::line);
  }

  /// Returns a line for each reason, with the first of its policies.
  private static Stream<String> grouped(List<Note> notes, String state) {
    return Note.byReason(notes).stream()
        .map(same -> {
          var policy = same.getFirst().policy();
          var more = same.size() > 1 ? " and " + (same.size() - 1) + " more" : "";
          return (policy.isEmpty() ? "" : policy + more + state + ": ") + same.getFirst().reason();
        });
  }
}

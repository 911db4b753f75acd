package dev.policysync.cli.sync;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.policysync.base.Printable;
import dev.policysync.cli.TerminationMessage;
import dev.policysync.sync.RunId;
import dev.policysync.sync.Summary;
import java.util.stream.Stream;

/// The summary as a [TerminationMessage]: the counts, then the problems, the most urgent first.
final class TerminationText {
  private static final String MORE = "…\n";

  private TerminationText() {}

  static String write(Summary summary, RunId run) {
    var text = new StringBuilder(SummaryText.line(summary)).append(", run ").append(run);
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
    return Stream.of(
            summary.writes().failed().stream()
                .map(problem ->
                    problem.label().map(label -> label + ": ").orElse("") + problem.reason()),
            summary.untouched().notInForce().stream()
                .map(note -> note.policy() + " not in force: " + note.reason()),
            summary.pending().approval().stream()
                .map(how ->
                    "Withheld " + summary.pending().withheld().size() + ": " + how.command()),
            summary.pending().enforcing().stream()
                .map(how -> "Enforcement changes withheld: " + how.command()),
            summary.untouched().conflicts().stream()
                .map(note -> note.policy() + ": " + note.reason()),
            summary.writes().notAttempted().stream()
                .map(note -> note.policy() + " not attempted: " + note.reason()),
            summary.skipped().stream(),
            summary.warnings().stream())
        .flatMap(part -> part)
        .map(Printable::line);
  }
}

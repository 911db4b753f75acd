package dev.policysync.cli;

import dev.policysync.sync.RunId;
import dev.policysync.sync.Summary.Ending;
import dev.policysync.sync.Summary.Problem;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// What people and log queries see.
class OutputGoldenTest {
  private static final RunId RUN = new RunId("3f9a1c2e");

  @Test
  void writesEveryFieldOfTheJsonSummary() {
    Golden.assertEqual("eventful.json", SummaryJson.write(Summaries.eventful(false), RUN) + "\n");
  }

  @Test
  void writesEveryListOfTheJsonSummaryWhenNothingHappened() {
    var summary = Summaries.quiet(Ending.DONE, List.of(), Optional.empty());

    Golden.assertEqual("quiet.json", SummaryJson.write(summary, RUN) + "\n");
  }

  @Test
  void writesARefusalAsJson() {
    var refused = new Problem(Optional.empty(), Optional.empty(), "GET …: HTTP 401", false);
    var summary = Summaries.quiet(Ending.FAILED, List.of(refused), Optional.empty());

    Golden.assertEqual("refused.json", SummaryJson.write(summary, RUN) + "\n");
  }

  @Test
  void writesALineForEachPolicyAndTheCountsLast() {
    Golden.assertEqual(
        "eventful.txt",
        SummaryText.write(Summaries.eventful(false), Style.PLAIN, OutputFormat.TEXT));
  }

  @Test
  void coloursTheLinesOnATerminal() {
    Golden.assertEqual(
        "eventful-coloured.txt",
        SummaryText.write(Summaries.eventful(false), Style.COLOURED, OutputFormat.TEXT));
  }

  @Test
  void writesEachChangedFieldInADiff() {
    Golden.assertEqual(
        "eventful-diff.txt",
        SummaryText.write(Summaries.eventful(true), Style.PLAIN, OutputFormat.DIFF));
  }

  @Test
  void saysInOneLineThatNothingHappened() {
    var inSync = Summaries.quiet(Ending.DONE, List.of(), Optional.empty());
    var skipped =
        Summaries.quiet(Ending.DONE, List.of(), Optional.of("another run is at work: pod-a"));
    var refused =
        Summaries.quiet(
            Ending.FAILED,
            List.of(new Problem(Optional.empty(), Optional.empty(), "GET …: HTTP 401", false)),
            Optional.empty());

    Golden.assertEqual(
        "quiet.txt",
        SummaryText.write(inSync, Style.PLAIN, OutputFormat.TEXT)
            + SummaryText.write(skipped, Style.PLAIN, OutputFormat.TEXT)
            + SummaryText.write(refused, Style.PLAIN, OutputFormat.TEXT));
  }

  @Test
  void explainsTheProgram() {
    Golden.assertEqual("help.txt", printed("help"));
  }

  @Test
  void explainsACommand() {
    Golden.assertEqual("help-diff.txt", printed("help", "diff"));
  }

  private static String printed(String... arguments) {
    return switch (Invocation.of(arguments)) {
      case Invocation.Print(var text, _) -> text;
      case Invocation.Run run -> throw new AssertionError("would run " + run);
    };
  }
}

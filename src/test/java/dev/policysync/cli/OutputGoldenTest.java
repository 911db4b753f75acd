package dev.policysync.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.report.FakeFindings;
import dev.policysync.report.ReportKind;
import dev.policysync.report.Sizes;
import dev.policysync.sync.RunId;
import dev.policysync.sync.Summary.Ending;
import dev.policysync.sync.Summary.Problem;
import dev.policysync.view.Occasion;
import dev.policysync.view.Samples;
import dev.policysync.view.Storage;
import java.util.List;
import java.util.Map;
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

  @Test
  void explainsReport() {
    Golden.assertEqual("help-report.txt", printed("report", "--help"));
  }

  @Test
  void showsTheWorstOfWhatReportsSay() {
    Golden.assertEqual(
        "findings.txt", FindingsText.write(Samples.ordinary(500), Samples.OCCASION, Style.PLAIN));
    Golden.assertEqual(
        "findings-coloured.txt",
        FindingsText.write(Samples.few(), Samples.OCCASION, Style.COLOURED));
  }

  @Test
  void takesNoReportForNoGoodNews() {
    Golden.assertEqual(
        "findings-none.txt",
        FindingsText.write(FakeFindings.none(Map.of()), Samples.OCCASION, Style.PLAIN)
            + FindingsText.write(
                FakeFindings.none(Map.of(ReportKind.REPORT, Sizes.NONE)),
                new Occasion("", Samples.AT, ""),
                Style.PLAIN));
  }

  @Test
  void letsNoTextOfAReportReachTheTerminalAsACommand() {
    var text = FindingsText.write(Samples.hostile(), Samples.OCCASION, Style.PLAIN);

    assertThat(text).doesNotContain("kubectl").matches("[\\x20-\\x7E\\n▇…\\uFFFD]*");
  }

  @Test
  void saysWhatReportsTakeInEtcdAndWouldTake() {
    var storage = Storage.of(Samples.ordinary(500));
    var estimate = Optional.of(storage.estimate(5_000, 20));
    var none = Storage.of(FakeFindings.none(Map.of()));

    Golden.assertEqual(
        "storage.txt", StorageText.write(storage, Optional.empty(), Samples.OCCASION, Style.PLAIN));
    Golden.assertEqual(
        "storage-estimate.txt",
        StorageText.write(storage, estimate, Samples.OCCASION, Style.PLAIN));
    Golden.assertEqual(
        "storage-none.txt",
        StorageText.write(
            none, Optional.of(none.estimate(1_000, 17)), Samples.OCCASION, Style.PLAIN));
  }

  private static String printed(String... arguments) {
    return switch (Invocation.of(arguments)) {
      case Invocation.Print(var text, _) -> text;
      case Invocation.Run run -> throw new AssertionError("would run " + run);
    };
  }
}

package dev.policysync.cli.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.cli.Golden;
import dev.policysync.cli.Invocation;
import dev.policysync.cli.OutputFormat;
import dev.policysync.cli.TextStyle;
import dev.policysync.cli.sync.SummaryFixtures;
import dev.policysync.cli.sync.SummaryJson;
import dev.policysync.cli.sync.SummaryText;
import dev.policysync.plan.SourceName;
import dev.policysync.report.FakeFindings;
import dev.policysync.report.ReportKind;
import dev.policysync.report.ReportSizes;
import dev.policysync.report.view.FindingContext;
import dev.policysync.report.view.Owners;
import dev.policysync.report.view.ReportHeader;
import dev.policysync.report.view.Storage;
import dev.policysync.report.view.ViewSamples;
import dev.policysync.sync.RunId;
import dev.policysync.sync.Summary.Problem;
import dev.policysync.sync.Summary.RunStatus;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What people and log queries see.
class OutputGoldenTest {
  private static final Optional<SourceName> SOURCE = Optional.of(SourceName.of("acme", "prod-1"));
  private static final RunId RUN = new RunId("3f9a1c2e");

  @Test
  void writesEveryFieldOfTheJsonSummary() {
    Golden.assertEqual(
        "eventful.json", SummaryJson.write(SummaryFixtures.eventful(false), RUN, SOURCE) + "\n");
  }

  @Test
  void writesEveryListOfTheJsonSummaryWhenNothingHappened() {
    var summary = SummaryFixtures.quiet(RunStatus.DONE, List.of(), Optional.empty());

    Golden.assertEqual("quiet.json", SummaryJson.write(summary, RUN, SOURCE) + "\n");
  }

  @Test
  void writesARefusalAsJson() {
    var refused = new Problem(Optional.empty(), Optional.empty(), "GET …: HTTP 401", false);
    var summary = SummaryFixtures.quiet(RunStatus.FAILED, List.of(refused), Optional.empty());

    Golden.assertEqual("refused.json", SummaryJson.write(summary, RUN, SOURCE) + "\n");
  }

  @Test
  void writesALineForEachPolicyAndTheCountsLast() {
    Golden.assertEqual(
        "eventful.txt",
        SummaryText.write(
            SummaryFixtures.eventful(false),
            TextStyle.PLAIN,
            new SummaryText.Detail(OutputFormat.TEXT, false, false),
            0));
  }

  @Test
  void coloursTheLinesOnATerminal() {
    Golden.assertEqual(
        "eventful-coloured.txt",
        SummaryText.write(
            SummaryFixtures.eventful(false),
            TextStyle.COLOURED,
            new SummaryText.Detail(OutputFormat.TEXT, false, false),
            0));
  }

  @Test
  void writesEachChangedFieldInADiff() {
    Golden.assertEqual(
        "eventful-diff.txt",
        SummaryText.write(
            SummaryFixtures.eventful(true),
            TextStyle.PLAIN,
            new SummaryText.Detail(OutputFormat.DIFF, false, false),
            0));
  }

  @Test
  void saysWhatWouldBecomeOfPolicies() {
    Golden.assertEqual(
        "conversions.json",
        SummaryJson.write(SummaryFixtures.previewing(SummaryFixtures.conversions()), RUN, SOURCE)
            + "\n");
    Golden.assertEqual(
        "conversions.txt",
        SummaryText.write(
                SummaryFixtures.previewing(SummaryFixtures.conversions()),
                TextStyle.PLAIN,
                new SummaryText.Detail(OutputFormat.DIFF, false, false),
                0)
            .append(
                SummaryText.write(
                    SummaryFixtures.previewing(List.of()),
                    TextStyle.COLOURED,
                    new SummaryText.Detail(OutputFormat.TEXT, false, false),
                    0)));
  }

  @Test
  void saysWhatBecomesOfPolicies() {
    var summary = SummaryFixtures.previewing(SummaryFixtures.successions());
    Golden.assertEqual(
        "successions.txt",
        SummaryText.write(
                summary,
                TextStyle.PLAIN,
                new SummaryText.Detail(OutputFormat.DIFF, false, false),
                0)
            + SummaryJson.write(summary, RUN, SOURCE)
            + "\n");
  }

  @Test
  void saysInOneLineThatNothingHappened() {
    var inSync = SummaryFixtures.quiet(RunStatus.DONE, List.of(), Optional.empty());
    var skipped =
        SummaryFixtures.quiet(
            RunStatus.DONE, List.of(), Optional.of("another run is active: pod-a"));
    var refused =
        SummaryFixtures.quiet(
            RunStatus.FAILED,
            List.of(new Problem(Optional.empty(), Optional.empty(), "GET …: HTTP 401", false)),
            Optional.empty());

    Golden.assertEqual(
        "quiet.txt",
        SummaryText.write(
                inSync, TextStyle.PLAIN, new SummaryText.Detail(OutputFormat.TEXT, false, false), 0)
            .append(
                SummaryText.write(
                    skipped,
                    TextStyle.PLAIN,
                    new SummaryText.Detail(OutputFormat.TEXT, false, false),
                    0))
            .append(
                SummaryText.write(
                    refused,
                    TextStyle.PLAIN,
                    new SummaryText.Detail(OutputFormat.TEXT, false, false),
                    0)));
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
  void explainsWithTheSettingsThatACommandUses() {
    Golden.assertEqual("help-status.txt", printed("help", "status"));
    Golden.assertEqual("help-check.txt", printed("help", "check"));
    Golden.assertEqual("help-lint.txt", printed("help", "lint"));
  }

  @Test
  void explainsReport() {
    Golden.assertEqual("help-report.txt", printed("report", "--help"));
  }

  @Test
  void showsTheWorstOfWhatReportsSay() {
    Golden.assertEqual(
        "findings.txt",
        FindingsText.write(ViewSamples.ordinary(500), ViewSamples.CONTEXT, TextStyle.PLAIN));
    Golden.assertEqual(
        "findings-coloured.txt",
        FindingsText.write(ViewSamples.few(), ViewSamples.CONTEXT, TextStyle.COLOURED));
  }

  @Test
  void saysWhatIsNewAndGoneAndWhoHasMost(@TempDir Path folder) throws IOException {
    var unreadable =
        new FindingContext(
            ViewSamples.OCCASION,
            Optional.empty(),
            Optional.of(new Owners("team", Map.of(), false)));

    Golden.assertEqual(
        "findings-since.txt",
        FindingsText.write(
                ViewSamples.ordinary(500),
                ViewSamples.ordinarySinceYesterday(folder, 500),
                TextStyle.PLAIN)
            .append(FindingsText.write(ViewSamples.few(), unreadable, TextStyle.PLAIN)));
  }

  @Test
  void takesNoReportForNoGoodNews() {
    Golden.assertEqual(
        "findings-none.txt",
        FindingsText.write(FakeFindings.none(Map.of()), ViewSamples.CONTEXT, TextStyle.PLAIN)
            .append(
                FindingsText.write(
                    FakeFindings.none(Map.of(ReportKind.REPORT, ReportSizes.NONE)),
                    FindingContext.of(new ReportHeader("", ViewSamples.AT, "")),
                    TextStyle.PLAIN)));
  }

  @Test
  void letsNoTextOfAReportReachTheTerminalAsACommand() {
    var text = FindingsText.write(ViewSamples.hostile(), ViewSamples.CONTEXT, TextStyle.PLAIN);

    assertThat(text.toString()).doesNotContain("kubectl").matches("[\\x20-\\x7E\\n▇…]*");
  }

  @Test
  void saysWhatReportsTakeInEtcdAndWouldTake() {
    var storage = Storage.of(ViewSamples.ordinary(500));
    var estimate = Optional.of(storage.estimate(5_000, 20));
    var none = Storage.of(FakeFindings.none(Map.of()));

    Golden.assertEqual(
        "storage.txt",
        StorageText.write(storage, Optional.empty(), ViewSamples.OCCASION, TextStyle.PLAIN));
    Golden.assertEqual(
        "storage-estimate.txt",
        StorageText.write(storage, estimate, ViewSamples.OCCASION, TextStyle.PLAIN));
    Golden.assertEqual(
        "storage-none.txt",
        StorageText.write(
            none, Optional.of(none.estimate(1_000, 17)), ViewSamples.OCCASION, TextStyle.PLAIN));
  }

  private static String printed(String... arguments) {
    return switch (Invocation.of(arguments)) {
      case Invocation.Print(var text, _) -> text;
      case Invocation.Run run -> throw new AssertionError("would run " + run);
    };
  }
}

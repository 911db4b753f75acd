package dev.policysync.cli.report;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.policysync.cli.ExitCode;
import dev.policysync.cli.Golden;
import dev.policysync.cli.Invocation;
import dev.policysync.cli.Output;
import dev.policysync.cli.Terminal;
import dev.policysync.cli.settings.InvalidSettings;
import dev.policysync.cli.settings.PinnedSettings;
import dev.policysync.cli.settings.Settings;
import dev.policysync.cli.settings.SettingsReader;
import dev.policysync.report.Category;
import dev.policysync.report.CollectionStatistics;
import dev.policysync.report.FakeFindings;
import dev.policysync.report.ReportKind;
import dev.policysync.report.ReportSizes;
import dev.policysync.report.ReportSummary;
import dev.policysync.report.ResultCounts;
import dev.policysync.report.Severity;
import dev.policysync.report.Totals;
import dev.policysync.sync.RunId;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportCommandTest {
  private static final RunId RUN = new RunId("3f9a1c2e");
  private static final ReportSummary UPLOADED =
      new ReportSummary(
          ReportSummary.Status.UPLOADED,
          Optional.of(
              new ReportSummary.Content(
                  new Totals(
                      new ResultCounts(40, 3, 1, 0, 2),
                      List.of(),
                      List.of(),
                      Map.of(Severity.HIGH, new ResultCounts(40, 3, 1, 0, 2)),
                      Map.of(Category.SECURITY, new ResultCounts(40, 3, 1, 0, 2))),
                  new CollectionStatistics(1, 2, 3, 4, 5, 6, 7, 8),
                  Map.of(ReportKind.POLICY_REPORT, new ReportSizes(12, 46, 30_000, 20_000)))),
          Optional.empty(),
          2_048,
          Duration.ofMillis(1_234));

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private final FakeRun run = new FakeRun(UPLOADED);

  @Test
  void writesTheSummaryAsOneJsonLine() {
    var code = command("report").run(settings(Map.of()), run);

    assertThat(code).isEqualTo(ExitCode.OK);
    Golden.assertEqual("report.json", out.toString(UTF_8));
  }

  @Test
  void failsWithTheReasonInErrors() {
    var failed = new FakeRun(ReportSummary.failed("list …: HTTP 403", Duration.ZERO));

    var code = command("report").run(settings(Map.of()), failed);

    assertThat(code).isEqualTo(ExitCode.FAILED);
    Golden.assertEqual("report-failed.json", out.toString(UTF_8));
  }

  @Test
  void needsTheApiInAPodUnlessItIsToShowOrToWriteAFile() {
    assertThat(command("report").sends(settings(Map.of()))).isTrue();
    assertThat(command("report", "-o", "json").sends(settings(Map.of()))).isFalse();
    assertThat(command("report").sends(settings(Map.of("DRY_RUN", "true")))).isFalse();
    assertThat(command("report").sends(settings(Map.of("OUTPUT_FILE", "/output/a")))).isFalse();
  }

  @Test
  void uploadsNothingFromATerminalUnlessItIsAskedTo() {
    var terminals = System.setProperty(Terminal.PROPERTY, "stdout");
    try {
      assertThat(command("report").sends(settings(Map.of()))).isFalse();
      assertThat(command("report", "--upload").sends(settings(Map.of()))).isTrue();
      assertThat(command("report", "--upload").sends(settings(Map.of("DRY_RUN", "true"))))
          .isFalse();
    } finally {
      if (terminals == null) {
        System.clearProperty(Terminal.PROPERTY);
      } else {
        System.setProperty(Terminal.PROPERTY, terminals);
      }
    }
  }

  /// A pipeline on a laptop or in CI has no terminal either.
  @Test
  void uploadsNothingOutsideAPodUnlessItIsAskedTo() {
    assertThat(command(false, "report").sends(settings(Map.of()))).isFalse();
    assertThat(command(false, "report", "--upload").sends(settings(Map.of()))).isTrue();

    var _ = command(false, "report").run(settings(Map.of()), run);

    assertThat(run.shown).isTrue();
  }

  @Test
  void showsWhatItIsAskedToShowAlthoughTheApiIsSet() {
    var _ = command("report", "-o", "text").run(settings(Map.of()), run);

    assertThat(run.shown).isTrue();
  }

  @Test
  void writesAShownReportToTheFileOfItsFlag(@TempDir Path folder) throws IOException {
    var file = folder.resolve("findings.json");
    run.reads = true;

    var _ = command("report", "-o", "json", "--output-file=" + file).run(settings(Map.of()), run);

    assertThat(Files.readString(file)).startsWith("{\"cluster\":");
    assertThat(out.toString(UTF_8)).doesNotContain("\"findings\"");
  }

  /// The file of the variable is for the upload, which another container sends.
  @Test
  void leavesTheFileOfTheVariableToTheUpload(@TempDir Path folder) {
    var file = folder.resolve("kyverno.json");
    run.reads = true;

    var _ =
        command("report", "-o", "json").run(settings(Map.of("OUTPUT_FILE", file.toString())), run);

    assertThat(file).doesNotExist();
    assertThat(out.toString(UTF_8)).startsWith("{\"cluster\":");
  }

  @Test
  void showsWhatIsAskedOfAView() {
    assertThat(command("report", "--since", "a.json").sends(settings(Map.of()))).isFalse();
    assertThat(command("report", "--owner-label", "team").sends(settings(Map.of()))).isFalse();
  }

  @Test
  void refusesAnEarlierReportThatIsNoneBeforeItAsksTheCluster() {
    var command = command("report", "--since", "no-such-file.json");

    assertThatThrownBy(() -> command.run(settings(Map.of()), run))
        .isInstanceOf(InvalidSettings.class)
        .hasMessage("--since: cannot read no-such-file.json: there is no such file");
    assertThat(run.shown).isFalse();
  }

  @Test
  void writesAFileInAPodThatKnowsNoApi() {
    var _ = command("report").run(settings(Map.of("OUTPUT_FILE", "/output/kyverno.json")), run);

    assertThat(run.shown).isFalse();
  }

  @Test
  void namesEveryWrongSetting() {
    var code = command("report").refuse(List.of("one", "two"));

    assertThat(code).isEqualTo(ExitCode.USAGE);
    assertThat(out.toString(UTF_8)).contains("\"errors\":[\"one; two\"]");
  }

  @Test
  void showsInAJobThatIsADryRun() {
    var _ = command("report").run(settings(Map.of("DRY_RUN", "true")), run);

    assertThat(run.shown).isTrue();
  }

  private ReportCommand command(String... args) {
    return command(true, args);
  }

  private ReportCommand command(boolean inPod, String... args) {
    if (Invocation.of(args) instanceof Invocation.Run invocation) {
      return ReportCommand.on(
          invocation,
          inPod,
          false,
          new Output(new PrintStream(out, true, UTF_8)),
          new Output(new PrintStream(err, true, UTF_8)),
          RUN);
    }
    throw new AssertionError("not understood: " + String.join(" ", args));
  }

  private static Settings settings(Map<String, String> environment) {
    return SettingsReader.readWithoutApi(Map.of(), environment, PinnedSettings.NONE);
  }

  private static final class FakeRun implements ReportCommand.Run {
    private final ReportSummary summary;
    private boolean shown;
    private boolean reads;

    FakeRun(ReportSummary summary) {
      this.summary = summary;
    }

    @Override
    public ReportSummary deliver(Settings settings) {
      return summary;
    }

    @Override
    public ReportSummary show(Settings settings, ReportCommand.Reader reader) {
      shown = true;
      if (reads) {
        reader.read(FakeFindings.none(Map.of()), _ -> Optional.empty());
      }
      return summary;
    }
  }
}

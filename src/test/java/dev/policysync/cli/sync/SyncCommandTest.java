package dev.policysync.cli.sync;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.policysync.base.Value;
import dev.policysync.cli.Command;
import dev.policysync.cli.CommandOption;
import dev.policysync.cli.ExitCode;
import dev.policysync.cli.InternalErrorMessage;
import dev.policysync.cli.Invocation;
import dev.policysync.cli.Output;
import dev.policysync.cli.settings.InvalidSettings;
import dev.policysync.cli.settings.PinnedSettings;
import dev.policysync.cli.settings.Setting;
import dev.policysync.cli.settings.Settings;
import dev.policysync.cli.settings.SettingsReader;
import dev.policysync.plan.Action;
import dev.policysync.plan.PlanDraft;
import dev.policysync.plan.PlanFixtures;
import dev.policysync.policy.Digest;
import dev.policysync.policy.PolicyFixtures;
import dev.policysync.remote.http.LogLines;
import dev.policysync.sync.RunId;
import dev.policysync.sync.Summary;
import dev.policysync.sync.Summary.Problem;
import dev.policysync.sync.Summary.RunStatus;
import dev.policysync.sync.execution.Outcome;
import dev.policysync.sync.execution.WriteMode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SyncCommandTest {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private final Settings settings =
      SettingsReader.read(Map.of(Setting.FROM, "-"), Map.of(), PinnedSettings.NONE);

  @Test
  void speaksJsonWhereNobodyLooks() {
    var exitCode = run(summary(RunStatus.DONE));

    assertThat(exitCode).isEqualTo(ExitCode.OK);
    assertThat(out.toString(UTF_8))
        .startsWith("{\"level\":\"info\",\"msg\":\"Policy sync completed\"");
    assertThat(err.toString(UTF_8)).isEmpty();
  }

  @Test
  void tellsHowTheRunEndedByItsExitCode() {
    assertThat(run(summary(RunStatus.FAILED))).isEqualTo(ExitCode.FAILED);
    assertThat(run(summary(RunStatus.WITHHELD))).isEqualTo(ExitCode.WITHHELD);
    assertThat(run(summary(RunStatus.STOPPED))).isEqualTo(ExitCode.STOPPED);
  }

  @Test
  void callsAWithheldRemovalNoFailure() {
    run(summary(RunStatus.WITHHELD));

    assertThat(out.toString(UTF_8)).contains("\"success\":true");
  }

  @Test
  void summarisesEvenADefectOfItsOwn() {
    var exitCode =
        command(Command.SYNC, false)
            .run(
                settings,
                (_, _, _) -> {
                  throw new IllegalStateException("two actions for one policy: ClusterPolicy/a");
                });

    assertThat(exitCode).isEqualTo(ExitCode.FAILED);
    assertThat(out.toString(UTF_8))
        .contains("\"msg\":\"Policy sync failed\"")
        .contains("internal error in policy-sync: two actions for one policy: ClusterPolicy/a");
  }

  @Test
  void summarisesARunThatRanOutOfMemory() {
    var exitCode =
        command(Command.SYNC, false)
            .run(
                settings,
                (_, _, progress) -> {
                  progress.step("writing");
                  throw new IllegalStateException(
                      "a write failed unexpectedly", new OutOfMemoryError("s3cret"));
                });

    assertThat(exitCode).isEqualTo(ExitCode.FAILED);
    assertThat(out.toString(UTF_8).lines())
        .singleElement(InstanceOfAssertFactories.STRING)
        .contains("\"msg\":\"Policy sync failed\",\"success\":false")
        .containsPattern(
            "\"reason\":\"out of memory: the heap is limited to [0-9.]+ MiB; increase the heap"
                + " with POLICY_SYNC_JAVA_OPTIONS=-Xmx\\d+m \\(chart: javaOptions, with a matching"
                + " memory limit\\); last step: writing\"")
        .doesNotContain("s3cret");
  }

  @ParameterizedTest
  @ValueSource(
      classes = {StackOverflowError.class, NoClassDefFoundError.class, InternalError.class})
  void summarisesEveryOtherErrorOfTheJvm(Class<? extends Error> kind) {
    var exitCode =
        command(Command.SYNC, false)
            .run(
                settings,
                (_, _, _) -> {
                  throw error(kind);
                });

    assertThat(exitCode).isEqualTo(ExitCode.FAILED);
    assertThat(out.toString(UTF_8).lines())
        .last(InstanceOfAssertFactories.STRING)
        .contains("\"msg\":\"Policy sync failed\"")
        .contains("internal error in policy-sync: " + kind.getSimpleName())
        .doesNotContain("s3cret");
  }

  @Test
  void hasASummaryReadyWhereThereIsNoMemoryToMakeOne() {
    var command = command(Command.SYNC, false);

    command.fail(new Unspeakable());
    command.printCutOff("the run's TIMEOUT was reached");

    assertThat(out.toString(UTF_8).lines())
        .singleElement(InstanceOfAssertFactories.STRING)
        .startsWith("{\"level\":\"error\",\"msg\":\"Policy sync failed\",\"success\":false,")
        .contains("\"reason\":\"the run failed, most likely out of memory: the heap is limited to ")
        .endsWith(",\"run\":\"3f9a1c2e\"}");
  }

  private static Error error(Class<? extends Error> kind) {
    try {
      return kind.getConstructor(String.class).newInstance("s3cret");
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("an error that cannot be made", e);
    }
  }

  /// Memory runs out whenever somebody looks into it.
  private static final class Unspeakable extends Error {
    private static final long serialVersionUID = 1L;

    @Override
    public synchronized Throwable getCause() {
      throw new OutOfMemoryError("no room for a word");
    }
  }

  @Test
  void tellsADefectOfALibraryByItsPlaceAndNotByItsWords() {
    var exitCode =
        command(Command.SYNC, false)
            .run(
                settings,
                (_, _, _) -> {
                  throw new UncheckedIOException(new IOException("s3cret"));
                });

    assertThat(exitCode).isEqualTo(ExitCode.FAILED);
    assertThat(out.toString(UTF_8))
        .contains("internal error in policy-sync: UncheckedIOException")
        .doesNotContain("s3cret");
  }

  @Test
  void logsWhereADefectIsWithoutItsWords() {
    try (var log = LogLines.capture()) {

      InternalErrorMessage.log(new IllegalStateException("s3cret", new IOException("s3cret")));

      assertThat(log.all())
          .singleElement(InstanceOfAssertFactories.STRING)
          .contains("Internal error, please report it")
          .contains("java.lang.IllegalStateException at dev.policysync.cli.sync.SyncCommandTest")
          .contains("; caused by java.io.IOException at ")
          .doesNotContain("s3cret");
    }
  }

  @Test
  void summarisesARunThatDoesNotEnd() {
    var command = command(Command.SYNC, false);

    var exitCode =
        command.run(
            settings,
            (_, _, progress) -> {
              progress.step("reading the feed");
              command.printCutOff("the run's TIMEOUT was reached");
              return summary(RunStatus.DONE);
            });

    assertThat(exitCode).isEqualTo(ExitCode.OK); // nobody is left to see it
    assertThat(out.toString(UTF_8).lines())
        .singleElement(InstanceOfAssertFactories.STRING)
        .contains(
            "the run's TIMEOUT was reached; the run did not stop in time; last step: reading"
                + " the feed");
  }

  @Test
  void saysWhatARunHadDoneThatIsCutOff() {
    var done = new Action.Create(PlanFixtures.desired(PolicyFixtures.clusterPolicy("done")));
    var begun = new Action.Create(PlanFixtures.desired(PolicyFixtures.clusterPolicy("begun")));
    var plan = new PlanDraft().actions(List.of(done, begun)).plan();
    var command = command(Command.SYNC, false);

    command.run(
        settings.dryRun(),
        (_, _, progress) -> {
          progress.planned(plan, Digest.of(Value.Mapping.EMPTY));
          progress.step("sending dry-run requests");
          progress.finished(new Outcome.Done(done, List.of()), 1, 2);
          command.printCutOff("the run's TIMEOUT was reached");
          return summary(RunStatus.DONE);
        });

    assertThat(out.toString(UTF_8).lines())
        .singleElement(InstanceOfAssertFactories.STRING)
        .contains("\"summary\":\"Applied 1, Updated 0, Removed 0, Failed 0\"")
        .contains("\"applied\":[\"done\"]")
        .contains(
            "\"notAttempted\":[{\"policy\":\"ClusterPolicy/begun\",\"reason\":\"the run ended"
                + " before the result was known; it may have been done\"}]")
        .contains("last step: sending dry-run requests; 1 of 2 changes ended\",\"retryable\":true")
        .contains("\"dryRun\":true");
  }

  @Test
  void writesTheWholeSummaryToAFileWhereAsked(@TempDir Path folder) throws IOException {
    var file = folder.resolve("summary.json");
    var asked =
        SettingsReader.read(
            Map.of(Setting.FROM, "-", Setting.SUMMARY_FILE, file.toString()),
            Map.of(),
            PinnedSettings.NONE);

    command(Command.SYNC, false).run(asked, (_, _, _) -> SummaryFixtures.firstSync(1_000));

    assertThat(file).content().contains("\"p999\"").contains("\"omitted\":[]");
    assertThat(out.toString(UTF_8)).doesNotContain("\"p999\"");
    assertThat(folder).isDirectoryNotContaining("glob:**.new");
  }

  @Test
  void leavesWrongSettingsThatShowLateToTheCaller() {
    var command = command(Command.SYNC, false);

    assertThatThrownBy(() ->
            command.run(
                settings,
                (_, _, _) -> {
                  throw new InvalidSettings(List.of("no such context"));
                }))
        .isInstanceOf(InvalidSettings.class);
    assertThat(out.toString(UTF_8)).isEmpty();
  }

  @Test
  void callsAnIllegalArgumentADefect() {
    var exitCode =
        command(Command.SYNC, false)
            .run(
                settings,
                (_, _, _) -> {
                  throw new IllegalArgumentException("s3cret");
                });

    assertThat(exitCode).isEqualTo(ExitCode.FAILED);
    assertThat(out.toString(UTF_8))
        .contains("internal error in policy-sync: IllegalArgumentException")
        .doesNotContain("s3cret");
  }

  @Test
  void refusesWrongSettingsWithASummary() {
    var exitCode = command(Command.SYNC, false).refuse(List.of("TIMEOUT is 0", "no token"));

    assertThat(exitCode).isEqualTo(ExitCode.USAGE);
    assertThat(out.toString(UTF_8)).contains("\"reason\":\"TIMEOUT is 0; no token\"");
  }

  @Test
  void listsWrongSettingsForAPerson() {
    var exitCode = command(Command.DIFF, false).refuse(List.of("TIMEOUT is 0", "no token"));

    assertThat(exitCode).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString(UTF_8)).contains("  - TIMEOUT is 0\n  - no token\n");
    assertThat(out.toString(UTF_8)).isEmpty();
  }

  @Test
  void neverWritesInADiff() {
    assertThat(command(Command.DIFF, false).implied(settings).writeMode())
        .isEqualTo(WriteMode.DRY_RUN);
    assertThat(command(Command.SYNC, false).implied(settings).writeMode())
        .isEqualTo(WriteMode.LIVE);
  }

  @Test
  void tellsPendingChangesByTheExitCodeOnlyWhenAsked() {
    assertThat(command(Command.DIFF, true).run(settings, (_, _, _) -> pending()))
        .isEqualTo(ExitCode.PENDING);
    assertThat(command(Command.DIFF, false).run(settings, (_, _, _) -> pending()))
        .isEqualTo(ExitCode.OK);
  }

  private ExitCode run(Summary summary) {
    return command(Command.SYNC, false).run(settings, (_, _, _) -> summary);
  }

  private SyncCommand command(Command command, boolean exitCode) {
    return SyncCommand.on(
        new Invocation.Run(
            command,
            Map.of(),
            Optional.empty(),
            exitCode ? Map.of(CommandOption.EXIT_CODE, "") : Map.of(),
            List.of()),
        true,
        new Output(new PrintStream(out, true, UTF_8)),
        new Output(new PrintStream(err, true, UTF_8)),
        new RunId("3f9a1c2e"));
  }

  private static Summary summary(RunStatus runStatus) {
    var failed =
        runStatus == RunStatus.FAILED
            ? List.of(new Problem(Optional.empty(), Optional.empty(), "HTTP 503", true))
            : List.<Problem>of();
    return SummaryFixtures.quiet(runStatus, failed, Optional.empty());
  }

  private static Summary pending() {
    var eventful = SummaryFixtures.eventful(true);
    return new Summary(
        RunStatus.DONE,
        eventful.duration(),
        true,
        new Summary.Writes(
            eventful.writes().applied(),
            eventful.writes().updated(),
            eventful.writes().removed(),
            List.of(),
            List.of()),
        Summary.Pending.NOTHING,
        Summary.Untouched.inSync(0),
        List.of(),
        Optional.empty(),
        List.of(),
        Optional.empty(),
        eventful.feed(),
        eventful.namespace());
  }
}

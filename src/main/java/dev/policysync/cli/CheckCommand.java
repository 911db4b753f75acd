package dev.policysync.cli;

import dev.policysync.inspect.CheckResult;
import dev.policysync.inspect.CheckStatus;
import dev.policysync.inspect.SettingsChecks;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/// `check`: prints each result as soon as it is known, then the totals.
public final class CheckCommand implements RunningCommand {
  private final OutputFormat format;
  private final CheckText text;
  private final Output out;
  private final List<CheckResult> answers = new ArrayList<>();
  private boolean ended;

  /// Runs the checks.
  public interface Run {
    /// Runs all checks and passes each result to `told`, in the order of the checks.
    void ask(Consumer<CheckResult> told);
  }

  CheckCommand(OutputFormat format, TextStyle textStyle, Output out) {
    this.format = format;
    this.text = new CheckText(textStyle);
    this.out = out;
  }

  public static CheckCommand on(Invocation.Run invocation, boolean noColour, Output out) {
    return new CheckCommand(
        invocation.output().orElse(OutputFormat.TEXT),
        Terminal.onStdout() && !noColour ? TextStyle.COLOURED : TextStyle.PLAIN,
        out);
  }

  /// Runs the checks and prints their results.
  ///
  /// @param stopped returns why the run was stopped before all checks ended; empty if it was not
  public ExitCode run(Run run, Supplier<String> stopped) {
    run.ask(this::print);
    end(stopped.get());
    return exitCode();
  }

  @Override
  public ExitCode refuse(List<String> problems) {
    end(String.join("; ", problems));
    return ExitCode.USAGE;
  }

  @Override
  public void printCutOff(String why) {
    end(why);
  }

  private synchronized void print(CheckResult checkResult) {
    if (ended) {
      return;
    }
    answers.add(checkResult);
    if (format == OutputFormat.TEXT) {
      out.print(text.line(checkResult));
      out.flush();
    }
  }

  /// Prints the end of the output once, for the run or for [#printCutOff], whichever comes first.
  private synchronized void end(String stopped) {
    if (ended) {
      return;
    }
    ended = true;
    if (format == OutputFormat.JSON) {
      out.document(CheckJson.write(answers, stopped) + "\n");
    } else {
      out.print(text.end(answers, stopped));
    }
    out.flush();
  }

  private synchronized ExitCode exitCode() {
    var failures =
        answers.stream()
            .filter(checkResult -> checkResult.status() == CheckStatus.FAILURE)
            .toList();
    if (failures.isEmpty()) {
      return ExitCode.OK;
    }
    return failures.stream().anyMatch(failure -> failure.subject().equals(SettingsChecks.SETTINGS))
        ? ExitCode.USAGE
        : ExitCode.FAILED;
  }
}

package dev.policysync.cli;

import dev.policysync.inspect.CheckResult;
import dev.policysync.inspect.CheckStatus;
import dev.policysync.inspect.SettingsChecks;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/// `check`: prints each answer as it comes, and what they come to.
public final class CheckCommand implements RunningCommand {
  private final OutputFormat format;
  private final CheckText text;
  private final Output out;
  private final List<CheckResult> answers = new ArrayList<>();
  private boolean ended;

  /// How the questions are asked.
  public interface Run {
    /// Asks them all and tells each answer, in order.
    void ask(Consumer<CheckResult> told);
  }

  CheckCommand(OutputFormat format, TextStyle textStyle, Output out) {
    this.format = format;
    this.text = new CheckText(textStyle);
    this.out = out;
  }

  /// The command as this stream and this environment ask for it.
  public static CheckCommand on(Invocation.Run invocation, boolean noColour, Output out) {
    return new CheckCommand(
        invocation.output().orElse(OutputFormat.TEXT),
        Terminal.onStdout() && !noColour ? TextStyle.COLOURED : TextStyle.PLAIN,
        out);
  }

  /// Asks and prints.
  ///
  /// @param stopped why there was no time for all answers; empty where there was
  public ExitCode run(Run run, Supplier<String> stopped) {
    run.ask(this::tell);
    end(stopped.get());
    return exitCode();
  }

  @Override
  public ExitCode refuse(List<String> problems) {
    end(String.join("; ", problems));
    return ExitCode.USAGE;
  }

  @Override
  public void lastWord(String why) {
    end(why);
  }

  private synchronized void tell(CheckResult checkResult) {
    if (ended) {
      return;
    }
    answers.add(checkResult);
    if (format == OutputFormat.TEXT) {
      out.print(text.line(checkResult));
      out.flush();
    }
  }

  /// Whoever comes first, the run or [#lastWord].
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

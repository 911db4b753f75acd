package dev.policysync.cli;

import dev.policysync.check.Answer;
import dev.policysync.check.SettingsAnswers;
import dev.policysync.check.Verdict;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/// `check`: prints each answer as it comes, and what they come to.
public final class CheckCommand {
  private final OutputFormat format;
  private final CheckText text;
  private final PrintStream out;
  private final List<Answer> answers = new ArrayList<>();
  private boolean ended;

  /// How the questions are asked.
  public interface Run {
    /// Asks them all and tells each answer, in order.
    void ask(Consumer<Answer> told);
  }

  CheckCommand(OutputFormat format, Style style, PrintStream out) {
    this.format = format;
    this.text = new CheckText(style);
    this.out = out;
  }

  /// The command as this stream and this environment ask for it.
  public static CheckCommand on(Invocation.Run invocation, boolean noColour, PrintStream out) {
    return new CheckCommand(
        invocation.output().orElse(OutputFormat.TEXT),
        Terminal.onStdout() && !noColour ? Style.COLOURED : Style.PLAIN,
        out);
  }

  /// Asks and prints.
  public ExitCode run(Run run) {
    run.ask(this::tell);
    end("");
    return exitCode();
  }

  /// What a check comes to that is about to be ended without having come to its end.
  ///
  /// @param why `stopped by a signal`
  public void lastWord(String why) {
    end(why);
  }

  private synchronized void tell(Answer answer) {
    if (ended) {
      return;
    }
    answers.add(answer);
    if (format == OutputFormat.TEXT) {
      out.print(text.line(answer));
      out.flush();
    }
  }

  /// Whoever comes first, the run or [#lastWord].
  private synchronized void end(String stopped) {
    if (ended) {
      return;
    }
    ended = true;
    out.print(
        format == OutputFormat.JSON
            ? CheckJson.write(answers, stopped) + "\n"
            : text.end(answers, stopped));
    out.flush();
  }

  private synchronized ExitCode exitCode() {
    var failures = answers.stream().filter(answer -> answer.verdict() == Verdict.FAILURE).toList();
    if (failures.isEmpty()) {
      return ExitCode.OK;
    }
    return failures.stream().anyMatch(failure -> failure.subject().equals(SettingsAnswers.SETTINGS))
        ? ExitCode.USAGE
        : ExitCode.FAILED;
  }
}

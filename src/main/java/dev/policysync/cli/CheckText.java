package dev.policysync.cli;

import dev.policysync.inspect.CheckResult;
import dev.policysync.inspect.CheckStatus;
import java.util.List;

/// The results of `check` as text: one line per check, with the fix below it.
final class CheckText {
  private static final int VERDICT = 9;
  private static final int SUBJECT = 20;

  private final TextStyle textStyle;

  CheckText(TextStyle textStyle) {
    this.textStyle = textStyle;
  }

  /// Returns the line of one result, and its fix: `failure API GET …: returned 401: the token was
  /// refused`.
  TerminalText line(CheckResult checkResult) {
    var text =
        new TerminalText()
            .append(painted(checkResult.status(), padded(checkResult.status().text(), VERDICT)))
            .append(padded(checkResult.subject(), SUBJECT))
            .line(checkResult.found());
    return checkResult.fix().isEmpty()
        ? text
        : text.append(" ".repeat(VERDICT + SUBJECT))
            .append(textStyle.bold("→ "))
            .line(checkResult.fix());
  }

  /// Returns the totals.
  ///
  /// @param stopped why some results are missing; empty if all are present
  TerminalText end(List<CheckResult> answers, String stopped) {
    var failures = count(answers, CheckStatus.FAILURE);
    var warnings = count(answers, CheckStatus.WARNING);
    var unknown = count(answers, CheckStatus.UNKNOWN);
    var counts =
        count(answers, CheckStatus.OK)
            + " ok, "
            + warnings
            + (warnings == 1 ? " warning, " : " warnings, ")
            + failures
            + (failures == 1 ? " failure" : " failures")
            + (unknown == 0 ? "" : ", " + unknown + " unknown");
    if (!stopped.isEmpty()) {
      return new TerminalText()
          .line()
          .append(textStyle.red("Incomplete: " + stopped))
          .line(" (" + counts + ")");
    }
    return new TerminalText()
        .line()
        .append(
            failures == 0
                ? textStyle.green("Sync can run in this cluster")
                : textStyle.red("Sync cannot fully run in this cluster"))
        .line(": " + counts);
  }

  private static long count(List<CheckResult> answers, CheckStatus checkStatus) {
    return answers.stream().filter(checkResult -> checkResult.status() == checkStatus).count();
  }

  private TextStyle.Painted painted(CheckStatus checkStatus, String text) {
    return switch (checkStatus) {
      case OK -> textStyle.green(text);
      case WARNING -> textStyle.yellow(text);
      case FAILURE -> textStyle.red(text);
      case UNKNOWN -> textStyle.dim(text);
    };
  }

  private static String padded(String text, int width) {
    return text + " ".repeat(Math.max(1, width - text.length()));
  }
}

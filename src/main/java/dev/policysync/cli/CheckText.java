package dev.policysync.cli;

import dev.policysync.check.Answer;
import dev.policysync.check.Verdict;
import java.util.List;

/// The answers of a check for people: a line each, and below it what to do.
final class CheckText {
  private static final int VERDICT = 9;
  private static final int SUBJECT = 20;

  private final Style style;

  CheckText(Style style) {
    this.style = style;
  }

  /// `failure API GET …: answered 401: the token was refused`, with its fix.
  String line(Answer answer) {
    return painted(answer.verdict(), padded(answer.verdict().text(), VERDICT))
        + padded(answer.subject(), SUBJECT)
        + answer.found()
        + "\n"
        + (answer.fix().isEmpty()
            ? ""
            : " ".repeat(VERDICT + SUBJECT) + style.bold("→ ") + answer.fix() + "\n");
  }

  /// What they come to.
  ///
  /// @param stopped why there are no more; empty where these are all
  String end(List<Answer> answers, String stopped) {
    var failures = count(answers, Verdict.FAILURE);
    var warnings = count(answers, Verdict.WARNING);
    var unknown = count(answers, Verdict.UNKNOWN);
    var counts =
        count(answers, Verdict.OK)
            + " ok, "
            + warnings
            + (warnings == 1 ? " warning, " : " warnings, ")
            + failures
            + (failures == 1 ? " failure" : " failures")
            + (unknown == 0 ? "" : ", " + unknown + " could not be asked");
    if (!stopped.isEmpty()) {
      return "\n" + style.red("Not finished: " + stopped) + " (" + counts + ")\n";
    }
    return "\n"
        + (failures == 0
            ? style.green("A sync can work here")
            : style.red("A sync cannot do its whole job here"))
        + ": "
        + counts
        + "\n";
  }

  private static long count(List<Answer> answers, Verdict verdict) {
    return answers.stream().filter(answer -> answer.verdict() == verdict).count();
  }

  private String painted(Verdict verdict, String text) {
    return switch (verdict) {
      case OK -> style.green(text);
      case WARNING -> style.yellow(text);
      case FAILURE -> style.red(text);
      case UNKNOWN -> style.dim(text);
    };
  }

  private static String padded(String text, int width) {
    return text + " ".repeat(Math.max(1, width - text.length()));
  }
}

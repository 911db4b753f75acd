package dev.policysync.cli.lint;

import dev.policysync.cli.TerminalText;
import dev.policysync.cli.TextStyle;
import dev.policysync.lint.Excerpt;
import dev.policysync.lint.LintFinding;
import dev.policysync.lint.LintResult;
import dev.policysync.lint.LintSeverity;
import dev.policysync.policy.Manifest;
import java.util.List;

/// The lint findings as text: each with its line, a caret below it, the fix, and the page to read.
public final class LintText {
  private final Excerpt excerpt;
  private final TextStyle textStyle;
  private final TerminalText text = new TerminalText();

  private LintText(List<Manifest> manifests, TextStyle textStyle) {
    this.excerpt = new Excerpt(manifests);
    this.textStyle = textStyle;
  }

  /// Returns the findings with the lines that they refer to.
  ///
  /// @param manifests the linted manifests, which the lines are taken from
  public static TerminalText write(
      LintResult lintResult, List<Manifest> manifests, TextStyle textStyle) {
    var writer = new LintText(manifests, textStyle);
    lintResult.findings().forEach(writer::add);
    lintResult.suppressed().forEach(writer::add);
    return writer.text;
  }

  /// Returns the totals: `2 errors, 1 warning, 3 notes in 12 policies`.
  static TerminalText count(LintResult lintResult, int policies) {
    var text = new TerminalText();
    text.line(
        count(lintResult.count(LintSeverity.ERROR), "error")
            + ", "
            + count(lintResult.count(LintSeverity.WARNING), "warning")
            + ", "
            + count(lintResult.count(LintSeverity.NOTE), "note")
            + (lintResult.suppressed().isEmpty()
                ? ""
                : ", " + lintResult.suppressed().size() + " suppressed")
            + " in "
            + (policies == 1 ? "1 policy" : policies + " policies"));
    var skipped = SkippedCount.of(lintResult.skipped());
    return skipped.isEmpty() ? text : text.line(skipped);
  }

  private static String count(long number, String noun) {
    return number + " " + noun + (number == 1 ? "" : "s");
  }

  private void add(LintFinding lintFinding) {
    text.append(
            coloured(
                lintFinding.lintSeverity(),
                lintFinding.lintSeverity().text() + "[" + lintFinding.hazard().id() + "]"))
        .append(" ")
        .append(textStyle.bold(lintFinding.policy()))
        .append(": ")
        .line(lintFinding.message());
    var position = lintFinding.position();
    var path = lintFinding.path().isEmpty() ? "" : "  " + lintFinding.path();
    text.append(textStyle.dim("   --> "))
        .append(position.source() + ":" + position.line() + ":" + position.column())
        .append(textStyle.dim(path))
        .line();
    excerpt
        .at(position)
        .ifPresent(shown -> {
          var number = " ".repeat(Math.max(0, 5 - digits(position.line()))) + position.line();
          text.append(textStyle.dim(number + " | ")).line(shown.text());
          text.append(textStyle.dim("      | "))
              .append(coloured(lintFinding.lintSeverity(), shown.caret()))
              .line();
        });
    text.append(textStyle.dim("   fix: ")).line(lintFinding.fix());
    text.append(textStyle.dim("   see: ")).line(lintFinding.hazard().page());
    text.line();
  }

  private void add(LintResult.Suppressed suppressed) {
    var lintFinding = suppressed.lintFinding();
    text.append(
            textStyle.dim(
                "suppressed["
                    + lintFinding.hazard().id()
                    + "] "
                    + lintFinding.policy()
                    + ": "
                    + lintFinding.hazard().title()
                    + " ("
                    + suppressed.reason()
                    + ")"))
        .line();
  }

  private TextStyle.Painted coloured(LintSeverity lintSeverity, String what) {
    return switch (lintSeverity) {
      case ERROR -> textStyle.red(what);
      case WARNING -> textStyle.yellow(what);
      case NOTE -> textStyle.bold(what);
    };
  }

  private static int digits(int number) {
    return Integer.toString(number).length();
  }
}

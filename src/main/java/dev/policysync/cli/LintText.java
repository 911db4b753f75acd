package dev.policysync.cli;

import dev.policysync.lint.Excerpt;
import dev.policysync.lint.Finding;
import dev.policysync.lint.Severity;
import dev.policysync.lint.Verdict;
import dev.policysync.policy.Manifest;
import java.util.List;

/// What lint found, for people: each finding with its line and a mark below it, what to do, and
/// where to read more.
public final class LintText {
  private final Excerpt excerpt;
  private final Style style;
  private final StringBuilder text = new StringBuilder();

  private LintText(List<Manifest> manifests, Style style) {
    this.excerpt = new Excerpt(manifests);
    this.style = style;
  }

  /// Without colours.
  ///
  /// @param manifests what was judged, for showing lines of it
  public static String plain(Verdict verdict, List<Manifest> manifests) {
    return write(verdict, manifests, Style.PLAIN);
  }

  static String write(Verdict verdict, List<Manifest> manifests, Style style) {
    var writer = new LintText(manifests, style);
    verdict.findings().forEach(writer::add);
    verdict.suppressed().forEach(writer::add);
    return writer.text.toString();
  }

  /// `2 errors, 1 warning, 3 notes in 12 policies`.
  static String count(Verdict verdict, int policies) {
    return count(verdict.count(Severity.ERROR), "error")
        + ", "
        + count(verdict.count(Severity.WARNING), "warning")
        + ", "
        + count(verdict.count(Severity.NOTE), "note")
        + (verdict.suppressed().isEmpty() ? "" : ", " + verdict.suppressed().size() + " suppressed")
        + " in "
        + (policies == 1 ? "1 policy" : policies + " policies");
  }

  private static String count(long number, String noun) {
    return number + " " + noun + (number == 1 ? "" : "s");
  }

  private void add(Finding finding) {
    line(
        coloured(finding.severity(), finding.severity().text() + "[" + finding.hazard().id() + "]")
            + " "
            + style.bold(finding.policy())
            + ": "
            + finding.message());
    var position = finding.position();
    var path = finding.path().isEmpty() ? "" : "  " + finding.path();
    line(
        style.dim("   --> ")
            + position.source()
            + ":"
            + position.line()
            + ":"
            + position.column()
            + style.dim(path));
    excerpt
        .at(position)
        .ifPresent(shown -> {
          var number = " ".repeat(Math.max(0, 5 - digits(position.line()))) + position.line();
          line(style.dim(number + " | ") + shown.text());
          line(style.dim("      | ") + coloured(finding.severity(), shown.caret()));
        });
    line(style.dim("   fix: ") + finding.fix());
    line(style.dim("   see: ") + finding.hazard().page());
    line("");
  }

  private void add(Verdict.Suppressed suppressed) {
    var finding = suppressed.finding();
    line(
        style.dim(
            "suppressed["
                + finding.hazard().id()
                + "] "
                + finding.policy()
                + ": "
                + finding.hazard().title()
                + " ("
                + suppressed.reason()
                + ")"));
  }

  private String coloured(Severity severity, String what) {
    return switch (severity) {
      case ERROR -> style.red(what);
      case WARNING -> style.yellow(what);
      case NOTE -> style.bold(what);
    };
  }

  private static int digits(int number) {
    return Integer.toString(number).length();
  }

  private void line(String line) {
    text.append(line).append('\n');
  }
}

package dev.policysync.cli;

import dev.policysync.inspect.StatusProblem;
import dev.policysync.sync.Summary.Note;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/// Writes a problem as a block: its title, its reason, the policies that it concerns, and how to
/// approve what is withheld.
///
/// ```
/// x 2 policies failed
///     apply ClusterPolicy/a: HTTP 403, Forbidden
///     ClusterPolicy/a, ClusterPolicy/b
/// ```
public final class ProblemText {
  private static final String INDENT = "    ";

  /// How many policies a problem names; `-o json` has all.
  private static final int MOST_NAMES = 10;

  private final TextStyle textStyle;
  private final int columns;
  private final TerminalText text = new TerminalText();

  /// @param columns the width of the terminal; 0 for lines of any length
  public ProblemText(TextStyle textStyle, int columns) {
    this.textStyle = textStyle;
    this.columns = columns;
  }

  public TerminalText write(StatusProblem problem) {
    switch (problem.severity()) {
      case ERROR -> heading("x ", problem.title(), textStyle::boldRed);
      case WARNING -> heading("! ", problem.title(), textStyle::boldYellow);
      case PENDING -> heading("~ ", problem.title(), textStyle::bold);
      case NOTE -> heading("- ", problem.title(), textStyle::plain);
    }
    if (!problem.reason().isEmpty()) {
      indented(problem.reason(), textStyle::plain);
    }
    policies(problem.policies());
    problem
        .approval()
        .ifPresent(command -> {
          indented("To approve exactly this, once, within 24 hours:", textStyle::plain);
          text.command(INDENT + "  ", command, columns);
        });
    return text;
  }

  private void heading(String sign, String title, Function<String, TextStyle.Painted> colour) {
    text.paragraph(colour.apply(sign), sign.length(), title, columns, colour);
  }

  /// Writes policies that have no remark of their own in one paragraph, others in a line each.
  private void policies(List<Note> policies) {
    if (policies.isEmpty()) {
      return;
    }
    var named = policies.stream().limit(MOST_NAMES).toList();
    var more = policies.size() - named.size();
    if (policies.stream().allMatch(note -> note.reason().isEmpty())) {
      var names = named.stream().map(Note::policy).collect(Collectors.joining(", "));
      indented(names + (more > 0 ? " and " + more + " more" : ""), textStyle::dim);
      return;
    }
    for (var note : named) {
      var remark = note.reason().isEmpty() ? "" : ": " + note.reason();
      indented(note.policy() + remark, textStyle::plain);
    }
    if (more > 0) {
      indented("and " + more + " more; -o json has all", textStyle::dim);
    }
  }

  private void indented(String paragraph, Function<String, TextStyle.Painted> colour) {
    text.paragraph(textStyle.plain(INDENT), INDENT.length(), paragraph, columns, colour);
  }
}

package dev.policysync.cli.report;

import dev.policysync.base.Printable;
import dev.policysync.cli.TerminalText;
import dev.policysync.cli.TextStyle;
import java.util.ArrayList;
import java.util.List;

/// A table of text. The first columns and the last one are left-aligned, the figures between them
/// right-aligned.
final class TextTable {
  private static final int WIDEST = 60;

  private final TextStyle textStyle;
  private final int left;
  private final List<List<String>> rows = new ArrayList<>();

  /// @param left the number of columns before the figures
  /// @param columns the names of the columns
  TextTable(TextStyle textStyle, int left, String... columns) {
    this.textStyle = textStyle;
    this.left = left;
    row(columns);
  }

  void row(String... cells) {
    row(List.of(cells));
  }

  void row(List<String> cells) {
    rows.add(cells.stream().map(cell -> cut(cell, WIDEST)).toList());
  }

  TerminalText write() {
    var text = new TerminalText();
    for (var row = 0; row < rows.size(); row++) {
      var line = new StringBuilder();
      for (var column = 0; column < rows.get(row).size(); column++) {
        line.append("  ").append(aligned(rows.get(row).get(column), column));
      }
      var stripped = line.toString().stripTrailing();
      text.append(row == 0 ? textStyle.dim(stripped) : textStyle.plain(stripped)).line();
    }
    return text;
  }

  /// Returns the text as it is printed, cut to the given length.
  static String cut(String text, int widest) {
    var clean = Printable.line(text);
    if (clean.length() <= widest) {
      return clean;
    }
    var end = Character.isHighSurrogate(clean.charAt(widest - 2)) ? widest - 2 : widest - 1;
    return clean.substring(0, end) + "…";
  }

  private String aligned(String cell, int column) {
    var width = rows.stream().mapToInt(row -> row.get(column).length()).max().orElse(0);
    var space = " ".repeat(width - cell.length());
    return column < left || column == rows.getFirst().size() - 1 ? cell + space : space + cell;
  }
}

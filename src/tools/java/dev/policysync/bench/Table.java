package dev.policysync.bench;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/// A Markdown table that also reads well in a terminal.
final class Table {
  private final List<List<String>> rows = new ArrayList<>();

  Table(String... heads) {
    rows.add(List.of(heads));
  }

  Table row(String... cells) {
    if (cells.length != rows.getFirst().size()) {
      throw new IllegalArgumentException(
          "a row of " + cells.length + " cells in a table of " + rows.getFirst().size());
    }
    rows.add(List.of(cells));
    return this;
  }

  String text() {
    var text = new StringBuilder();
    for (int i = 0; i < rows.size(); i++) {
      text.append(line(rows.get(i), " "));
      if (i == 0) {
        text.append(line(Collections.nCopies(rows.getFirst().size(), ""), "-"));
      }
    }
    return text.toString();
  }

  private String line(List<String> cells, String filling) {
    var line = new StringBuilder("|");
    for (int column = 0; column < cells.size(); column++) {
      var cell = cells.get(column);
      line.append(filling)
          .append(cell)
          .append(filling.repeat(width(column) - length(cell)))
          .append(filling)
          .append('|');
    }
    return line.append('\n').toString();
  }

  private int width(int column) {
    return rows.stream().mapToInt(row -> length(row.get(column))).max().orElse(0);
  }

  private static int length(String cell) {
    return cell.codePointCount(0, cell.length());
  }
}

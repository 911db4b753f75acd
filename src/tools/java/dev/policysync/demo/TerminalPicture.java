package dev.policysync.demo;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/// A terminal session as a picture (SVG): what was printed, in its colours, and nothing else. Of a
/// long output its beginning and its end are shown.
final class TerminalPicture {
  private static final int LONGEST_OUTPUT = 8;
  private static final int HEAD = 3;
  private static final int COLUMNS = 110;
  private static final int LINE_HEIGHT = 18;
  private static final double COLUMN_WIDTH = 7.8;
  private static final int MARGIN = 16;

  /// How colours begin and end (ECMA-48, "select graphic rendition").
  private static final Pattern COLOUR = Pattern.compile("\u001b\\[(\\d+)m");

  private static final Map<String, String> CLASSES =
      Map.of("1", "bold", "2", "dim", "31", "red", "32", "green", "33", "yellow");

  private static final String STYLE =
      """
      text { font: 13px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; white-space: pre; fill: #d7dce2 }
      .bold { font-weight: 700; fill: #fff } .dim { fill: #8b949e } .red { fill: #ff7b72 }
      .green { fill: #7ee787 } .yellow { fill: #e3b341 }
      """;

  private final List<String> lines = new ArrayList<>();

  /// Adds what one command printed, shortened in the middle.
  void output(String text) {
    var printed = text.lines().toList();
    if (printed.size() <= LONGEST_OUTPUT) {
      lines.addAll(printed);
      return;
    }
    lines.addAll(printed.subList(0, HEAD));
    lines.add("  …");
    lines.addAll(printed.subList(printed.size() - HEAD, printed.size()));
  }

  /// Adds a line as it is.
  void line(String text) {
    lines.addAll(text.isEmpty() ? List.of("") : text.lines().toList());
  }

  /// The picture.
  String svg() {
    var width = (int) (COLUMNS * COLUMN_WIDTH) + 2 * MARGIN;
    var height = lines.size() * LINE_HEIGHT + 2 * MARGIN;
    var svg = new StringBuilder();
    svg.append(
        """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %1$d %2$d" role="img" aria-label="A terminal session: make demo">
        <style>
        %3$s</style>
        <rect width="%1$d" height="%2$d" rx="8" fill="#0d1117"/>
        """
            .formatted(width, height, STYLE));
    for (var at = 0; at < lines.size(); at++) {
      svg.append("<text xml:space=\"preserve\" x=\"").append(MARGIN).append("\" y=\"");
      svg.append(MARGIN + (at + 1) * LINE_HEIGHT - 5).append("\">");
      svg.append(coloured(shortened(lines.get(at)))).append("</text>\n");
    }
    return svg.append("</svg>\n").toString();
  }

  /// A line as wide as the picture; colours take no room.
  private static String shortened(String line) {
    var column = 0;
    for (var at = 0; at < line.length(); at++) {
      var colour = COLOUR.matcher(line).region(at, line.length());
      if (colour.lookingAt()) {
        at = colour.end() - 1;
      } else if (++column >= COLUMNS) {
        return line.substring(0, at) + "…";
      }
    }
    return line;
  }

  private static String coloured(String line) {
    var text = new StringBuilder();
    var colours = COLOUR.matcher(line);
    var from = 0;
    var open = false;
    while (colours.find()) {
      text.append(escaped(line.substring(from, colours.start())));
      from = colours.end();
      if (open) {
        text.append("</tspan>");
      }
      var style = CLASSES.get(colours.group(1));
      open = style != null;
      if (open) {
        text.append("<tspan class=\"").append(style).append("\">");
      }
    }
    return text.append(escaped(line.substring(from))).append(open ? "</tspan>" : "").toString();
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }
}

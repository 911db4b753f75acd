package dev.policysync.demo;

import static java.util.function.Predicate.not;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/// A terminal session as a picture (SVG): steps, each with a heading, its commands, and those lines
/// of their output that matter to the story, in their colours.
final class TerminalPicture {
  private static final int COLUMNS = 110;
  private static final int LINE_HEIGHT = 18;
  private static final int HEADING_HEIGHT = 42;
  private static final int GAP_HEIGHT = 6;
  private static final double COLUMN_WIDTH = 7.8;
  private static final int MARGIN = 16;

  /// A line of a list of changes.
  private static final Pattern CHANGE = Pattern.compile("  [-+~] .*");

  /// How colours begin and end (ECMA-48, "select graphic rendition").
  private static final Pattern COLOUR = Pattern.compile("\u001b\\[([\\d;]+)m");

  private static final Map<String, String> CLASSES =
      Map.of("1", "bold", "2", "dim", "31", "red", "32", "green", "33", "yellow");

  private static final String STYLE =
      """
      text { font: 13px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; white-space: pre; fill: #d7dce2 }
      .heading { font-size: 15px; font-weight: 700; fill: #79c0ff } .command { font-weight: 700; fill: #fff }
      .bold { font-weight: 700; fill: #fff } .dim { fill: #9aa4af } .red { fill: #ff7b72 }
      .green { fill: #7ee787 } .yellow { fill: #e3b341 }
      """;

  private final List<Line> lines = new ArrayList<>();
  private int steps;

  /// @param style of the whole line, or empty
  private record Line(String text, String style) {
    boolean isHeading() {
      return style.equals("heading");
    }

    int height() {
      return switch (style) {
        case "heading" -> HEADING_HEIGHT;
        case "gap" -> GAP_HEIGHT;
        default -> LINE_HEIGHT;
      };
    }
  }

  /// Begins a step.
  void heading(String sentence) {
    steps++;
    lines.add(new Line(steps + ". " + sentence, "heading"));
  }

  /// Adds a command that is typed.
  void command(String command) {
    if (!lines.isEmpty() && !lines.getLast().isHeading()) {
      lines.add(new Line("", "gap"));
    }
    addCommand("$ " + command);
  }

  /// Adds those lines of an output in which one of the expressions is found. `…` stands for further
  /// changes.
  ///
  /// @throws IllegalStateException if one of the expressions is found nowhere
  void output(String text, List<Pattern> matters) {
    var printed = text.lines().toList();
    for (var expression : matters) {
      if (printed.stream().noneMatch(line -> expression.matcher(plain(line)).find())) {
        throw new IllegalStateException("no line with " + expression + " in\n" + text);
      }
    }
    var listed = false;
    var more = false;
    for (var line : printed) {
      var plain = plain(line);
      if (matters.stream().noneMatch(expression -> expression.matcher(plain).find())) {
        more |= listed && CHANGE.matcher(plain).matches();
        continue;
      }
      if (more) {
        lines.add(new Line("  …", "dim"));
        more = false;
      }
      listed |= CHANGE.matcher(plain).matches();
      if (plain.strip().startsWith("kubectl ")) {
        addCommand(plain);
      } else {
        lines.add(new Line(shortened(line), ""));
      }
    }
  }

  /// The picture.
  String svg() {
    var width = (int) (COLUMNS * COLUMN_WIDTH) + 2 * MARGIN;
    var text = new StringBuilder();
    var y = MARGIN - HEADING_HEIGHT + LINE_HEIGHT;
    for (var line : lines) {
      y += line.height();
      if (line.text().isEmpty()) {
        continue;
      }
      text.append("<text xml:space=\"preserve\" x=\"").append(MARGIN);
      text.append("\" y=\"").append(y - 4);
      if (!line.style().isEmpty()) {
        text.append("\" class=\"").append(line.style());
      }
      text.append("\">").append(coloured(line.text())).append("</text>\n");
      if (line.isHeading()) {
        y += GAP_HEIGHT;
      }
    }
    return """
    <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %1$d %2$d" role="img" aria-label="A terminal session: make demo">
    <style>
    %3$s</style>
    <rect x=".5" y=".5" width="%4$d" height="%5$d" rx="8" fill="#0d1117" stroke="#3d444d"/>
    %6$s</svg>
    """
        .formatted(width, y + MARGIN, STYLE, width - 1, y + MARGIN - 1, text);
  }

  /// Adds a command as it would be typed on several lines, none of it left out.
  private void addCommand(String command) {
    var rest = command;
    var indent = command.startsWith("$") ? "    " : command.replaceAll("\\S.*", "");
    while (rest.length() > COLUMNS) {
      var end = rest.lastIndexOf(' ', COLUMNS - 2);
      if (rest.substring(0, Math.max(0, end)).isBlank()) {
        throw new IllegalStateException("too long a word for the picture: " + rest);
      }
      lines.add(new Line(rest.substring(0, end) + " \\", "command"));
      rest = indent + rest.substring(end + 1);
    }
    lines.add(new Line(rest, "command"));
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

  private static String plain(String line) {
    return COLOUR.matcher(line).replaceAll("");
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
      var style =
          Pattern.compile(";")
              .splitAsStream(colours.group(1))
              .map(code -> CLASSES.getOrDefault(code, ""))
              .filter(not(String::isEmpty))
              .toList();
      open = !style.isEmpty();
      if (open) {
        text.append("<tspan class=\"").append(String.join(" ", style)).append("\">");
      }
    }
    return text.append(escaped(line.substring(from))).append(open ? "</tspan>" : "").toString();
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }
}

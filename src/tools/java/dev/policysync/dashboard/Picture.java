package dev.policysync.dashboard;

import static java.util.Comparator.comparingDouble;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;

/// A dashboard as a picture (SVG): its panels at their places, with the values that Prometheus
/// answered to the panels' own queries.
///
/// @param answers what a panel's query was answered
/// @param from where the axes of time begin
/// @param step from one point of a series to the next
record Picture(
    String title,
    List<Panel> panels,
    Function<Panel.Target, List<Series>> answers,
    Instant from,
    Instant to,
    Duration step) {
  private static final int COLUMN = 52;
  private static final int ROW = 38;
  private static final int GAP = 8;
  private static final int TOP = 48;
  private static final int LINE = 30;
  private static final double LETTER = 7.0;
  private static final int VALUE = 150;

  private static final String STYLE =
      """
      text { font: 13px system-ui, -apple-system, "Segoe UI", "Liberation Sans", Arial, sans-serif; fill: #24292e }
      .page { font-size: 19px; font-weight: 600 } .title { font-weight: 600 } .white { fill: #fff }
      .value { font-size: 44px; font-weight: 600; fill: #fff } .axis { font-size: 11px; fill: #6b7280 }
      .head { font-size: 12px; font-weight: 600; fill: #3a6db3 }
      .middle { text-anchor: middle } .end { text-anchor: end }
      .panel { fill: #fff; stroke: #dfe1e5 } .grid { stroke: #e8eaed } .line { fill: none; stroke-width: 1.6 }
      """;

  String svg() {
    var svg = new Svg();
    var width = 24 * COLUMN + GAP;
    var height =
        panels.stream()
                    .mapToInt(panel -> panel.place().y() + panel.place().height())
                    .max()
                    .orElse(0)
                * ROW
            + TOP
            + GAP;
    svg.add(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %1$d %2$d\" role=\"img\""
            + " aria-label=\"The panels of the dashboard, drawn\">\n<style>\n%3$s</style>\n"
            + "<rect width=\"%1$d\" height=\"%2$d\" fill=\"#f4f5f5\"/>",
        width, height, STYLE);
    svg.text("page", GAP + 4, 32, title);
    panels.forEach(panel -> draw(svg, panel));
    return svg.add("</svg>").toString();
  }

  private void draw(Svg svg, Panel panel) {
    var place = panel.place();
    var box =
        new Box(
            GAP + place.x() * COLUMN,
            TOP + place.y() * ROW,
            place.width() * COLUMN - GAP,
            place.height() * ROW - GAP);
    svg.add(
        "<rect class=\"panel\" x=\"%.0f\" y=\"%.0f\" width=\"%.0f\" height=\"%.0f\" rx=\"3\"/>",
        box.x(), box.y(), box.width(), box.height());
    switch (panel.type()) {
      case "stat" -> drawStat(svg, panel, box);
      case "table" -> drawTable(svg, panel, box);
      case "timeseries" -> {
        drawTitle(svg, panel, box, "title");
        var lines = new ArrayList<Chart.Line>();
        for (var target : panel.targets()) {
          for (var series : answers.apply(target)) {
            lines.add(new Chart.Line(target.name(series.labels()), series));
          }
        }
        new Chart(panel, box, lines, from.getEpochSecond(), to.getEpochSecond(), step.toSeconds())
            .draw(svg);
      }
      default -> throw new IllegalArgumentException("cannot draw a panel of type " + panel.type());
    }
  }

  private static void drawTitle(Svg svg, Panel panel, Box box, String style) {
    svg.text(style, box.x() + 10, box.y() + 22, panel.title());
  }

  private void drawStat(Svg svg, Panel panel, Box box) {
    var values = answers.apply(panel.targets().getFirst());
    var value = values.isEmpty() ? Double.NEGATIVE_INFINITY : values.getFirst().last();
    svg.add(
        "<rect x=\"%.0f\" y=\"%.0f\" width=\"%.0f\" height=\"%.0f\" rx=\"3\" fill=\"%s\"/>",
        box.x(), box.y(), box.width(), box.height(), Hues.of(panel.colours().of(value)));
    drawTitle(svg, panel, box, "title white");
    svg.text(
        "value middle",
        box.x() + box.width() / 2,
        box.y() + 92,
        values.isEmpty() ? "No data" : Units.written(value, panel.unit()));
  }

  private void drawTable(Svg svg, Panel panel, Box box) {
    drawTitle(svg, panel, box, "title");
    var values = panel.targets().stream().map(panel::valueColumn).toList();
    var rows = rows(panel);
    var columns = new TreeSet<String>();
    rows.forEach(row -> columns.addAll(row.labels().keySet()));
    var firstValue = box.right() - 10 - (values.size() - 1) * VALUE;
    var width = (firstValue - 90 - box.x() - 10) / Math.max(1, columns.size());
    var y = box.y() + 50;
    var x = box.x() + 10;
    for (var column : columns) {
      svg.text("head", x, y, column);
      x += width;
    }
    for (var at = 0; at < values.size(); at++) {
      svg.text("head end", firstValue + at * VALUE, y, values.get(at));
    }
    for (var row : rows) {
      svg.add("<path class=\"grid\" d=\"M%.0f %.0fH%.0f\"/>", box.x(), y + 10, box.right());
      y += LINE;
      if (y + LINE > box.bottom() && !row.equals(rows.getLast())) {
        svg.text("cell", box.x() + 10, y, "…");
        return;
      }
      x = box.x() + 10;
      for (var column : columns) {
        svg.text("cell", x, y, row.labels().getOrDefault(column, ""), (int) (width / LETTER) - 2);
        x += width;
      }
      for (var at = 0; at < values.size(); at++) {
        var value = row.values().get(values.get(at));
        if (value != null) {
          svg.text(
              "cell end", firstValue + at * VALUE, y, written(value, panel.unitOf(values.get(at))));
        }
      }
    }
  }

  private String written(double value, String unit) {
    return unit.equals("dateTimeFromNow")
        ? Units.ago(Duration.between(Instant.ofEpochMilli((long) value), to))
        : Units.written(value, unit);
  }

  /// A row of a table: what its queries answered for the same labels.
  private record Row(Map<String, String> labels, Map<String, Double> values) {}

  /// The rows, the highest value of the first query first.
  private List<Row> rows(Panel panel) {
    var rows = new LinkedHashMap<Map<String, String>, Row>();
    for (var target : panel.targets()) {
      for (var series : answers.apply(target)) {
        var labels = new TreeMap<>(series.labels());
        labels.keySet().removeAll(panel.hidden());
        rows.computeIfAbsent(labels, it -> new Row(it, new TreeMap<>()))
            .values()
            .put(panel.valueColumn(target), series.last());
      }
    }
    var first = panel.valueColumn(panel.targets().getFirst());
    return rows.values().stream()
        .sorted(
            comparingDouble((Row row) -> row.values().getOrDefault(first, Double.NEGATIVE_INFINITY))
                .reversed())
        .toList();
  }
}

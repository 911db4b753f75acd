package dev.policysync.dashboard;

import static java.util.Comparator.reverseOrder;
import static java.util.stream.Collectors.joining;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/// A time series panel: lines, stacked areas or bars, with both axes and the legend at the right.
///
/// @param lines with the name that the legend gives each, in their order
/// @param from where the axis of time begins, in seconds since 1970
record Chart(Panel panel, Box box, List<Line> lines, double from, double to, double step) {
  private static final int LEGEND = 232;
  private static final List<String> PALETTE =
      List.of(
          "#56a64b", "#e0b400", "#3274d9", "#ff780a", "#e02f44", "#a352cc", "#1f7a8c", "#8f3bb8");
  private static final DateTimeFormatter CLOCK =
      DateTimeFormatter.ofPattern("HH:mm", Locale.ROOT).withZone(ZoneOffset.UTC);

  record Line(String name, Series series) {}

  void draw(Svg svg) {
    var plot =
        new Box(box.x() + 52, box.y() + 40, box.width() - LEGEND - 66, box.height() - 40 - 30);
    var tops = tops();
    var highest =
        tops.stream().flatMap(map -> map.values().stream()).mapToDouble(it -> it).max().orElse(1);
    var tick = tick(highest);
    var most = Math.max(tick, Math.ceil(highest / tick) * tick);
    for (var value = 0.0; value <= most + tick / 2; value += tick) {
      var y = plot.bottom() - value / most * plot.height();
      svg.add("<path class=\"grid\" d=\"M%.0f %.1fH%.0f\"/>", plot.x(), y, plot.right());
      svg.text("axis end", plot.x() - 6, y + 4, Units.written(value, panel.unit()));
    }
    for (var minute = Math.ceil(from / 60) * 60; minute <= to; minute += 60) {
      var clock = CLOCK.format(Instant.ofEpochSecond((long) minute));
      svg.add(
          "<path class=\"grid\" d=\"M%.1f %.0fV%.0f\"/>", x(plot, minute), plot.y(), plot.bottom());
      svg.text("axis middle", x(plot, minute), plot.bottom() + 18, clock);
    }
    for (var at = lines.size() - 1; at >= 0; at--) {
      var below = panel.stacked() && at > 0 ? tops.get(at - 1) : Map.<Double, Double>of();
      drawLine(svg, plot, colour(at), tops.get(at), below, most);
    }
    drawLegend(svg);
  }

  /// How high each line is at each time; in a stack, with all that are below it.
  private List<Map<Double, Double>> tops() {
    var tops = new ArrayList<Map<Double, Double>>();
    for (var line : lines) {
      var below = panel.stacked() && !tops.isEmpty() ? tops.getLast() : Map.<Double, Double>of();
      var top = panel.stacked() ? new TreeMap<>(below) : new TreeMap<Double, Double>();
      for (var point : line.series().points()) {
        top.merge(point.time(), point.value(), Double::sum);
      }
      tops.add(top);
    }
    return tops;
  }

  private void drawLine(
      Svg svg,
      Box plot,
      String colour,
      Map<Double, Double> top,
      Map<Double, Double> below,
      double most) {
    if (panel.bars()) {
      var width = Math.max(1, step / (to - from) * plot.width() - 1);
      var bars =
          top.entrySet().stream()
              .map(it -> {
                var y = plot.bottom() - it.getValue() / most * plot.height();
                return String.format(
                    Locale.ROOT,
                    "M%.1f %.1fh%.1fV%.0fh-%.1fz",
                    x(plot, it.getKey()) - width / 2,
                    y,
                    width,
                    plot.bottom(),
                    width);
              })
              .collect(joining());
      svg.add("<path fill=\"%s\" fill-opacity=\".6\" d=\"%s\"/>", colour, bars);
      return;
    }
    var line = path(plot, top, most);
    if (panel.stacked()) {
      var floor = new TreeMap<Double, Double>(reverseOrder());
      top.keySet().forEach(time -> floor.put(time, below.getOrDefault(time, 0.0)));
      svg.add(
          "<path fill=\"%s\" fill-opacity=\".2\" d=\"M%sL%sz\"/>",
          colour, line, path(plot, floor, most));
    }
    svg.add("<path class=\"line\" stroke=\"%s\" d=\"M%s\"/>", colour, line);
  }

  private String path(Box plot, Map<Double, Double> values, double most) {
    return values.entrySet().stream()
        .map(it ->
            String.format(
                Locale.ROOT,
                "%.1f %.1f",
                x(plot, it.getKey()),
                plot.bottom() - it.getValue() / most * plot.height()))
        .collect(joining("L"));
  }

  private void drawLegend(Svg svg) {
    var left = box.right() - LEGEND;
    svg.text("head", left + 20, box.y() + 50, "Name");
    svg.text("head end", box.right() - 14, box.y() + 50, "Last");
    for (var at = 0; at < lines.size(); at++) {
      var y = box.y() + 74 + at * 22;
      svg.add(
          "<rect x=\"%.0f\" y=\"%.0f\" width=\"12\" height=\"4\" rx=\"2\" fill=\"%s\"/>",
          left, y - 6, colour(at));
      svg.text("cell", left + 20, y, lines.get(at).name(), 25);
      svg.text(
          "cell end",
          box.right() - 14,
          y,
          Units.written(lines.get(at).series().last(), panel.unit()));
    }
  }

  /// The colour that the panel gives this line, or else the next of the palette.
  private String colour(int at) {
    return panel
        .colourOf(lines.get(at).name())
        .map(Hues::of)
        .orElseGet(() -> PALETTE.get(at % PALETTE.size()));
  }

  private double x(Box plot, double time) {
    return plot.x() + (time - from) / (to - from) * plot.width();
  }

  /// A round step that divides an axis into two to five; whole, but for seconds.
  private double tick(double highest) {
    var rough = Math.max(highest, 1e-3) / 4;
    var power = Math.pow(10, Math.floor(Math.log10(rough)));
    for (var factor : List.of(1, 2, 5, 10)) {
      if (factor * power >= rough) {
        return panel.unit().equals("s") ? factor * power : Math.max(1, factor * power);
      }
    }
    return 10 * power;
  }
}

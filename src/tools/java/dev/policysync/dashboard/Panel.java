package dev.policysync.dashboard;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/// A panel of a Grafana dashboard, as far as it can be drawn.
///
/// @param type `stat`, `timeseries` or `table`
/// @param place in a grid of 24 columns
/// @param unit `none`, or `s` for seconds
/// @param hidden columns of a table that are not shown
record Panel(
    String type,
    String title,
    Place place,
    String unit,
    Colours colours,
    boolean stacked,
    boolean bars,
    Set<String> hidden,
    List<Target> targets) {

  /// Where a panel is and how large, in columns and rows.
  record Place(int x, int y, int width, int height) {}

  /// A query of a panel.
  ///
  /// @param legend `{{action}}: {{cause}}`, empty for a value without a name
  record Target(String expression, String legend, boolean instant) {
    /// The query as Grafana sends it where all clusters are chosen.
    String ofAllClusters() {
      return expression.replaceAll("\\$[a-z]+", ".*");
    }

    /// How the legend calls a series.
    String name(Map<String, String> labels) {
      var name = legend;
      for (var label : labels.entrySet()) {
        name = name.replace("{{" + label.getKey() + "}}", label.getValue());
      }
      return name;
    }
  }

  /// What colour a value has: that of the last step that it reaches.
  record Colours(List<Step> steps) {
    record Step(double from, String colour) {}

    String of(double value) {
      return steps.stream()
          .filter(step -> value >= step.from())
          .reduce((_, later) -> later)
          .map(Step::colour)
          .orElse("green");
    }
  }

  static Panel of(JsonNode json) {
    var defaults = json.path("fieldConfig").path("defaults");
    var custom = defaults.path("custom");
    var grid = json.path("gridPos");
    var hidden = new TreeSet<String>();
    for (var transformation : json.path("transformations")) {
      transformation
          .path("options")
          .path("excludeByName")
          .fieldNames()
          .forEachRemaining(hidden::add);
    }
    return new Panel(
        json.path("type").asText(),
        json.path("title").asText(),
        new Place(
            grid.path("x").asInt(),
            grid.path("y").asInt(),
            grid.path("w").asInt(),
            grid.path("h").asInt()),
        defaults.path("unit").asText(),
        colours(defaults),
        custom.path("stacking").path("mode").asText().equals("normal"),
        custom.path("drawStyle").asText().equals("bars"),
        hidden,
        json.path("targets")
            .valueStream()
            .map(target ->
                new Target(
                    target.path("expr").asText(),
                    target.path("legendFormat").asText(),
                    target.path("instant").asBoolean()))
            .toList());
  }

  private static Colours colours(JsonNode defaults) {
    var fixed = defaults.path("color").path("fixedColor");
    if (fixed.isTextual()) {
      return new Colours(List.of(new Colours.Step(Double.NEGATIVE_INFINITY, fixed.asText())));
    }
    return new Colours(
        defaults
            .path("thresholds")
            .path("steps")
            .valueStream()
            .map(step ->
                new Colours.Step(
                    step.path("value").asDouble(Double.NEGATIVE_INFINITY),
                    step.path("color").asText()))
            .collect(Collectors.toList()));
  }
}

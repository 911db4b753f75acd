package dev.policysync.dashboard;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/// A panel of a Grafana dashboard, as far as it can be drawn.
///
/// @param type `stat`, `timeseries` or `table`
/// @param place in a grid of 24 columns
/// @param unit `none`, or `s` for seconds
/// @param colours of a value, where the series have none of their own
/// @param overrides what differs for a field, by the name that it is shown with
/// @param hidden columns of a table that are not shown
/// @param renamed columns of a table that are shown with another name
record Panel(
    String type,
    String title,
    Place place,
    String unit,
    Colours colours,
    boolean stacked,
    boolean bars,
    Map<String, FieldOverride> overrides,
    Set<String> hidden,
    Map<String, String> renamed,
    List<Target> targets) {

  /// Where a panel is and how large, in columns and rows.
  record Place(int x, int y, int width, int height) {}

  /// What a series or a column has instead of what the panel's others have.
  record FieldOverride(Optional<String> colour, Optional<String> unit) {}

  /// A query of a panel.
  ///
  /// @param id `A`
  /// @param legend `{{action}}: {{cause}}`, empty for a value without a name
  record Target(String id, String expression, String legend, boolean instant) {
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

  /// The colour that a series is always drawn in.
  Optional<String> colourOf(String series) {
    return Optional.ofNullable(overrides.get(series)).flatMap(FieldOverride::colour);
  }

  /// The unit of a column, by the name that it is shown with.
  String unitOf(String column) {
    return Optional.ofNullable(overrides.get(column)).flatMap(FieldOverride::unit).orElse(unit);
  }

  /// How the column of a query's values is called.
  String valueColumn(Target target) {
    var name = targets.size() == 1 ? "Value" : "Value #" + target.id();
    return renamed.getOrDefault(name, name);
  }

  static Panel of(JsonNode json) {
    var defaults = json.path("fieldConfig").path("defaults");
    var custom = defaults.path("custom");
    var grid = json.path("gridPos");
    var hidden = new TreeSet<String>();
    var renamed = new TreeMap<String, String>();
    for (var transformation : json.path("transformations")) {
      var options = transformation.path("options");
      options.path("excludeByName").fieldNames().forEachRemaining(hidden::add);
      for (var name : options.path("renameByName").properties()) {
        renamed.put(name.getKey(), name.getValue().asText());
      }
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
        overrides(json.path("fieldConfig").path("overrides")),
        hidden,
        renamed,
        json.path("targets")
            .valueStream()
            .map(target ->
                new Target(
                    target.path("refId").asText(),
                    target.path("expr").asText(),
                    target.path("legendFormat").asText(),
                    target.path("instant").asBoolean()))
            .toList());
  }

  private static Map<String, FieldOverride> overrides(JsonNode json) {
    var overrides = new TreeMap<String, FieldOverride>();
    for (var override : json) {
      var matcher = override.path("matcher");
      if (!matcher.path("id").asText().equals("byName")) {
        throw new IllegalArgumentException("cannot match " + matcher);
      }
      var values = new TreeMap<String, JsonNode>();
      for (var property : override.path("properties")) {
        values.put(property.path("id").asText(), property.path("value"));
      }
      overrides.put(
          matcher.path("options").asText(),
          new FieldOverride(
              Optional.ofNullable(values.get("color")).map(it -> it.path("fixedColor").asText()),
              Optional.ofNullable(values.get("unit")).map(JsonNode::asText)));
    }
    return overrides;
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

package dev.policysync.dashboard;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// What Prometheus answered for one set of labels.
///
/// @param points in the order of time; one where it was asked for one time
record Series(Map<String, String> labels, List<Point> points) {

  /// @param time in seconds since 1970
  record Point(double time, double value) {}

  double last() {
    return points.getLast().value();
  }

  /// The series of an answer of `/api/v1/query` or `/api/v1/query_range`.
  static List<Series> of(JsonNode answer) {
    return answer.path("data").path("result").valueStream().map(Series::one).toList();
  }

  private static Series one(JsonNode result) {
    var labels = new TreeMap<String, String>();
    for (var label : result.path("metric").properties()) {
      labels.put(label.getKey(), label.getValue().asText());
    }
    var points = result.has("value") ? List.of(result.path("value")) : all(result.path("values"));
    return new Series(
        labels,
        points.stream()
            .map(point -> new Point(point.path(0).asDouble(), point.path(1).asDouble()))
            .toList());
  }

  private static List<JsonNode> all(JsonNode values) {
    return values.valueStream().toList();
  }
}

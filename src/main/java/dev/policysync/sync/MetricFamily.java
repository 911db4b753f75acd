package dev.policysync.sync;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// A gauge with its samples: `policysync_policies{state="in_force"} 40`.
///
/// Names, labels and units follow Prometheus' conventions (prometheus.io/docs/practices/naming):
/// seconds, `_timestamp_seconds` since 1970, `_info` with the value 1.
///
/// @param name `policysync_policies`
/// @param help the description, in one line
record MetricFamily(String name, String help, List<Sample> samples) {
  MetricFamily {
    samples = List.copyOf(samples);
  }

  /// One value of the gauge.
  ///
  /// @param labels in the order in which they are written
  record Sample(Map<String, String> labels, double value) {
    Sample {
      labels = new LinkedHashMap<>(labels);
    }
  }

  static MetricFamily of(String name, String help, double value) {
    return new MetricFamily(name, help, List.of(new Sample(Map.of(), value)));
  }

  /// Creates a gauge with the value 1 and the information in a label.
  static MetricFamily info(String name, String help, String label, String text) {
    return new MetricFamily(name, help, List.of(new Sample(Map.of(label, text), 1)));
  }
}

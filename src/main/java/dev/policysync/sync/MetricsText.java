package dev.policysync.sync;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// Metrics in Prometheus' text format, version 0.0.4:
///
/// ```
/// # HELP policysync_policies Policies by state.
/// # TYPE policysync_policies gauge
/// policysync_policies{organization="acme",cluster="prod-1",state="in_force"} 40
/// ```
///
/// Source: prometheus.io/docs/instrumenting/exposition_formats, and `promtool check metrics`.
public final class MetricsText {
  public static final String CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

  private static final Pattern NAME = Pattern.compile("(?:# (?:HELP|TYPE) )?([a-z_]+)[ {].*");

  private final Map<String, String> families = new LinkedHashMap<>();

  MetricsText(List<MetricFamily> families, Map<String, String> where) {
    for (var family : families) {
      this.families.put(family.name(), text(family, where));
    }
  }

  /// Returns these metrics together with the metrics of the older text that are not among them. A
  /// Prometheus Pushgateway merges posted metrics in the same way.
  String keepingOthersOf(String older) {
    var all = new LinkedHashMap<>(families);
    older
        .lines()
        .map(NAME::matcher)
        .filter(line -> line.matches() && !families.containsKey(line.group(1)))
        .forEach(line -> all.merge(line.group(1), line.group() + "\n", String::concat));
    return String.join("", all.values());
  }

  @Override
  public String toString() {
    return String.join("", families.values());
  }

  private static String text(MetricFamily family, Map<String, String> where) {
    var text = new StringBuilder();
    text.append("# HELP ").append(family.name()).append(' ').append(family.help()).append('\n');
    text.append("# TYPE ").append(family.name()).append(" gauge\n");
    for (var sample : family.samples()) {
      var labels = new LinkedHashMap<>(where);
      labels.putAll(sample.labels());
      text.append(family.name());
      if (!labels.isEmpty()) {
        text.append(
            labels.entrySet().stream()
                .map(label -> label.getKey() + "=\"" + escaped(label.getValue()) + "\"")
                .collect(Collectors.joining(",", "{", "}")));
      }
      text.append(' ').append(number(sample.value())).append('\n');
    }
    return text.toString();
  }

  private static String escaped(String label) {
    return label.replace("\\", "\\\\").replace("\n", "\\n").replace("\"", "\\\"");
  }

  private static String number(double value) {
    return value == Math.rint(value) ? Long.toString((long) value) : Double.toString(value);
  }
}

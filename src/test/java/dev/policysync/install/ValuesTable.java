package dev.policysync.install;

import dev.policysync.base.CanonicalJson;
import dev.policysync.base.Value;
import dev.policysync.testcluster.Documents;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/// The values of the chart, each with its default and the comment above it in `values.yaml`.
record ValuesTable(List<Row> rows) {
  private static final String HEAD = "| value | default | meaning |\n|---|---|---|\n";

  /// @param name with dots: `insights.host`
  /// @param fallback the default, as JSON
  record Row(String name, String fallback, String meaning) {
    private String markdown() {
      return "| `%s` | `%s` | %s |\n".formatted(name, fallback.replace("|", "\\|"), meaning);
    }
  }

  /// Reads a `values.yaml`: whatever has a comment above it is a value, the rest are groups.
  static ValuesTable of(Path file) throws IOException {
    var values = Documents.yaml(Files.readString(file));
    var rows = new ArrayList<Row>();
    var comment = "";
    var path = new ArrayDeque<String>();
    for (var line : Files.readAllLines(file)) {
      var text = line.strip();
      var depth = line.indexOf(text) / 2;
      if (text.startsWith("# ")) {
        comment = text.substring(2);
      } else if (text.isEmpty()) {
        comment = "";
      } else if (text.contains(":")) {
        var key = text.substring(0, text.indexOf(':'));
        while (path.size() > depth) {
          path.removeLast();
        }
        path.addLast(key);
        if (!comment.isEmpty()) {
          var name = String.join(".", path);
          rows.add(new Row(name, json(values, name), comment));
          comment = "";
        }
      }
    }
    return new ValuesTable(rows.stream().filter(row -> !isGroup(row, rows)).toList());
  }

  /// Whether it has values below it that have a row each.
  private static boolean isGroup(Row row, List<Row> rows) {
    return rows.stream().anyMatch(other -> other.name().startsWith(row.name() + "."));
  }

  /// That page with this table in place of the one that it has.
  String in(Path page) throws IOException {
    var text = Files.readString(page);
    var begin = text.indexOf(HEAD);
    if (begin < 0) {
      throw new AssertionError(page + " has no table of values");
    }
    var end = text.indexOf("\n\n", begin);
    return text.substring(0, begin)
        + HEAD
        + rows.stream().map(Row::markdown).collect(Collectors.joining())
        + (end < 0 ? "" : text.substring(end + 1));
  }

  private static String json(Value.Mapping values, String name) {
    var parts = List.of(name.split("\\.", -1));
    var holder = values;
    for (var part : parts.subList(0, parts.size() - 1)) {
      holder = holder.mapping(part);
    }
    var value = Objects.requireNonNull(holder.fields().get(parts.getLast()), name);
    return CanonicalJson.write(new Value.Mapping(Map.of("v", value)))
        .replaceAll("^\\{\"v\":|}$", "");
  }
}

package dev.policysync.install;

import dev.policysync.json.CanonicalJson;
import dev.policysync.json.Value;
import dev.policysync.testcluster.Documents;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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
    var group = "";
    var subgroup = "";
    for (var line : Files.readAllLines(file)) {
      var text = line.strip();
      var depth = line.indexOf(text) / 2;
      if (text.startsWith("# ")) {
        comment = text.substring(2);
      } else if (text.isEmpty()) {
        comment = "";
      } else if (text.contains(":")) {
        var key = text.substring(0, text.indexOf(':'));
        if (depth == 0) {
          group = key + ".";
        } else if (depth == 1) {
          subgroup = key + ".";
        }
        if (!comment.isEmpty()) {
          var name = (depth > 0 ? group : "") + (depth > 1 ? subgroup : "") + key;
          rows.add(new Row(name, json(values, name), comment));
          comment = "";
        }
      }
    }
    return new ValuesTable(rows);
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
    var value = holder.fields().get(parts.getLast());
    return CanonicalJson.write(
            new Value.Mapping(Map.of("v", value == null ? Value.Null.NULL : value)))
        .replaceAll("^\\{\"v\":|}$", "");
  }
}

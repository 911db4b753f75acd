package dev.policysync.matrix;

import static java.util.Objects.requireNonNull;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;

/// What the matrix found, as tables between two comments of a page.
final class CompatibilityTables {
  static final String BEGIN = "<!-- make matrix -->\n";
  static final String END = "<!-- end -->\n";

  /// By Kubernetes, then by Kyverno: `1.33.13`, `1.18.2`.
  private final Map<String, Map<String, Compatibility>> resources = new LinkedHashMap<>();

  private final Map<String, Map<String, Compatibility>> running = new LinkedHashMap<>();

  /// @param ran whether Kyverno itself ran, and not its custom resources alone
  void add(Compatibility found, KyvernoRelease release, boolean ran) {
    (ran ? running : resources)
        .computeIfAbsent(found.kubernetes(), _ -> new LinkedHashMap<>())
        .put(release.version().substring(1), found);
  }

  /// The page with these tables instead of what it has.
  ///
  /// @throws IllegalStateException if the page lacks a comment, or two API servers serve different
  ///   kinds of the examples
  String into(String page) {
    int begin = page.indexOf(BEGIN);
    int end = page.indexOf(END);
    if (begin < 0 || end < begin) {
      throw new IllegalStateException("the page lacks the comments " + BEGIN + END);
    }
    return page.substring(0, begin + BEGIN.length())
        + String.join(
            "\n",
            "With the custom resources of Kyverno:\n",
            versions(resources),
            "With Kyverno running:\n",
            versions(running),
            "What the releases know:\n",
            kinds())
        + page.substring(end);
  }

  private static List<String> releases(Map<String, Map<String, Compatibility>> cells) {
    return List.copyOf(cells.values().iterator().next().keySet());
  }

  private static String versions(Map<String, Map<String, Compatibility>> cells) {
    var releases = releases(cells);
    var table = new StringBuilder("| Kubernetes |");
    releases.forEach(release -> table.append(" Kyverno ").append(release).append(" |"));
    table.append("\n|---|").append("---|".repeat(releases.size())).append('\n');
    cells.forEach((kubernetes, row) -> {
      table.append("| ").append(kubernetes).append(" |");
      row.values().forEach(found -> table.append(' ').append(cell(found)).append(" |"));
      table.append('\n');
    });
    return table.toString();
  }

  private static String cell(Compatibility found) {
    return found.rewritten() == 0
        ? found.share()
        : found.share() + ", " + found.rewritten() + " rewritten";
  }

  private String kinds() {
    var table =
        new StringBuilder("| Kyverno | example policies | kinds it lacks |\n|---|---|---|\n");
    for (var release : releases(resources)) {
      var found = new LinkedHashSet<String>();
      resources.values().forEach(row -> found.add(requireNonNull(row.get(release)).row(release)));
      if (found.size() > 1) {
        throw new IllegalStateException("it depends on Kubernetes: " + found);
      }
      table.append(found.getFirst()).append('\n');
    }
    return table.toString();
  }
}

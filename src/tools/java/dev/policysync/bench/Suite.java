package dev.policysync.bench;

import java.nio.file.Path;
import java.util.List;

/// What is measured together, for one page.
enum Suite {
  /// Everything that needs no Kyverno.
  API_SERVER("performance.md"),

  /// What takes Kyverno's time, and minutes of it.
  KYVERNO("performance-kyverno.md"),

  /// The same with ever more policies.
  GROWTH("performance-growth.md");

  private final String page;

  Suite(String page) {
    this.page = page;
  }

  /// Where its figures are: `docs/performance.md`.
  Path page() {
    return Path.of("docs", page);
  }

  List<Scenario> scenarios() {
    return switch (this) {
      case API_SERVER -> Scenario.all();
      case KYVERNO -> Scenario.allWithKyverno();
      case GROWTH -> Scenario.allThatGrow();
    };
  }
}

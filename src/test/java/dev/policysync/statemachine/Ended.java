package dev.policysync.statemachine;

import dev.policysync.sync.Summary;

/// How a run ended.
sealed interface Ended {
  /// With a summary.
  record Said(Summary summary) implements Ended {
    @Override
    public String toString() {
      return summary.ending()
          + summary.skipped().map(reason -> " skipped: " + reason).orElse("")
          + list(" applied ", summary.applied().stream().map(Summary.Change::policy).toList())
          + list(" updated ", summary.updated().stream().map(Summary.Change::policy).toList())
          + list(" removed ", summary.removed().stream().map(Summary.Change::policy).toList())
          + list(" failed ", summary.failed())
          + list(" withheld ", summary.withheld())
          + list(" conflicts ", summary.conflicts())
          + list(" not attempted ", summary.notAttempted())
          + list(" warnings ", summary.warnings());
    }

    private static String list(String title, java.util.List<?> items) {
      return items.isEmpty() ? "" : title + items;
    }
  }

  /// Without a word.
  record Killed() implements Ended {
    @Override
    public String toString() {
      return "killed";
    }
  }
}

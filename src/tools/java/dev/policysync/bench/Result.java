package dev.policysync.bench;

import java.util.List;
import java.util.Optional;

/// What came of a scenario.
sealed interface Result {
  Scenario scenario();

  /// It was run and did what it is for.
  ///
  /// @param runs all of them, in their order
  /// @param requests of the first one
  /// @param answers of Kyverno to the first one, where there is a Kyverno
  record Measured(
      Scenario scenario, List<Figures> runs, Requests requests, Optional<KyvernoAnswers> answers)
      implements Result {
    public Measured {
      runs = List.copyOf(runs);
    }

    Measured(Scenario scenario, List<Figures> runs, Requests requests) {
      this(scenario, runs, requests, Optional.empty());
    }

    Figures median() {
      return Figures.median(runs);
    }
  }

  /// This machine cannot do it.
  ///
  /// @param why `needs root and a writable cpu cgroup`
  record NotMeasured(Scenario scenario, String why) implements Result {}
}

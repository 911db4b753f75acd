package dev.policysync.singlefault;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/// Looks in memory for a fault that breaks a promise.
public final class FaultSearch {
  private FaultSearch() {}

  /// For whoever cannot share a class with it. All scenarios are played without a fault first: many
  /// a defect shows there, and at once.
  ///
  /// @return the first fault of a scenario that breaks something, and what; empty if none does
  public static String first() {
    return first(FaultSearch::undisturbed).or(() -> first(FaultSearch::disturbed)).orElse("");
  }

  private static Optional<String> first(Function<Scenario, Optional<String>> search) {
    return Scenarios.inMemory().parallelStream()
        .map(scenario -> guarded(scenario, search))
        .flatMap(Optional::stream)
        .findFirst();
  }

  private static Optional<String> guarded(
      Scenario scenario, Function<Scenario, Optional<String>> search) {
    try {
      return search.apply(scenario);
    } catch (AssertionError | RuntimeException e) {
      return Optional.of(scenario + ": " + e);
    }
  }

  private static Optional<String> undisturbed(Scenario scenario) {
    var does = new FaultPlay(scenario, FakeWorld.of(scenario)).does();
    return does.equals(scenario.does())
        ? Optional.empty()
        : Optional.of(scenario + " without a fault: does " + does);
  }

  private static Optional<String> disturbed(Scenario scenario) {
    var faultPlay = new FaultPlay(scenario, FakeWorld.of(scenario));
    for (var fault : faultPlay.faults()) {
      var broken = faultPlay.play(fault).map(FaultPlay.Came::broken).orElse(List.of());
      if (!broken.isEmpty()) {
        return Optional.of(scenario + " " + fault + ": " + broken.getFirst());
      }
    }
    return Optional.empty();
  }
}

package dev.policysync.singlefault;

import java.util.List;

/// Looks in memory for a fault that breaks a promise.
public final class FaultSearch {
  private FaultSearch() {}

  /// For whoever cannot share a class with it.
  ///
  /// @return the first fault of a scenario that breaks something, and what; empty if none does
  public static String first() {
    return Scenarios.inMemory().parallelStream()
        .map(FaultSearch::firstOf)
        .filter(found -> !found.isEmpty())
        .findFirst()
        .orElse("");
  }

  private static String firstOf(Scenario scenario) {
    try {
      var faultPlay = new FaultPlay(scenario, FakeWorld.of(scenario));
      if (!faultPlay.does().equals(scenario.does())) {
        return scenario + " without a fault: does " + faultPlay.does();
      }
      for (var fault : faultPlay.faults()) {
        var broken = faultPlay.play(fault).map(FaultPlay.Came::broken).orElse(List.of());
        if (!broken.isEmpty()) {
          return scenario + " " + fault + ": " + broken.getFirst();
        }
      }
      return "";
    } catch (AssertionError | RuntimeException e) {
      return scenario + ": " + e;
    }
  }
}

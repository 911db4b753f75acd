package dev.policysync.bench;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;

/// Which scenarios are measured, and how often.
///
/// @param suite which they are of
/// @param only their ids; absent means all
/// @param repetitions of each of them; absent means what each has itself
record ScenarioSelection(Suite suite, Optional<Set<String>> only, OptionalInt repetitions) {
  private static final Map<String, Suite> SUITES =
      Map.of("--kyverno", Suite.KYVERNO, "--growth", Suite.GROWTH);

  private static final String ONLY = "--only=";
  private static final String REPETITIONS = "--repetitions=";

  /// @throws IllegalArgumentException naming what is wrong, and what there is to choose from
  static ScenarioSelection of(List<String> arguments) {
    var suite = Suite.API_SERVER;
    var only = Optional.<Set<String>>empty();
    var repetitions = OptionalInt.empty();
    for (var argument : arguments) {
      if (argument.startsWith(ONLY)) {
        only = Optional.of(Set.of(argument.substring(ONLY.length()).split(",", -1)));
      } else if (argument.startsWith(REPETITIONS)) {
        repetitions = OptionalInt.of(Integer.parseInt(argument.substring(REPETITIONS.length())));
      } else if (SUITES.containsKey(argument)) {
        suite = SUITES.getOrDefault(argument, suite);
      } else {
        throw new IllegalArgumentException("what is " + argument + "?");
      }
    }
    return new ScenarioSelection(suite, only, repetitions);
  }

  ScenarioSelection {
    var unknown = new HashSet<>(only.orElse(Set.of()));
    suite.scenarios().forEach(scenario -> unknown.remove(scenario.id()));
    if (!unknown.isEmpty()) {
      throw new IllegalArgumentException(
          "there is no %s; there are: %s"
              .formatted(
                  String.join(", ", unknown),
                  suite.scenarios().stream().map(Scenario::id).collect(Collectors.joining(", "))));
    }
    if (repetitions.isPresent() && repetitions.getAsInt() < 1) {
      throw new IllegalArgumentException("N is at least 1");
    }
  }

  List<Scenario> scenarios() {
    return suite.scenarios().stream()
        .filter(scenario -> only.isEmpty() || only.get().contains(scenario.id()))
        .toList();
  }

  int repetitions(Scenario scenario) {
    return repetitions.orElse(scenario.repetitions());
  }

  /// Whether it is the run that the page shows.
  boolean everything() {
    return only.isEmpty() && repetitions.isEmpty();
  }
}

package dev.policysync.inspect;

import java.util.List;

/// Reports the problems in the settings, which are known before any other check runs.
public final class SettingsChecks {
  /// The subject of the result; its failure means exit code 2.
  public static final String SETTINGS = "settings";

  private SettingsChecks() {}

  /// Returns a result for each problem, or one that the settings are valid.
  ///
  /// @param source `acme/prod-1`
  public static Check question(List<String> problems, String source) {
    return Check.of(
        SETTINGS,
        () ->
            problems.isEmpty()
                ? List.of(CheckResult.ok(SETTINGS, "valid; the policies are those of " + source))
                : problems.stream()
                    .map(problem -> CheckResult.failure(SETTINGS, problem))
                    .toList());
  }
}

package dev.policysync.inspect;

import java.util.List;

/// What is wrong with the settings: these answers are known before anything is asked.
public final class SettingsChecks {
  /// What they are about; a failure of it means exit code 2.
  public static final String SETTINGS = "settings";

  private SettingsChecks() {}

  /// A line a problem, or one that all is well.
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

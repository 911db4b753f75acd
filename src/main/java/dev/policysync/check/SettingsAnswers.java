package dev.policysync.check;

import java.util.List;

/// What is wrong with the settings: these answers are known before anything is asked.
public final class SettingsAnswers {
  /// What they are about; a failure of it means exit code 2.
  public static final String SETTINGS = "settings";

  private SettingsAnswers() {}

  /// A line a problem, or one that all is well.
  ///
  /// @param source `acme/prod-1`
  public static Question question(List<String> problems, String source) {
    return Question.of(
        SETTINGS,
        () ->
            problems.isEmpty()
                ? List.of(Answer.ok(SETTINGS, "all are right; the policies are those of " + source))
                : problems.stream().map(problem -> Answer.failure(SETTINGS, problem)).toList());
  }
}

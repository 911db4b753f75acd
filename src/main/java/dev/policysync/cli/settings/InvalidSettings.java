package dev.policysync.cli.settings;

import java.util.List;

/// All problems of the settings at once, so that nobody has to fix them one run at a time.
public final class InvalidSettings extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient List<String> problems;

  /// Each problem is one sentence that names the setting and the expected value.
  public InvalidSettings(List<String> problems) {
    super(String.join("; ", problems));
    this.problems = List.copyOf(problems);
  }

  public List<String> problems() {
    return problems;
  }
}

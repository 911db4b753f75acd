package dev.policysync.cli.settings;

import java.util.List;

/// Everything that is wrong with the settings, at once: nobody should have to fix them one run at a
/// time.
public final class InvalidSettings extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient List<String> problems;

  /// With one sentence a problem, each naming the setting and what is expected of it.
  public InvalidSettings(List<String> problems) {
    super(String.join("; ", problems));
    this.problems = List.copyOf(problems);
  }

  /// The problems, in the order of the settings.
  public List<String> problems() {
    return problems;
  }
}

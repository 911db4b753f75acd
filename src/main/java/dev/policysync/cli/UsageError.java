package dev.policysync.cli;

import java.util.List;

/// The message for a person who started a command with invalid settings.
public final class UsageError {
  private UsageError() {}

  public static void print(Output err, List<String> problems) {
    err.println("policy-sync cannot start:");
    problems.forEach(problem -> err.println("  - " + problem));
    err.println("Run 'policy-sync help' for usage.");
    err.flush();
  }
}

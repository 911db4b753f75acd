package dev.policysync.cli;

import java.util.List;

/// The message about invalid settings, for the person who started the command.
public final class UsageError {
  private UsageError() {}

  public static void print(Output err, List<String> problems) {
    err.println("policy-sync cannot start:");
    problems.forEach(problem -> err.println("  - " + problem));
    err.println("Run 'policy-sync help' for usage.");
    err.flush();
  }
}

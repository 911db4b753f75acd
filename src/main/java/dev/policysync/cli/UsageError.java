package dev.policysync.cli;

import java.util.List;

/// What a person reads who started a command with wrong settings.
public final class UsageError {
  private UsageError() {}

  public static void print(Output err, List<String> problems) {
    err.println("policy-sync cannot start:");
    problems.forEach(problem -> err.println("  - " + problem));
    err.println("Run 'policy-sync help' for usage.");
    err.flush();
  }
}

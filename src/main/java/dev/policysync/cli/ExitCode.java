package dev.policysync.cli;

import dev.policysync.sync.Summary;

/// The process's exit codes, and the one place where a run becomes one of them.
public enum ExitCode {
  /// In sync, or skipped because another run is at work.
  OK(0),
  /// Something failed: the API, the cluster, or single policies.
  FAILED(1),
  /// Wrong settings or arguments.
  USAGE(2),
  /// A guard withheld something; everything else was done.
  WITHHELD(3),
  /// `--exit-code` was given and changes are pending.
  PENDING(4),
  /// Stopped by SIGTERM, after a clean stop; SIGINT gives 130, both by the JVM's own doing.
  STOPPED(143);

  private final int code;

  ExitCode(int code) {
    this.code = code;
  }

  /// The number.
  public int code() {
    return code;
  }

  public static ExitCode of(Summary summary, Invocation.Run invocation) {
    return switch (summary.status()) {
      case FAILED -> FAILED;
      case WITHHELD -> WITHHELD;
      case STOPPED -> STOPPED;
      case DONE ->
          invocation.has(CommandOption.EXIT_CODE) && summary.dryRun() && summary.changes()
              ? PENDING
              : OK;
    };
  }
}

package dev.policysync.cli;

import dev.policysync.sync.Summary;

/// The process's exit codes. Only this type maps a run to an exit code.
public enum ExitCode {
  /// The cluster is in sync, or the run was skipped because another run is active.
  OK(0),
  /// The API, the cluster or a policy failed.
  FAILED(1),
  /// Settings or arguments are invalid.
  USAGE(2),
  /// A guard withheld a write; everything else was done.
  WITHHELD(3),
  /// `--exit-code` was given and changes are pending.
  PENDING(4),
  /// SIGTERM stopped the run cleanly. SIGINT results in 130. The JVM sets both codes itself.
  STOPPED(143);

  private final int code;

  ExitCode(int code) {
    this.code = code;
  }

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

package dev.policysync.cli;

import java.util.List;

/// A command that was started, and how it ends where it does not run to its end: whatever comes
/// between, it has the last word (promise 12).
public interface RunningCommand {
  /// Says what is wrong with the settings; nothing was run.
  ExitCode refuse(List<String> problems);

  /// Sums up what does not come to its end and is about to be ended.
  ///
  /// @param why `stopped by a signal`
  void lastWord(String why);

  /// Sums up what this has ended.
  default void breakDown(Throwable thrown) {
    InternalErrorMessage.log(thrown);
    lastWord(InternalErrorMessage.reason(thrown));
  }
}

package dev.policysync.cli;

import java.util.List;

/// A running command, which may be ended early. In every case it prints a last message (promise
/// 12).
public interface RunningCommand {
  /// Prints the problems with the settings; nothing was run.
  ExitCode refuse(List<String> problems);

  /// Prints the summary of a run that did not end in time and is about to be ended.
  ///
  /// @param why `stopped by a signal`
  void printCutOff(String why);

  /// Prints the summary of a run that ended with this error.
  default void fail(Throwable thrown) {
    InternalErrorMessage.log(thrown);
    printCutOff(InternalErrorMessage.reason(thrown));
  }
}

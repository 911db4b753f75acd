package dev.policysync.survival;

import java.io.IOException;
import java.io.UncheckedIOException;

/// Signals that Java has no name for.
final class Signals {
  private Signals() {}

  /// @param name without its prefix: `STOP`
  static void send(Process process, String name) {
    try {
      var kill =
          new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).inheritIO().start();
      if (kill.waitFor() != 0) {
        throw new IllegalStateException("no process for SIG" + name);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot send SIG" + name, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }
}

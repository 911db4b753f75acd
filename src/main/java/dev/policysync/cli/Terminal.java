package dev.policysync.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// Whether a person looks at one of our streams.
public final class Terminal {
  private Terminal() {}

  public static boolean onStdout() {
    return isTerminal(1);
  }

  public static boolean onStderr() {
    return isTerminal(2);
  }

  /// The JDK tells it only for stdin and stdout together, so the descriptor itself is looked at.
  /// Where the system does not show it (outside Linux), nobody is assumed to look.
  private static boolean isTerminal(int descriptor) {
    try {
      var target = Files.readSymbolicLink(Path.of("/proc/self/fd/" + descriptor)).toString();
      return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty");
    } catch (IOException e) {
      return false;
    }
  }
}

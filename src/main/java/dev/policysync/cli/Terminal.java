package dev.policysync.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// Whether a person looks at one of our streams.
public final class Terminal {
  /// What the launcher says: the names of the streams that are terminals.
  public static final String PROPERTY = "policysync.terminals";

  private Terminal() {}

  public static boolean onStdin() {
    return isTerminal("stdin", 0);
  }

  public static boolean onStdout() {
    return isTerminal("stdout", 1);
  }

  public static boolean onStderr() {
    return isTerminal("stderr", 2);
  }

  /// The JDK tells it only for stdin and stdout together. Without a launcher, as in the image, the
  /// descriptor itself is looked at; where the system does not show it (outside Linux), nobody is
  /// assumed to look.
  private static boolean isTerminal(String stream, int descriptor) {
    var told = System.getProperty(PROPERTY);
    if (told != null) {
      return told.contains(stream);
    }
    try {
      var target = Files.readSymbolicLink(Path.of("/proc/self/fd/" + descriptor)).toString();
      return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty");
    } catch (IOException e) {
      return false;
    }
  }
}

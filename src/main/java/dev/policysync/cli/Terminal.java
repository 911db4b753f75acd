package dev.policysync.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// Detects whether a standard stream is a terminal, so that a person reads it.
public final class Terminal {
  /// The system property with the streams that are terminals, set by the launcher.
  public static final String PROPERTY = "policysync.terminals";

  /// The system property by which the launcher gives the width of the terminal on stdout.
  private static final String COLUMNS = "policysync.columns";

  private static final int USUAL_COLUMNS = 80;
  private static final int FEWEST_COLUMNS = 40;

  private Terminal() {}

  /// Returns the width of the terminal on stdout, in columns; 0 if stdout is no terminal, so that a
  /// program that reads the output gets each sentence on one line.
  public static int columns() {
    if (!onStdout()) {
      return 0;
    }
    var columns = Integer.getInteger(COLUMNS, USUAL_COLUMNS);
    return columns == 0 ? USUAL_COLUMNS : Math.max(FEWEST_COLUMNS, columns);
  }

  public static boolean onStdin() {
    return isTerminal("stdin", 0);
  }

  public static boolean onStdout() {
    return isTerminal("stdout", 1);
  }

  public static boolean onStderr() {
    return isTerminal("stderr", 2);
  }

  /// Returns whether a stream is a terminal. The JDK reports this only for stdin and stdout
  /// together. Without a launcher, as in the image, this reads the link of the file descriptor;
  /// outside Linux, which has no such link, no stream counts as a terminal.
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

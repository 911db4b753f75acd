package dev.policysync.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The message that `kubectl describe pod` shows for an ended run.
///
/// Kubernetes reads it from a file that exists only in a pod, and cuts it after 4,096 bytes
/// (`terminationMessagePath` of a container).
public final class TerminationMessage {
  /// The system property with the path of the file, for tests.
  public static final String PATH_PROPERTY = "policysync.terminationlog";

  /// The maximum length in bytes.
  public static final int LIMIT = 4_096;

  private static final Logger LOG = LoggerFactory.getLogger(TerminationMessage.class);

  private TerminationMessage() {}

  /// Writes the message if the process runs in a pod. A failure is logged and does not change the
  /// result of the run.
  public static void write(byte[] text) {
    var file = Path.of(System.getProperty(PATH_PROPERTY, "/dev/termination-log"));
    if (!Files.isRegularFile(file)) {
      return;
    }
    try {
      Files.write(file, text);
    } catch (IOException e) {
      LOG.atWarn()
          .addKeyValue("reason", e.getClass().getSimpleName() + " at " + file)
          .log("Termination message not written");
    }
  }
}

package dev.policysync.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// What `kubectl describe pod` says of an ended run.
///
/// Kubernetes takes it from a file that is there in a pod and nowhere else, and cuts it after 4,096
/// bytes (`terminationMessagePath` of a container).
public final class TerminationMessage {
  /// Where the file is, for tests.
  public static final String PATH_PROPERTY = "policysync.terminationlog";

  /// In bytes.
  public static final int LIMIT = 4_096;

  private static final Logger LOG = LoggerFactory.getLogger(TerminationMessage.class);

  private TerminationMessage() {}

  /// Leaves it behind, where this is a pod. Whether that works changes nothing about the run.
  public static void leave(byte[] text) {
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

package dev.policysync.cli;

import dev.policysync.base.HeapBudget;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Describes an internal error by the place where it happened. Messages of unexpected exceptions
/// are left out, because a library's message may quote a policy or a header.
public final class InternalErrorMessage {
  private static final Logger LOG = LoggerFactory.getLogger(InternalErrorMessage.class);
  private static final int FRAMES = 12;

  private InternalErrorMessage() {}

  /// Logs the error for a bug report.
  public static void log(Throwable thrown) {
    LOG.atError().addKeyValue("reason", trace(thrown)).log("Internal error, please report it");
  }

  /// Returns the reason for the summary. The message of an `IllegalStateException` is included,
  /// because it is our own text.
  public static String reason(Throwable thrown) {
    if (isOutOfMemory(thrown)) {
      return outOfMemory();
    }
    var what =
        thrown instanceof IllegalStateException
            ? thrown.getMessage()
            : thrown.getClass().getSimpleName();
    return "internal error in policy-sync: " + what;
  }

  /// Returns whether lack of memory caused the error, which is not a defect of the program.
  public static boolean isOutOfMemory(Throwable thrown) {
    for (var cause = thrown; cause != null; cause = cause.getCause()) {
      if (cause instanceof OutOfMemoryError) {
        return true;
      }
    }
    return false;
  }

  /// Returns the reason for the summary of a run that had too little memory.
  public static String outOfMemory() {
    var heapBudget = HeapBudget.ofThisProcess();
    return "out of memory: the heap is limited to "
        + heapBudget
        + "; "
        + heapBudget.adviceToDouble();
  }

  private static String trace(Throwable thrown) {
    var frames =
        Arrays.stream(thrown.getStackTrace())
            .limit(FRAMES)
            .map(StackTraceElement::toString)
            .collect(Collectors.joining(", "));
    var cause = thrown.getCause();
    return thrown.getClass().getName()
        + " at "
        + frames
        + (cause == null ? "" : "; caused by " + trace(cause));
  }
}

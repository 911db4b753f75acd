package dev.policysync.cli;

import dev.policysync.base.HeapBudget;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// What happened although nothing can: told by where it happened. The messages of exceptions that
/// nobody expected stay out, because a library's may quote a policy or a header.
public final class InternalErrorMessage {
  private static final Logger LOG = LoggerFactory.getLogger(InternalErrorMessage.class);
  private static final int FRAMES = 12;

  private InternalErrorMessage() {}

  /// Logs it for whoever is to mend it.
  public static void log(Throwable thrown) {
    LOG.atError().addKeyValue("reason", trace(thrown)).log("Internal error, please report it");
  }

  /// The same for the summary. An `IllegalStateException` names what is wrong in our own words.
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

  /// Whether that is what it comes from: no defect, and nothing to be mended in the program.
  public static boolean isOutOfMemory(Throwable thrown) {
    for (var cause = thrown; cause != null; cause = cause.getCause()) {
      if (cause instanceof OutOfMemoryError) {
        return true;
      }
    }
    return false;
  }

  /// What a run says that had too little memory.
  public static String outOfMemory() {
    var heapBudget = HeapBudget.ofThisProcess();
    return "out of memory: the heap is limited to " + heapBudget + "; " + heapBudget.doubled();
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

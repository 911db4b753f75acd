package dev.policysync.cli.sync;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.policysync.sync.RunId;
import dev.policysync.sync.Summary;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// What `kubectl describe pod` says of an ended run: its counts, and what is wrong, the most
/// pressing first.
///
/// Kubernetes takes it from a file that is there in a pod and nowhere else, and cuts it after 4,096
/// bytes (`terminationMessagePath` of a container).
public final class TerminationMessage {
  /// Where the file is, for tests.
  static final String PATH_PROPERTY = "policysync.terminationlog";

  private static final Logger LOG = LoggerFactory.getLogger(TerminationMessage.class);

  private static final int LIMIT = 4_096;
  private static final String MORE = "…\n";

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

  static String text(Summary summary, RunId run) {
    var text = new StringBuilder(SummaryText.line(summary)).append(", run ").append(run);
    var left = LIMIT - MORE.getBytes(UTF_8).length;
    left -= text.append('\n').toString().getBytes(UTF_8).length;
    for (var line : (Iterable<String>) lines(summary)::iterator) {
      var whole = line + "\n";
      left -= whole.getBytes(UTF_8).length;
      if (left < 0) {
        return text.append(MORE).toString();
      }
      text.append(whole);
    }
    return text.toString();
  }

  private static Stream<String> lines(Summary summary) {
    return Stream.of(
            summary.failed().stream()
                .map(problem ->
                    problem.label().map(label -> label + ": ").orElse("") + problem.reason()),
            summary.approval().stream()
                .map(how -> "Withheld " + summary.withheld().size() + ": " + how.command()),
            summary.enforcing().stream().map(how -> "Would block more: " + how.command()),
            summary.conflicts().stream().map(note -> note.policy() + ": " + note.reason()),
            summary.notAttempted().stream()
                .map(note -> note.policy() + " not attempted: " + note.reason()),
            summary.skipped().stream(),
            summary.warnings().stream())
        .flatMap(part -> part)
        .map(line -> line.replace('\n', ' '));
  }
}

package dev.policysync.cli.sync;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.cli.Golden;
import dev.policysync.cli.TerminationMessage;
import dev.policysync.remote.http.LogLines;
import dev.policysync.sync.RunId;
import dev.policysync.sync.Summary.Problem;
import dev.policysync.sync.Summary.RunStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TerminationTextTest {
  private static final RunId RUN = new RunId("3f9a1c2e");

  @TempDir Path folder;

  @AfterEach
  void asBefore() {
    System.clearProperty(TerminationMessage.PATH_PROPERTY);
  }

  @Test
  void saysWhatIsWrong() {
    Golden.assertEqual(
        "termination-message.txt", TerminationText.write(SummaryFixtures.eventful(false), RUN));
  }

  @Test
  void staysWithinWhatKubernetesKeeps() {
    var failed =
        IntStream.range(0, 500)
            .mapToObj(i ->
                new Problem(
                    Optional.of("ClusterPolicy/größe-" + i),
                    Optional.empty(),
                    "HTTP 500, " + i,
                    true))
            .toList();

    var text =
        TerminationText.write(
            SummaryFixtures.quiet(RunStatus.FAILED, failed, Optional.empty()), RUN);

    assertThat(text.getBytes(UTF_8)).hasSizeBetween(4_000, 4_096);
    assertThat(text).startsWith("Failed: 500 failed").matches("(?s).*HTTP 500, [0-9]+\n…\n");
  }

  @Test
  void isLeftWhereAPodHasItsFile() throws IOException {
    var file = Files.createFile(folder.resolve("termination-log"));
    System.setProperty(TerminationMessage.PATH_PROPERTY, file.toString());

    TerminationMessage.write(message());

    assertThat(file).content().startsWith("In sync: ").endsWith("(0.3s), run 3f9a1c2e\n");
  }

  @Test
  void isLeftNowhereElse() {
    var file = folder.resolve("termination-log");
    System.setProperty(TerminationMessage.PATH_PROPERTY, file.toString());

    TerminationMessage.write(message());

    assertThat(file).doesNotExist();
  }

  @Test
  void isOnlyAWarningWhereItCannotBeWritten() {
    // Everybody may see this file, nobody may write it.
    var file = Path.of("/proc/version");
    System.setProperty(TerminationMessage.PATH_PROPERTY, file.toString());
    try (var log = LogLines.capture()) {

      TerminationMessage.write(message());

      assertThat(log.all())
          .singleElement()
          .asString()
          .contains("Termination message not written")
          .contains("at /proc/version");
    }
  }

  private static byte[] message() {
    return TerminationText.write(
            SummaryFixtures.quiet(RunStatus.DONE, List.of(), Optional.empty()), RUN)
        .getBytes(UTF_8);
  }
}

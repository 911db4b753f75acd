package dev.policysync.sync;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MetricsFileTest {
  private static final String RUN = "policysync_last_run_timestamp_seconds";
  private static final String SUCCESS = "policysync_last_success_timestamp_seconds";

  @TempDir Path folder;
  private Path file;

  @BeforeEach
  void name() {
    file = folder.resolve("policy-sync.prom");
  }

  @Test
  void keepsWhatARunDoesNotKnow() throws IOException {
    write(MetricFamily.of(RUN, "Run.", 100), MetricFamily.of(SUCCESS, "Success.", 100));

    write(MetricFamily.of(RUN, "Run.", 200));

    assertThat(Files.readString(file))
        .isEqualTo(
            """
            # HELP policysync_last_run_timestamp_seconds Run.
            # TYPE policysync_last_run_timestamp_seconds gauge
            policysync_last_run_timestamp_seconds{cluster="prod-1"} 200
            # HELP policysync_last_success_timestamp_seconds Success.
            # TYPE policysync_last_success_timestamp_seconds gauge
            policysync_last_success_timestamp_seconds{cluster="prod-1"} 100
            """);
  }

  @Test
  void leavesNothingBesideIt() throws IOException {
    write(MetricFamily.of(RUN, "Run.", 100));
    write(MetricFamily.of(RUN, "Run.", 200));

    try (var files = Files.list(folder)) {
      assertThat(files).containsExactly(file);
    }
  }

  /// A collector that has it open goes on reading the whole old one.
  @Test
  void replacesTheFileAndDoesNotWriteIntoIt() throws IOException {
    write(MetricFamily.of(RUN, "Run.", 100));
    try (var reader = Files.newBufferedReader(file)) {
      write(MetricFamily.of(RUN, "Run.", 200));

      assertThat(reader.lines()).last().asString().endsWith(" 100");
    }
    assertThat(file).content().endsWith(" 200\n");
  }

  @Test
  void dropsWhatIsNoMetric() throws IOException {
    Files.write(file, new byte[] {'x', '\n', (byte) 0xff, '\n'});

    write(MetricFamily.of(RUN, "Run.", 200));

    assertThat(file).content().startsWith("# HELP").endsWith(" 200\n");
  }

  @Test
  void saysWhyItCannotBeWritten() {
    var nowhere = folder.resolve("missing").resolve("policy-sync.prom");

    assertThat(new MetricsFile(nowhere).write(text(MetricFamily.of(RUN, "Run.", 1))))
        .hasValueSatisfying(why -> assertThat(why).startsWith("cannot write " + nowhere + ": "));
  }

  private void write(MetricFamily... families) {
    assertThat(new MetricsFile(file).write(text(families))).isEmpty();
  }

  private static MetricsText text(MetricFamily... families) {
    return new MetricsText(List.of(families), Map.of("cluster", "prod-1"));
  }
}

package dev.policysync.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.base.Value;
import dev.policysync.harness.ManyReports;
import dev.policysync.testcluster.Documents;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// However many reports there are, they are folded in the same memory. The whole program runs, as a
/// pod starts it, against an API server that has far more than would fit.
class FlatMemoryTest {
  /// A third of the heap that the program ships with, and less than a tenth of what the reports
  /// are.
  private static final String HEAP = "-Xmx40m";

  /// Findings of a report of a hundred megabytes, with messages as long as some are.
  private static final int EARLIER = 150_000;

  private static final String MESSAGE = "validation error: ".repeat(36);

  @TempDir private Path folder;

  @Test
  void foldsAHundredThousandReportsInAHeapThatHoldsAFractionOfThem() throws Exception {
    try (var server = new ManyReports(100_000, 6)) {
      var summary = run(server);

      assertThat(summary.text("msg")).contains("Policy report completed");
      assertThat(summary.fields().get("findings"))
          .isEqualTo(new Value.Numeric(Integer.toString(server.findings())));
      assertThat(summary.mapping("results").fields().get("pass"))
          .isEqualTo(new Value.Numeric(Integer.toString(server.counted() - server.findings())));
      assertThat(summary.mapping("reports").fields().get("PolicyReport.wgpolicyk8s.io"))
          .isEqualTo(new Value.Numeric("100000"));
      assertThat(folder.resolve("kyverno.json")).isNotEmptyFile();
    }
  }

  @Test
  void comparesWithAnEarlierReportOfAHundredMegabytesInTheSameHeap() throws Exception {
    var earlier = folder.resolve("earlier.json");
    try (var out = Files.newBufferedWriter(earlier)) {
      out.write("{\"at\":\"2026-11-20T19:40:07Z\",\"findings\":[");
      for (var i = 0; i < EARLIER; i++) {
        out.write(
            "%s{\"policy\":\"p\",\"source\":\"kyverno\",\"uid\":\"u-%d\",\"message\":\"%s\"}"
                .formatted(i == 0 ? "" : ",", i, MESSAGE));
      }
      out.write("]}");
    }
    assertThat(Files.size(earlier)).isGreaterThan(100_000_000);
    try (var server = new ManyReports(4_000, 6)) {
      var stdout = report(server, "--since=" + earlier, "-o", "json");

      try (var written = Files.newBufferedReader(stdout)) {
        var head = new char[2_000];
        assertThat(written.read(head)).isEqualTo(head.length);
        assertThat(new String(head))
            .contains(
                "\"since\":{\"at\":\"2026-11-20T19:40:07Z\",\"new\":%d,\"gone\":%d}"
                    .formatted(server.findings(), EARLIER));
      }
    }
  }

  private Value.Mapping run(ManyReports server) throws IOException, InterruptedException {
    var stdout = report(server, "--output-file=" + folder.resolve("kyverno.json"));
    return Documents.json(Files.readAllLines(stdout).getLast());
  }

  /// @return the file that has its stdout
  private Path report(ManyReports server, String... arguments)
      throws IOException, InterruptedException {
    var account = folder.resolve("serviceaccount");
    server.writeServiceAccount(account);
    var command =
        new ArrayList<>(
            List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
    command.add("@" + Path.of("dev", "dist", "java.options"));
    command.add(HEAP);
    command.add("-Dpolicysync.serviceaccount=" + account);
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.addAll(List.of("dev.policysync.app.Main", "report"));
    command.addAll(List.of(arguments));
    var stdout = folder.resolve("stdout");
    var process =
        new ProcessBuilder(command)
            .redirectOutput(stdout.toFile())
            .redirectError(folder.resolve("stderr").toFile());
    process.environment().clear();
    process.environment().putAll(server.environment());
    process.environment().put("TMPDIR", folder.toString());
    var exit = process.start().waitFor();
    assertThat(exit).as(Files.readString(folder.resolve("stderr"))).isZero();
    return stdout;
  }
}

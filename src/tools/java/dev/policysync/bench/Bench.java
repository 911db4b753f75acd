package dev.policysync.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.policysync.testcluster.ClusterAssets;
import dev.policysync.testcluster.TestCluster;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// Measures the built program against a real API server, and with a real Kyverno: `make bench`.
final class Bench {
  private final ScenarioSelection scenarioSelection;
  private final Path folder;
  private final GnuTime time;
  private final Optional<PodLimits> limits;
  private volatile boolean ending;

  private Bench(ScenarioSelection scenarioSelection, Path folder) {
    this.scenarioSelection = scenarioSelection;
    this.folder = folder;
    this.time = new GnuTime(folder);
    this.limits = PodLimits.in(Path.of("/sys/fs/cgroup"));
    // Ctrl-C ends it as often as its own end does.
    Runtime.getRuntime().addShutdownHook(new Thread(this::leaveNothing, "bench-end"));
  }

  /// Prints the tables; a run of everything also writes the page.
  ///
  /// @param args `--kyverno` or `--growth`, `--only=noop-100,first-100` and `--repetitions=1`, or
  ///   nothing
  public static void main(String[] args) throws IOException, InterruptedException {
    var scenarioSelection = ScenarioSelection.of(List.of(args));
    var bench = new Bench(scenarioSelection, Files.createTempDirectory("policy-sync-bench-"));
    try {
      bench.run();
    } catch (IOException | RuntimeException | AssertionError e) {
      // What Ctrl-C ends in the middle fails, which is nothing to report.
      if (!bench.ending) {
        throw e;
      }
    }
  }

  private void run() throws IOException, InterruptedException {
    var out = new PrintStream(System.out, true, UTF_8);
    var loadBefore = Machine.load();
    var policies = ExamplePolicies.from(Path.of("examples", "policies"));
    try (var cluster = TestCluster.start(ClusterAssets.find());
        var api = new FeedServer();
        var stage = new Stage(cluster, api, policies, time, limits, folder)) {
      api.warmUp();
      var results = new ArrayList<Result>();
      for (var scenario : scenarioSelection.scenarios()) {
        BenchProgress.begin(scenario);
        results.add(stage.measure(scenario, scenarioSelection.repetitions(scenario)));
        BenchProgress.end();
      }
      var page =
          new Page(
              scenarioSelection.suite(),
              LocalDate.now(ZoneOffset.UTC).toString(),
              Machine.description(),
              loadBefore + ", " + Machine.load(),
              stage.versions(),
              results,
              Fleet.table(policies, List.of(100, 1_000, 5_000)));
      if (scenarioSelection.everything()) {
        out.print(page.text());
        Files.writeString(scenarioSelection.suite().page(), page.text());
        BenchProgress.say("written to " + scenarioSelection.suite().page());
      } else {
        out.println(page.tables());
      }
    }
  }

  private void leaveNothing() {
    ending = true;
    time.kill();
    limits.ifPresent(PodLimits::close);
    try (Stream<Path> files = Files.walk(folder)) {
      for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot remove " + folder, e);
    }
  }
}

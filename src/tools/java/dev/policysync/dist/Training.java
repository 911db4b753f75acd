package dev.policysync.dist;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.policysync.testcluster.Documents;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// Runs as in a pod, recorded by the JVM: a sync with all that one without changes does, every
/// example policy for the first time and one of each other write, and a report. They are started as
/// they will be later, because a cache fits only the Java, the flags and the class path that it was
/// made with.
///
/// Recorded are classes, not which methods got compiled: a later run would compile them all at its
/// start, and one without changes needs few of them.
///
/// They must report exactly what was prepared for them: a run that failed half-way would leave a
/// cache that is worth little, and nobody would see it.
final class Training {
  private static final Path POLICIES = Path.of("examples", "policies");
  private static final String NOTHING = "Applied 0, Updated 0, Removed 0, Failed 0";
  private static final String EACH_WRITE = ", Updated 1, Removed 1, Failed 0";

  private final Program program;
  private final Path folder;
  private final StandIn servers;

  private Training(Program program, Path folder, StandIn servers) {
    this.program = program;
    this.folder = folder;
    this.servers = servers;
  }

  /// Runs that program and returns what the JVM has learnt, a file in `folder`.
  static Path of(Program program, Path folder) throws IOException, InterruptedException {
    try (var servers = new StandIn()) {
      servers.writeServiceAccount(folder.resolve("serviceaccount"));
      return new Training(program, folder, servers).cache();
    }
  }

  private Path cache() throws IOException, InterruptedException {
    servers.expects(policy("changes", "Audit") + "---\n" + policy("leaves", "Audit"));
    run(List.of(), folder.resolve("first"), List.of("Applied 2, Updated 0, Removed 0, Failed 0"));
    servers.expects(policy("changes", "Enforce") + "---\n" + examples());
    servers.forgetLease();
    run(
        List.of(
            "-XX:+UnlockDiagnosticVMOptions",
            "-XX:-AOTRecordTraining",
            "-XX:AOTCacheOutput=policy-sync.aot",
            "-classpath",
            program.jar().toString(),
            "dev.policysync.app.TrainingRun"),
        folder.resolve("recorded"),
        List.of(EACH_WRITE, servers.reported(), servers.reported()));
    var cache = folder.resolve("policy-sync.aot");
    if (!Files.isRegularFile(cache)) {
      throw new IllegalStateException("the JVM made no cache of its run");
    }
    var cached = List.of("-XX:AOTMode=on", "-XX:AOTCache=policy-sync.aot");
    // A policy that begins to block comes a run later than its exception.
    run(cached, folder.resolve("later"), List.of("Applied 1, Updated 0, Removed 0, Failed 0"));
    run(cached, folder.resolve("cached"), List.of(NOTHING));
    return cache;
  }

  /// Names are relative to its folder, since a launcher splits the options at spaces.
  private void run(List<String> options, Path output, List<String> expected)
      throws IOException, InterruptedException {
    var all =
        Stream.concat(Stream.of("-Dpolicysync.serviceaccount=serviceaccount"), options.stream());
    var builder = program.start().apply(all.toList()).directory(folder.toFile());
    builder.environment().putAll(servers.environment());
    builder.redirectErrorStream(true).redirectOutput(output.toFile());
    var process = builder.start();
    if (!process.waitFor(3, TimeUnit.MINUTES)) {
      process.destroyForcibly().waitFor();
    }
    var said = Files.readString(output);
    var summaries = summaries(said);
    if (process.exitValue() != 0
        || summaries.size() != expected.size()
        || !IntStream.range(0, expected.size())
            .allMatch(i -> summaries.get(i).endsWith(expected.get(i)))) {
      throw new IllegalStateException(
          "a run that the class cache is made from went wrong: exit code "
              + process.exitValue()
              + ", expected "
              + expected
              + ", and it said:\n"
              + said);
    }
  }

  private static List<String> summaries(String output) {
    return output
        .lines()
        .filter(line -> line.startsWith("{"))
        .flatMap(line -> Documents.json(line).text("summary").stream())
        .toList();
  }

  /// The example policies, which have every kind that people use.
  private static String examples() throws IOException {
    try (Stream<Path> files = Files.list(POLICIES)) {
      return String.join(
          "\n---\n", files.filter(Training::isManifest).sorted().map(Training::text).toList());
    }
  }

  private static boolean isManifest(Path file) {
    return file.toString().endsWith(".yaml");
  }

  private static String text(Path file) {
    try {
      return Files.readString(file, UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + file, e);
    }
  }

  private static String policy(String name, String action) {
    return """
    apiVersion: kyverno.io/v1
    kind: ClusterPolicy
    metadata:
      name: %s
    spec:
      rules:
        - name: has-team
          match: {any: [{resources: {kinds: [Pod]}}]}
          validate: {failureAction: %s, message: set the label team, deny: {}}
    """
        .formatted(name, action);
  }
}

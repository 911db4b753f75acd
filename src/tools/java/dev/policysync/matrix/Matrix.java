package dev.policysync.matrix;

import dev.policysync.testcluster.ClusterAssets;
import dev.policysync.testcluster.Kyverno;
import dev.policysync.testcluster.KyvernoAssets;
import dev.policysync.testcluster.Preparation;
import dev.policysync.testcluster.TestCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/// Runs the agent with every pinned Kubernetes and Kyverno, and writes what came of it into
/// `docs/compatibility.md`: `make matrix`. Where anything does not hold, it says so, ends with exit
/// code 1, and leaves the page as it was.
final class Matrix {
  private static final Path PINS = Path.of("dev", "cluster", "matrix");
  private static final Path PAGE = Path.of("docs", "compatibility.md");

  private final CompatibilityTables tables = new CompatibilityTables();
  private final List<String> failures = new ArrayList<>();
  private final String only;

  private Matrix(String only) {
    this.only = only;
  }

  /// Runs them all, or a part of them.
  ///
  /// @param args nothing, or what the name of a pair has to contain for it to be run, as in
  ///   `Kubernetes 1.33`; the page is then not written
  public static void main(String[] args) throws IOException {
    var matrix = new Matrix(String.join(" ", args));
    matrix.runAll();
    matrix.failures.forEach(System.err::println);
    if (!matrix.failures.isEmpty()) {
      System.exit(1);
    }
    if (args.length == 0) {
      Files.writeString(PAGE, matrix.tables.into(Files.readString(PAGE)));
      System.out.println("Written: " + PAGE);
    }
  }

  private void runAll() throws IOException {
    for (var minor : pinned("kubernetes-")) {
      runAll(Optional.of(minor));
    }
    runAll(Optional.empty());
  }

  private void runAll(Optional<String> kubernetes) throws IOException {
    var running = pinned("kyverno-");
    for (var release : KyvernoRelease.all()) {
      run(kubernetes, release, false);
      if (running.contains(release.minor())) {
        run(kubernetes, release, true);
      }
    }
  }

  /// @param kubernetes a pinned minor, or nothing for what each build runs with
  private void run(Optional<String> kubernetes, KyvernoRelease release, boolean running)
      throws IOException {
    var name =
        "Kubernetes %s, %s %s"
            .formatted(
                kubernetes.orElse("of each build"),
                running ? "running Kyverno" : "custom resources of Kyverno",
                release.version());
    if (!name.contains(only)) {
      return;
    }
    var folder = Files.createTempDirectory("policy-sync-matrix");
    try (var cluster =
        TestCluster.start(release.assets(programs(kubernetes, folder), folder.resolve("assets")))) {
      if (!running) {
        play(name, cluster, release, folder, false);
        return;
      }
      var kyverno = new KyvernoAssets(prepared("kyverno-" + release.minor()));
      try (var _ = Kyverno.start(cluster, kyverno)) {
        play(name, cluster, release, folder, true);
      }
    } catch (RuntimeException e) {
      System.out.println(name + ": failed");
      failures.add(name + ": " + e);
    } finally {
      delete(folder);
    }
  }

  private void play(
      String name, TestCluster cluster, KyvernoRelease release, Path folder, boolean running)
      throws IOException {
    try (var run = new CompatibilityRun(cluster, release, folder.resolve("pod"), running)) {
      var found = run.play();
      tables.add(found, release, running);
      System.out.println(name + " (" + found.kubernetes() + "): " + found.share());
    }
  }

  /// An older API server has the etcd and the kubectl of each build.
  private static Path programs(Optional<String> kubernetes, Path folder) throws IOException {
    var usual = ClusterAssets.find().folder().resolve("bin");
    if (kubernetes.isEmpty()) {
      return usual;
    }
    var older = prepared("kubernetes-" + kubernetes.get()).resolve("bin/kube-apiserver");
    var programs = Files.createDirectory(folder.resolve("programs"));
    for (var program : List.of("etcd", "kubectl")) {
      Files.createSymbolicLink(programs.resolve(program), usual.resolve(program));
    }
    Files.createSymbolicLink(programs.resolve("kube-apiserver"), older);
    return programs;
  }

  private static Path prepared(String pin) {
    return Preparation.printed("build", "matrix/" + pin);
  }

  /// The minors that folders of that prefix pin, by number: `1.33`.
  static List<String> pinned(String prefix) throws IOException {
    try (Stream<Path> folders = Files.list(PINS)) {
      var minors = new TreeMap<Integer, String>();
      folders
          .map(folder -> folder.getFileName().toString())
          .filter(name -> name.startsWith(prefix))
          .map(name -> name.substring(prefix.length()))
          .forEach(minor -> minors.put(Integer.valueOf(minor.substring(2)), minor));
      return List.copyOf(minors.values());
    }
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}

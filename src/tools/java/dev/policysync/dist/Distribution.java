package dev.policysync.dist;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.stream.Stream;

/// What people, the image and the tests of the whole program run, put together in `target/dist`:
///
/// ```
/// bin/policy-sync   the launcher
/// java.options      Java's flags
/// policy-sync.jar
/// lib/*.jar
/// policy-sync.aot   classes as a training run left them
/// ```
///
/// The phase `package` calls it every time; it works only if something in it has changed, since a
/// training takes as long as a test.
final class Distribution {
  private static final Path LAUNCHER = Path.of("dev", "dist", "policy-sync");
  private static final Path OPTIONS = Path.of("dev", "dist", "java.options");
  private static final Path SOURCES = Path.of("src", "tools", "java", "dev", "policysync", "dist");

  private final Path target;
  private final Path dist;
  private final Path next;
  private final Path stamp;

  private Distribution(Path target) {
    this.target = target;
    this.dist = target.resolve("dist");
    this.next = target.resolve("dist.next");
    this.stamp = target.resolve("dist.sha256");
  }

  /// Runs in the project's folder, after the jar and its libraries are there.
  public static void main(String[] args) throws IOException, InterruptedException {
    new Distribution(Path.of("target")).make();
  }

  private void make() throws IOException, InterruptedException {
    var ingredients = digest();
    if (Files.exists(dist) && Files.exists(stamp) && Files.readString(stamp).equals(ingredients)) {
      return;
    }
    // Put in place as a whole: what a failed training leaves is no distribution.
    delete(next);
    Files.createDirectories(next.resolve("bin"));
    Files.createDirectories(next.resolve("lib"));
    var launcher = Files.copy(LAUNCHER, next.resolve("bin").resolve("policy-sync"));
    Files.copy(OPTIONS, next.resolve("java.options"));
    for (var jar : jars()) {
      Files.copy(jar, next.resolve(target.relativize(jar)));
    }
    var training = Files.createTempDirectory("policy-sync-training");
    try {
      Files.move(
          Training.of(
              new Program(
                  next.resolve("policy-sync.jar").toAbsolutePath(),
                  options -> byLauncher(launcher.toAbsolutePath(), options)),
              training),
          next.resolve("policy-sync.aot"));
    } finally {
      delete(training);
    }
    Files.deleteIfExists(stamp);
    delete(dist);
    Files.move(next, dist);
    Files.writeString(stamp, ingredients);
  }

  private static ProcessBuilder byLauncher(Path launcher, List<String> javaOptions) {
    var builder = new ProcessBuilder(launcher.toString());
    builder.environment().clear();
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder.environment().put("POLICY_SYNC_JAVA_OPTIONS", String.join(" ", javaOptions));
    return builder;
  }

  /// The program and what its manifest names: `target/lib` may hold libraries of former builds too.
  private List<Path> jars() throws IOException {
    var program = target.resolve("policy-sync.jar");
    var jars = new ArrayList<>(List.of(program));
    try (var jar = new JarFile(program.toFile())) {
      var libraries = jar.getManifest().getMainAttributes().getValue(Attributes.Name.CLASS_PATH);
      for (var library : libraries.split(" ", -1)) {
        jars.add(target.resolve(library));
      }
    }
    return jars;
  }

  /// Everything that the result depends on: the jars, the launcher, the flags, the Java that
  /// trains, and what it is trained with.
  private String digest() throws IOException {
    var files = jars();
    files.addAll(List.of(LAUNCHER, OPTIONS));
    files.addAll(files(Path.of("examples", "policies")));
    files.addAll(files(SOURCES));
    var digest = sha256();
    digest.update((System.getProperty("java.home") + Runtime.version()).getBytes(UTF_8));
    for (var file : files) {
      digest.update((file + "\n" + Files.size(file) + "\n").getBytes(UTF_8));
      digest.update(Files.readAllBytes(file));
    }
    return HexFormat.of().formatHex(digest.digest());
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("SHA-256 is not available", e);
    }
  }

  private static List<Path> files(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(Files::isRegularFile).sorted().toList();
    }
  }

  private static void delete(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      return;
    }
    try (Stream<Path> files = Files.walk(folder)) {
      for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}

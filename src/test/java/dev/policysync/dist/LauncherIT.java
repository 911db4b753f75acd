package dev.policysync.dist;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.remote.http.RawServer;
import dev.policysync.testcluster.TimeLimits;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The launcher as it is handed over, in real processes.
class LauncherIT {
  private static final Path DIST = Path.of("target", "dist").toAbsolutePath();
  private static final Path LAUNCHER = DIST.resolve(Path.of("bin", "policy-sync"));
  private static final Path JAVA = Path.of(System.getProperty("java.home"));
  private static final String OPTIONS = "POLICY_SYNC_JAVA_OPTIONS";
  private static final String VERSION = "policy-sync " + versionOfTheJar() + "\n";

  /// The JVM does not start if it cannot use its cache.
  private static final String ONLY_WITH_CACHE = "-XX:AOTMode=on";

  @TempDir Path folder;

  private final Map<String, String> environment = new HashMap<>();

  private record Ended(int exitCode, String stdout, String stderr) {}

  @BeforeEach
  void givesJavaHome() {
    environment.put("JAVA_HOME", JAVA.toString());
  }

  @Test
  void runsByALinkToALinkFromAnotherFolder() throws Exception {
    Files.createDirectories(folder.resolve("opt"));
    Files.createSymbolicLink(folder.resolve(Path.of("opt", "absolute")), LAUNCHER);
    var link =
        Files.createSymbolicLink(folder.resolve("policy-sync"), Path.of("opt").resolve("absolute"));

    var ended = run(link, "--version");

    assertThat(ended).isEqualTo(new Ended(0, VERSION, ""));
  }

  @Test
  void runsFromTheFoldersOnPath() throws Exception {
    environment.put("PATH", DIST.resolve("bin") + ":/usr/bin:/bin");

    var ended = run(Path.of("/usr/bin/env"), "policy-sync", "--version");

    assertThat(ended).isEqualTo(new Ended(0, VERSION, ""));
  }

  @Test
  void keepsItsCacheInAnotherFolderWithSpacesInItsName() throws Exception {
    var moved = folder.resolve("Program Files").resolve("policy sync");
    copy(DIST, moved);
    environment.put(OPTIONS, ONLY_WITH_CACHE);

    var ended = run(moved.resolve(Path.of("bin", "policy-sync")), "--version");

    assertThat(ended).isEqualTo(new Ended(0, VERSION, ""));
  }

  @Test
  void takesTheProgramsClassesFromTheCache() throws Exception {
    var log = folder.resolve("classes.log");
    environment.put(OPTIONS, ONLY_WITH_CACHE + " -Xlog:class+load:file=" + log);

    var ended = run(LAUNCHER, "--version");

    assertThat(ended.exitCode()).isZero();
    assertThat(Files.readAllLines(log))
        .filteredOn(line -> line.contains(" dev.policysync.plan.Planner "))
        .singleElement()
        .asString()
        .contains("source: shared objects file");
  }

  @Test
  void runsWithoutACache() throws Exception {
    var launcher = distributionWithoutCache();

    assertThat(run(launcher, "--version")).isEqualTo(new Ended(0, VERSION, ""));
  }

  @Test
  void runsWithACacheThatIsNone() throws Exception {
    var launcher = distributionWithoutCache();
    Files.writeString(folder.resolve("policy-sync.aot"), "none");

    assertThat(run(launcher, "--version")).isEqualTo(new Ended(0, VERSION, ""));
  }

  @Test
  void runsWithACacheThatWasMadeWithOtherFlags() throws Exception {
    environment.put(OPTIONS, "-XX:-UseCompressedOops");

    assertThat(run(LAUNCHER, "--version")).isEqualTo(new Ended(0, VERSION, ""));
  }

  @Test
  void leavesACacheAloneThatIsOlderThanTheJar() throws Exception {
    var launcher = distributionWithoutCache();
    Files.copy(
        DIST.resolve("policy-sync.aot"),
        folder.resolve("policy-sync.aot"),
        StandardCopyOption.COPY_ATTRIBUTES);
    environment.put(OPTIONS, "-Xlog:class+load:file=" + folder.resolve("classes.log"));

    var ended = run(launcher, "--version");

    assertThat(ended).isEqualTo(new Ended(0, VERSION, ""));
    assertThat(Files.readString(folder.resolve("classes.log")))
        .containsPattern("dev.policysync.app.Main source: file:.*policy-sync.jar");
  }

  @Test
  void findsAnInstalledJavaWhereTheOthersAreTooOld() throws Exception {
    var installed = Files.createDirectories(folder.resolve("jvm"));
    fakeJava(installed.resolve("java-21"), "21.0.9");
    Files.createSymbolicLink(installed.resolve("temurin-25"), JAVA);
    environment.put("JAVA_HOME", fakeJava(folder.resolve("old"), "17.0.15").toString());
    environment.put("PATH", fakeJava(folder.resolve("older"), "1.8.0_472") + "/bin:/usr/bin:/bin");

    var ended = run(launcherThatLooksIn(installed), "--version");

    assertThat(ended).isEqualTo(new Ended(0, VERSION, ""));
  }

  @Test
  void findsTheJavaThatALinkOnPathMeans() throws Exception {
    environment.remove("JAVA_HOME");
    var links = Files.createDirectories(folder.resolve("links"));
    Files.createSymbolicLink(links.resolve("java"), JAVA.resolve(Path.of("bin", "java")));
    environment.put("PATH", links + ":/usr/bin:/bin");

    var ended = run(launcherThatLooksIn(folder.resolve("none")), "--version");

    assertThat(ended).isEqualTo(new Ended(0, VERSION, ""));
  }

  @Test
  void saysWhatItTriedWhereThereIsNoJava() throws Exception {
    var installed = Files.createDirectories(folder.resolve("jvm"));
    fakeJava(installed.resolve("java-21"), "21.0.9");
    environment.put("JAVA_HOME", folder.resolve("gone").toString());
    environment.put("PATH", fakeJava(folder.resolve("old"), "17.0.15") + "/bin:/usr/bin:/bin");

    var ended = run(launcherThatLooksIn(installed), "--version");

    assertThat(ended.exitCode()).isEqualTo(2);
    assertThat(ended.stdout()).isEmpty();
    assertThat(ended.stderr().replace(folder.toString(), "…"))
        .isEqualTo(
            """
            policy-sync cannot start, because it needs Java 25 or newer:
              - JAVA_HOME: there is no …/gone/bin/java
              - java on PATH: …/old is Java 17.0.15
              - installed: …/jvm/java-21 is Java 21.0.9
            Install one (Debian, Ubuntu: temurin-25-jre from adoptium.net; macOS: brew install
            temurin@25; SDKMAN: sdk install java 25-tem), or set JAVA_HOME to the folder of one.
            """);
  }

  @Test
  void passesOnArgumentsAndTheExitCode() throws Exception {
    var ended = run(LAUNCHER, "sync", "-o", "text", "--log-level", "* *");

    assertThat(ended.exitCode()).isEqualTo(2);
    assertThat(ended.stderr()).contains("LOG_LEVEL (--log-level) is \"* *\"; expected");
  }

  @Test
  void passesOnSignals() throws Exception {
    var account = Files.createDirectories(folder.resolve("serviceaccount"));
    try (var servers = new StandIn();
        var silent = RawServer.silent()) {
      servers.writeServiceAccount(account);
      environment.putAll(servers.environment());
      environment.put("FAIRWINDS_INSIGHTS_HOST", silent.url());
      environment.put(OPTIONS, "-Dpolicysync.serviceaccount=" + account);
      var process = start(LAUNCHER);
      Awaitility.await("the run to wait for the feed")
          .atMost(TimeLimits.WAIT)
          .until(() -> !silent.requests().isEmpty());

      process.toHandle().destroy();

      var ended = ended(process);
      assertThat(ended.exitCode()).as(ended.toString()).isEqualTo(143);
      assertThat(ended.stdout()).contains("\"msg\":\"Policy sync failed\"");
    }
  }

  @Test
  void letsPeoplesOptionsWinAndKeepsStdoutForResults() throws Exception {
    environment.put(OPTIONS, "-Xmx96m -XX:+PrintFlagsFinal");

    var ended = run(LAUNCHER, "--version");

    assertThat(ended.stdout()).isEqualTo(VERSION);
    assertThat(ended.stderr())
        .containsPattern("MaxHeapSize += 100663296 ")
        .containsPattern("UseSerialGC += true ");
  }

  /// As on macOS, where Java has no /proc to look at.
  @Test
  void isColouredAtATerminalAndNowhereElse() throws Exception {
    environment.put("PATH", "/usr/bin:/bin");
    var lint = LAUNCHER + " lint " + Path.of("src/test/resources/lint/PS001").toAbsolutePath();

    var seen = run(Path.of("/usr/bin/script"), "-qec", lint, "/dev/null");
    var piped = run(Path.of("/usr/bin/script"), "-qec", lint + " | cat", "/dev/null");

    assertThat(seen.stdout()).contains("\u001b[");
    assertThat(piped.stdout()).contains("PS001").doesNotContain("\u001b[");
  }

  private static String versionOfTheJar() {
    try (var jar = new JarFile(DIST.resolve("policy-sync.jar").toFile())) {
      return jar.getManifest().getMainAttributes().getValue(Attributes.Name.IMPLEMENTATION_VERSION);
    } catch (IOException e) {
      throw new UncheckedIOException("target/dist is not built; make test does that first", e);
    }
  }

  /// A copy of the launcher that looks for installed Javas there: those of this machine would spoil
  /// the test.
  private Path launcherThatLooksIn(Path installed) throws IOException {
    var launcher = distributionWithoutCache();
    var text = Files.readString(launcher);
    assertThat(text).contains("/usr/lib/jvm/*", "/usr/libexec/java_home");
    Files.writeString(
        launcher,
        text.replace("/usr/lib/jvm/*", installed + "/*")
            .replace("/usr/libexec/java_home", folder + "/no-java_home"));
    return launcher;
  }

  private Path distributionWithoutCache() throws IOException {
    Files.createSymbolicLink(folder.resolve("lib"), DIST.resolve("lib"));
    for (var file : List.of("policy-sync.jar", "java.options")) {
      Files.copy(DIST.resolve(file), folder.resolve(file));
    }
    Files.createDirectory(folder.resolve("bin"));
    return Files.copy(LAUNCHER, folder.resolve("bin").resolve("policy-sync"));
  }

  /// A folder that looks like a Java of that version; it cannot be started.
  private static Path fakeJava(Path home, String version) throws IOException {
    Files.createDirectories(home.resolve("bin"));
    var java = Files.writeString(home.resolve(Path.of("bin", "java")), "#!/bin/sh\nexit 99\n");
    assertThat(java.toFile().setExecutable(true)).isTrue();
    Files.writeString(
        home.resolve("release"),
        "IMPLEMENTOR=\"nobody\"\nJAVA_VERSION=\"" + version + "\"\nOS_NAME=\"Linux\"\n");
    return home;
  }

  private static void copy(Path from, Path to) throws IOException {
    Files.createDirectories(to.getParent());
    try (Stream<Path> files = Files.walk(from)) {
      for (var file : files.toList()) {
        Files.copy(file, to.resolve(from.relativize(file)), StandardCopyOption.COPY_ATTRIBUTES);
      }
    }
  }

  private Ended run(Path program, String... arguments) throws Exception {
    return ended(start(program, arguments));
  }

  private Process start(Path program, String... arguments) throws IOException {
    var command = new ArrayList<>(List.of(program.toString()));
    command.addAll(List.of(arguments));
    var builder = new ProcessBuilder(command).directory(folder.toFile());
    builder.environment().clear();
    builder.environment().putAll(environment);
    return builder
        .redirectOutput(folder.resolve("stdout").toFile())
        .redirectError(folder.resolve("stderr").toFile())
        .start();
  }

  private Ended ended(Process process) throws Exception {
    if (!process.waitFor(TimeLimits.WAIT)) {
      process.destroyForcibly().waitFor();
    }
    return new Ended(
        process.exitValue(),
        Files.readString(folder.resolve("stdout"), UTF_8),
        Files.readString(folder.resolve("stderr"), UTF_8));
  }
}

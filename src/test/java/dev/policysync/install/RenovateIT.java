package dev.policysync.install;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.base.Value;
import dev.policysync.testcluster.Documents;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/// What Renovate does to a module of Go that only pins programs: it writes the new version into
/// `go.mod`, runs `go get -t ./...`, which finds no package there, and `go mod tidy`, if
/// `postUpdateOptions` says so. It takes an `// indirect` module for one to update if a `tool` is
/// in it (renovatebot/renovate#35078).
class RenovateIT {
  private static final Path PINS = Path.of("dev", "cluster");
  private static final String ETCD = "go.etcd.io/etcd/server/v3";

  @TempDir private Path folder;

  @Test
  void completesTheSumsOfANewVersion() throws Exception {
    var pinned = Files.readString(PINS.resolve("etcd/go.mod"));
    var other = pinned.contains(ETCD + " v3.6.16") ? "v3.7.3" : "v3.6.16";
    Files.writeString(
        folder.resolve("go.mod"), pinned.replaceFirst(ETCD + " v[0-9.]+", ETCD + " " + other));
    Files.copy(PINS.resolve("etcd/go.sum"), folder.resolve("go.sum"));

    go("get", "-t", "./...");
    assertThat(builds()).as("what Renovate runs without being told").isFalse();
    go("mod", "tidy");

    assertThat(builds()).isTrue();
    assertThat(Files.readString(folder.resolve("go.mod")))
        .contains(ETCD + " " + other, "tool " + ETCD);
  }

  @TestFactory
  Stream<DynamicTest> dropsNoPin() throws IOException {
    var renovate = Documents.json(Files.readString(Path.of("renovate.json")));
    assertThat(renovate.items("postUpdateOptions")).contains(new Value.Text("gomodTidy"));
    var untidied =
        renovate.mappings("packageRules").stream()
            .filter(rule -> rule.field("postUpdateOptions").isPresent())
            .flatMap(rule -> rule.items("matchFileNames").stream())
            .map(name -> ((Value.Text) name).text().replace("/**", ""))
            .toList();
    try (var files = Files.walk(Path.of("dev"))) {
      var modules = files.filter(file -> file.endsWith("go.mod")).map(Path::getParent).toList();
      assertThat(modules).hasSizeGreaterThan(10);
      return modules.stream()
          .map(module ->
              DynamicTest.dynamicTest(
                  module.toString(),
                  () ->
                      assertThat(isKeptByTidy(module) || untidied.contains(module.toString()))
                          .as("go mod tidy keeps what a tool or a Go file needs")
                          .isTrue()));
    }
  }

  private static boolean isKeptByTidy(Path module) throws IOException {
    try (var files = Files.list(module)) {
      return files.anyMatch(file -> file.toString().endsWith(".go"))
          || Files.readString(module.resolve("go.mod")).contains("\ntool ");
    }
  }

  private boolean builds() throws Exception {
    var process = run("list", "-mod=readonly", "-deps", ETCD);
    assertThat(process.waitFor(10, TimeUnit.MINUTES)).isTrue();
    return process.exitValue() == 0;
  }

  private void go(String... arguments) throws Exception {
    var process = run(arguments);
    assertThat(process.waitFor(10, TimeUnit.MINUTES)).isTrue();
    assertThat(process.exitValue())
        .as("go %s: %s", String.join(" ", arguments), Files.readString(output(), UTF_8))
        .isZero();
  }

  private Process run(String... arguments) throws IOException {
    var command = Stream.concat(Stream.of("go"), Stream.of(arguments)).toList();
    var builder = new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true);
    builder.environment().put("GOFLAGS", "-buildvcs=false");
    return builder.redirectOutput(output().toFile()).start();
  }

  private Path output() {
    return folder.resolve("output.txt");
  }
}

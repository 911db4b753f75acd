package dev.policysync.install;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.cli.Golden;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The version has one source, `revision` in pom.xml; wherever else it stands, it is the same.
class VersionGoldenTest {
  private static final Pattern VERSION =
      Pattern.compile(
          "(?<=^version: |^appVersion: |targetRevision: |/(?:kyverno-)?policy-sync:|/download/v|refs/tags/v|/blob/v|--version=)"
              + "\\d+\\.\\d+\\.\\d+[-.\\w]*",
          Pattern.MULTILINE);

  /// A range: whatever repairs this version.
  private static final Pattern REPAIRS = Pattern.compile("(?<=semver: )\\d+\\.\\d+(?=\\.x)");

  @ParameterizedTest
  @MethodSource("filesThatNameIt")
  void isTheSameWhereverItStands(Path file) throws Exception {
    var version = run().said().strip();
    var text = VERSION.matcher(Files.readString(file)).replaceAll(version);

    Golden.assertEqual(
        file, REPAIRS.matcher(text).replaceAll(version.replaceFirst("\\.\\d+$", "")));
  }

  @Test
  void aReleaseIsOfTheTagsVersion() throws Exception {
    var version = run().said().strip();

    assertThat(run("v" + version)).isEqualTo(new Run(0, version + "\n"));
  }

  @Test
  void aReleaseOfAnotherVersionThanTheTagsIsRefused() throws Exception {
    assertThat(run("v99.0.0"))
        .satisfies(run -> {
          assertThat(run.exitCode()).isEqualTo(1);
          assertThat(run.said()).contains("v99.0.0 is not v");
        });
  }

  private record Run(int exitCode, String said) {}

  private static Run run(String... arguments) throws Exception {
    var command = Stream.concat(Stream.of("dev/version"), Stream.of(arguments)).toList();
    var process = new ProcessBuilder(command).redirectErrorStream(true).start();
    var said = new String(process.getInputStream().readAllBytes(), UTF_8);
    return new Run(process.waitFor(), said);
  }

  static List<Path> filesThatNameIt() throws IOException {
    try (var documents = Files.list(Path.of("docs"));
        var examples = Files.list(Path.of("examples"))) {
      var files =
          Stream.of(
                  Stream.of("README.md", "SECURITY.md", "chart/Chart.yaml", "chart/README.md")
                      .map(Path::of),
                  documents,
                  examples)
              .flatMap(found -> found)
              .filter(file -> file.toString().matches(".*\\.(md|yaml)"))
              .filter(VersionGoldenTest::namesIt)
              .sorted()
              .toList();
      assertThat(files)
          .contains(
              Path.of("README.md"), Path.of("chart/Chart.yaml"), Path.of("examples/flux.yaml"));
      return files;
    }
  }

  private static boolean namesIt(Path file) {
    try {
      var text = Files.readString(file);
      return VERSION.matcher(text).find() || REPAIRS.matcher(text).find();
    } catch (IOException e) {
      throw new AssertionError("cannot read " + file, e);
    }
  }
}

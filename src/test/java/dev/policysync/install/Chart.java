package dev.policysync.install;

import com.marcnuri.helm.Helm;
import com.marcnuri.helm.TemplateCommand;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/// The chart as Helm itself renders it.
final class Chart {
  static final Path FOLDER = Path.of("chart");
  static final Path VALUE_SETS = Path.of("src", "test", "resources", "install", "chart");

  private static final String SUFFIX = ".values.yaml";

  private Chart() {}

  /// The names of the value sets that tests render: `minimal`.
  static List<String> valueSets() {
    try (Stream<Path> files = Files.list(VALUE_SETS)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith(SUFFIX))
          .map(name -> name.substring(0, name.length() - SUFFIX.length()))
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot list " + VALUE_SETS, e);
    }
  }

  static String rendered(String valueSet, String namespace) {
    return template(
        FOLDER,
        namespace,
        command -> command.withValuesFile(VALUE_SETS.resolve(valueSet + SUFFIX)));
  }

  /// What Helm tells whoever installs it.
  static String notes(String valueSet) {
    var told =
        new Helm(FOLDER)
            .install()
            .clientOnly()
            .withName("kyverno-policy-sync")
            .withNamespace("insights-agent")
            .withKubeVersion("1.36.3")
            .withValuesFile(VALUE_SETS.resolve(valueSet + SUFFIX))
            .call()
            .getOutput();
    return told.substring(told.indexOf("NOTES:\n"));
  }

  /// The chart with what is required, and one value besides.
  ///
  /// @throws IllegalStateException by Helm, with its message, where it refuses the value
  static String with(String name, Object value) {
    return template(
        FOLDER, "insights-agent", command -> withWhatIsRequired(command).set(name, value));
  }

  static TemplateCommand withWhatIsRequired(TemplateCommand command) {
    return command.set("insights.organization", "acme").set("insights.cluster", "prod-1");
  }

  /// A copy of the chart, to be changed.
  static Path copyTo(Path folder) throws IOException {
    Files.createDirectories(folder.getParent());
    try (Stream<Path> files = Files.walk(FOLDER)) {
      for (var file : files.toList()) {
        Files.copy(file, folder.resolve(FOLDER.relativize(file)));
      }
    }
    return folder;
  }

  /// Makes a copy what the release makes of it.
  static void release(Path chart, String version, String digest) throws IOException {
    var file = chart.resolve("Chart.yaml");
    var text = Files.readString(file);
    var released =
        text.replaceAll("(?m)^((?:app)?[vV]ersion): .*$", "$1: " + version)
            .replace("image-digest: \"\"", "image-digest: " + digest);
    Files.writeString(file, released);
  }

  /// @throws IllegalStateException by Helm, with its message, where it refuses the values
  static String template(Path chart, String namespace, UnaryOperator<TemplateCommand> values) {
    var command =
        new Helm(chart)
            .template()
            .withName("kyverno-policy-sync")
            .withNamespace(namespace)
            .withKubeVersion("1.36.3");
    // Nothing rendered comes as null.
    return Objects.requireNonNullElse(values.apply(command).call(), "");
  }
}

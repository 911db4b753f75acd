package dev.policysync.lint.rules;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.policysync.cli.TextStyle;
import dev.policysync.cli.lint.LintText;
import dev.policysync.lint.LintFinding;
import dev.policysync.lint.LintResult;
import dev.policysync.lint.Linter;
import dev.policysync.policy.Manifest;
import dev.policysync.policy.feed.PolicyReader;
import dev.policysync.policy.kyverno.KyvernoVersion;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// An example of a hazard, or of what only looks like one: `PS001/flagged-two-images.yaml`. Only
/// the hazard that its folder names is looked for, in the release of Kyverno that a first line `#
/// kyverno: 1.18.2` names, if there is one. What is to be said stands beside it, in a file that
/// ends in `.txt`.
record LintCase(Path file) {
  private static final Path FOLDER = Path.of("src/test/resources/lint");
  private static final Pattern VERSION = Pattern.compile("^# kyverno: (\\S+)");

  static List<LintCase> all() {
    try (var files = Files.walk(FOLDER, 2)) {
      return files
          .filter(file -> file.toString().endsWith(".yaml"))
          .sorted()
          .map(LintCase::new)
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static List<LintCase> of(String hazard) {
    return all().stream().filter(example -> example.hazard().equals(hazard)).toList();
  }

  /// Every file below the folder that belongs to cases.
  static List<Path> files() {
    try (Stream<Path> files = Files.walk(FOLDER)) {
      return files
          .filter(Files::isRegularFile)
          .filter(file -> file.getNameCount() > FOLDER.getNameCount() + 1)
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  String hazard() {
    return file.getName(FOLDER.getNameCount()).toString();
  }

  boolean flagged() {
    return name().startsWith("flagged-");
  }

  boolean clean() {
    return name().startsWith("clean-");
  }

  private String name() {
    return file.getFileName().toString();
  }

  Path expected() {
    return file.resolveSibling(name().replaceFirst("\\.yaml$", ".txt"));
  }

  String yaml() {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private List<Manifest> manifests() {
    return List.of(new Manifest(hazard() + "/" + name(), yaml().getBytes(UTF_8)));
  }

  /// What lint finds of this hazard.
  LintResult verdict() {
    var version = VERSION.matcher(yaml());
    Optional<KyvernoVersion> release =
        version.find() ? KyvernoVersion.parse(version.group(1)) : Optional.empty();
    var lintResult =
        new Linter(Catalogue.rules(), release).judge(PolicyReader.readLocated(manifests()));
    return new LintResult(
        lintResult.findings().stream().filter(this::isOurs).toList(), List.of(), List.of());
  }

  private boolean isOurs(LintFinding lintFinding) {
    return lintFinding.hazard().id().equals(hazard());
  }

  /// The same as people see it.
  String text() {
    return LintText.write(verdict(), manifests(), TextStyle.PLAIN).toString();
  }

  @Override
  public String toString() {
    return hazard() + "/" + name();
  }
}

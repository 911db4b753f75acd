package dev.policysync.convert.verification;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// Finds Kyverno's command line on this machine: `kyverno`, or `kubectl-kyverno` where it is a
/// plugin of kubectl.
public final class KyvernoProgram {
  private static final List<String> NAMES = List.of("kyverno", "kubectl-kyverno");

  private KyvernoProgram() {}

  /// Returns the named program, else the first one on the path.
  ///
  /// @param path the variable PATH
  /// @throws IllegalArgumentException if there is none; the message says how to get it
  public static Path find(Optional<String> named, String path) {
    if (named.isPresent()) {
      var program = Path.of(named.get());
      if (!isProgram(program)) {
        throw new IllegalArgumentException(
            "--kyverno=" + program + " is no program; " + howToGetIt());
      }
      return program;
    }
    return Arrays.stream(path.split(File.pathSeparator, -1))
        .filter(folder -> !folder.isEmpty())
        .flatMap(folder -> NAMES.stream().map(name -> Path.of(folder, name)))
        .filter(KyvernoProgram::isProgram)
        .findFirst()
        .orElseThrow(() ->
            new IllegalArgumentException(
                "--verify needs Kyverno's command line, and there is no kyverno on the PATH; "
                    + howToGetIt()));
  }

  /// Returns whether the path is a program: directories are executable, too.
  private static boolean isProgram(Path path) {
    return Files.isRegularFile(path) && Files.isExecutable(path);
  }

  private static String howToGetIt() {
    return "download kyverno-cli 1.19 from https://github.com/kyverno/kyverno/releases and name it with"
        + " --kyverno";
  }
}

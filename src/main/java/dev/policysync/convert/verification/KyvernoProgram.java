package dev.policysync.convert.verification;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/// Finds Kyverno's command line on this machine: `kyverno`, or `kubectl-kyverno` where it is a
/// plugin of kubectl.
public final class KyvernoProgram {
  private static final List<String> NAMES = List.of("kyverno", "kubectl-kyverno");

  private static final int LONGEST_VERSION = 4096;
  private static final Duration PATIENCE = Duration.ofSeconds(30);

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

  /// Returns the program if it is Kyverno's command line.
  ///
  /// @throws IllegalArgumentException if it does not say the version of one
  public static Path requireKyverno(Path program) {
    try {
      var process =
          new ProcessBuilder(program.toString(), "version").redirectErrorStream(true).start();
      process.getOutputStream().close();
      var said = new String(process.getInputStream().readNBytes(LONGEST_VERSION), UTF_8);
      if (process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS) && said.contains("Version: ")) {
        return program;
      }
      process.destroyForcibly();
    } catch (IOException _) {
      // The same as a program that says something else.
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
    throw new IllegalArgumentException(
        program
            + " is not Kyverno's command line: \""
            + program
            + " version\" names no version; "
            + howToGetIt());
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

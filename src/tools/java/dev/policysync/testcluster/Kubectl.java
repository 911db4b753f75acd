package dev.policysync.testcluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// kubectl itself, of the API server's version, in the hands of the test cluster's admin: what
/// other people and programs leave behind is made by the same code as in their clusters.
public final class Kubectl {

  private final Path program;
  private final Path home;
  private final Path kubeconfig;

  private Kubectl(Path program, Path home, Path kubeconfig) {
    this.program = program;
    this.home = home;
    this.kubeconfig = kubeconfig;
  }

  /// A kubectl for that cluster.
  ///
  /// @param home a folder for its kubeconfig and its cache
  public static Kubectl of(TestCluster cluster, Path home) throws IOException {
    Files.createDirectories(home);
    var kubeconfig = KubeconfigFile.ofAdmin(cluster).write(home.resolve("kubeconfig"));
    return new Kubectl(cluster.assets().kubectl(), home, kubeconfig);
  }

  /// How it ended, and what it said.
  public record Run(int exitCode, String stdout, String stderr) {
    /// What a success said on stdout.
    ///
    /// @throws AssertionError if it was none, with what it said on stderr
    public String ok() {
      if (exitCode != 0) {
        throw new AssertionError("kubectl ended with exit code " + exitCode + ": " + stderr);
      }
      return stdout;
    }
  }

  /// Runs it to its end, without any environment of this process.
  ///
  /// @param arguments `apply`, `--server-side`, `-f`, `policies.yaml`
  public Run run(String... arguments) {
    var builder = process(arguments);
    try {
      var stdout = Files.createTempFile(home, "kubectl", ".stdout");
      var stderr = Files.createTempFile(home, "kubectl", ".stderr");
      var process = builder.redirectOutput(stdout.toFile()).redirectError(stderr.toFile()).start();
      process.getOutputStream().close();
      if (!process.waitFor(TimeLimits.WAIT)) {
        process.destroyForcibly();
        throw new AssertionError(
            builder.command() + " did not end in time; it said: " + Files.readString(stderr));
      }
      return new Run(process.exitValue(), Files.readString(stdout), Files.readString(stderr));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot run " + program, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while kubectl ran", e);
    }
  }

  /// Runs what a person would copy into a shell.
  ///
  /// @param command without quotes: `kubectl annotate lease a b=c`
  public Run typed(String command) {
    var words = command.split(" ", -1);
    if (!words[0].equals("kubectl")) {
      throw new AssertionError("no command of kubectl: " + command);
    }
    return run(Arrays.copyOfRange(words, 1, words.length));
  }

  /// Not started yet, without any environment of this process: for whoever runs it in another way.
  ///
  /// @param arguments `apply`, `--server-side`, `-f`, `policies.yaml`
  public ProcessBuilder process(String... arguments) {
    var command = new ArrayList<>(List.of(program.toString()));
    command.addAll(List.of(arguments));
    var builder = new ProcessBuilder(command);
    builder.environment().clear();
    builder.environment().put("HOME", home.toString());
    builder.environment().put("KUBECONFIG", kubeconfig.toString());
    return builder;
  }
}

package dev.policysync.harness;

import static java.util.stream.Collectors.toSet;

import dev.policysync.base.Value;
import dev.policysync.testcluster.Documents;
import dev.policysync.testcluster.ServiceAccountFolder;
import dev.policysync.testcluster.TestCluster;
import dev.policysync.testcluster.TimeLimits;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The built program as a pod would run it: started by its launcher, a process of its own, reaching
/// the cluster by the files of a ServiceAccount and everything else by its environment.
public final class Agent {
  private static final Path LAUNCHER = Path.of("target", "dist", "bin", "policy-sync");
  private static final String JAVA_OPTIONS = "POLICY_SYNC_JAVA_OPTIONS";

  private final Map<String, String> environment = new HashMap<>();
  private final Path serviceAccount;

  public Agent(TestCluster cluster, Map<String, String> environment, Path folder)
      throws IOException {
    if (!Files.exists(LAUNCHER)) {
      throw new IllegalStateException(LAUNCHER + " is not built; make test does that first");
    }
    var account =
        ServiceAccountFolder.write(
            cluster, folder.resolve("serviceaccount"), "default", cluster.adminToken());
    this.serviceAccount = account.path();
    this.environment.putAll(environment);
    this.environment.putAll(account.environment());
    this.environment.put("HOME", folder.toString());
    this.environment.put("JAVA_HOME", System.getProperty("java.home"));
    this.environment.put(JAVA_OPTIONS, "-Dpolicysync.serviceaccount=" + serviceAccount);
  }

  /// The same with another value in its environment.
  public Agent with(String variable, String value) {
    environment.put(variable, value);
    return this;
  }

  /// The same with another of the properties that are there for tests.
  public Agent withProperty(String property, String value) {
    return withJavaOption("-D" + property + "=" + value);
  }

  /// The same with one more option of Java, which wins over those before it: `-Xmx24m`.
  public Agent withJavaOption(String option) {
    environment.merge(JAVA_OPTIONS, option, (before, more) -> before + " " + more);
    return this;
  }

  /// The same as another ServiceAccount.
  public Agent as(String token) {
    try {
      Files.writeString(serviceAccount.resolve("token"), token);
    } catch (IOException e) {
      throw new UncheckedIOException("the agent cannot be given another token", e);
    }
    return this;
  }

  /// The same, reaching the API server through what listens there, at 127.0.0.1.
  ///
  /// @param authority that verifies its certificate, in PEM form
  public Agent through(int port, Path authority) {
    try {
      Files.copy(authority, serviceAccount.resolve("ca.crt"), StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw new UncheckedIOException("the agent cannot be sent another way", e);
    }
    return with("KUBERNETES_SERVICE_PORT", Integer.toString(port));
  }

  /// How a run ended and what it said.
  public record Run(int exitCode, String stdout, String stderr) {
    /// The summary: the last line of stdout, as JSON.
    public Value.Mapping summary() {
      return Documents.json(stdout.lines().reduce("{}", (_, line) -> line));
    }

    public String all() {
      return stdout + stderr;
    }
  }

  /// Runs to the end.
  public Run run(String... arguments) {
    try {
      return ended(start(arguments));
    } catch (IOException e) {
      throw new UncheckedIOException("the agent cannot be started", e);
    }
  }

  /// Runs to the end with the streams of this process, as a person would see it.
  public int show(String... arguments) {
    try {
      return builder(arguments).inheritIO().start().waitFor();
    } catch (IOException e) {
      throw new UncheckedIOException("the agent cannot be started", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  /// The names of the classes that a run asks for: `picocli.CommandLine`. Without the class cache,
  /// which brings all of its classes along at once.
  public Set<String> classesOfARun(Path log) throws IOException {
    var usual = environment.getOrDefault(JAVA_OPTIONS, "");
    environment.put(JAVA_OPTIONS, usual + " -XX:AOTMode=off -Xlog:class+load:file=" + log);
    run();
    environment.put(JAVA_OPTIONS, usual);
    return Files.readAllLines(log).stream()
        .map(line -> line.replaceFirst("^(\\[[^]]*])+ ", "").split(" ", 2)[0])
        .collect(toSet());
  }

  public Process start(String... arguments) throws IOException {
    return builder(arguments).start();
  }

  /// Starts it as a terminal would: a shell's background job, and so what it starts, is born deaf
  /// to SIGINT.
  public Process startInterruptible(String... arguments) throws IOException {
    var builder = builder(arguments);
    builder.command().addAll(0, List.of("env", "--default-signal=INT"));
    return builder.start();
  }

  public static Run ended(Process process) throws IOException {
    try {
      process.getOutputStream().close();
      var stderr = new StringBuilder();
      var errors = Thread.ofPlatform().start(() -> stderr.append(text(process.getErrorStream())));
      var stdout = text(process.getInputStream());
      if (!process.waitFor(TimeLimits.WAIT)) {
        process.destroyForcibly();
        throw new AssertionError("the agent did not end in the time there is; it said:\n" + stdout);
      }
      errors.join();
      return new Run(process.exitValue(), stdout, stderr.toString());
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  private static String text(java.io.InputStream stream) {
    try {
      return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException("the agent's output cannot be read", e);
    }
  }

  private ProcessBuilder builder(String... arguments) {
    // Who starts these tests in the background may have all of this process's children ignore
    // SIGINT.
    var command = new ArrayList<>(List.of("env", "--default-signal=INT", LAUNCHER.toString()));
    command.addAll(List.of(arguments));
    var builder = new ProcessBuilder(command);
    builder.environment().clear();
    builder.environment().putAll(environment);
    return builder;
  }
}

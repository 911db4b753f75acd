package dev.policysync.testcluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/// How long tests wait, on whatever machine: one may be three times slower than another, and have
/// ten other things to do.
public final class TimeLimits {
  /// For something that happens soon or never: only a test that fails waits so long.
  public static final Duration WAIT = Duration.ofMinutes(3);

  /// What the built program takes to say its version, where nothing holds it up.
  private static final Duration START = Duration.ofMillis(300);

  private static final List<String> VERSION =
      List.of(Path.of("target", "dist", "bin", "policy-sync").toString(), "--version");

  private TimeLimits() {}

  /// A time that fits a fast machine with nothing else to do, made longer as this one is slower or
  /// busier right now.
  public static Duration scaled(Duration onAFastMachine) {
    var builder = new ProcessBuilder(VERSION).redirectErrorStream(true);
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    var began = System.nanoTime();
    try {
      var process = builder.start();
      process.getInputStream().readAllBytes();
      if (process.waitFor() != 0) {
        throw new IllegalStateException("the built program cannot say its version");
      }
    } catch (IOException e) {
      throw new UncheckedIOException("the built program cannot be started", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
    var factor = Math.max(1.0, (double) (System.nanoTime() - began) / START.toNanos());
    return Duration.ofMillis((long) (onAFastMachine.toMillis() * factor));
  }

  /// The same as a setting: `4312ms`.
  public static String setting(Duration onAFastMachine) {
    return scaled(onAFastMachine).toMillis() + "ms";
  }
}

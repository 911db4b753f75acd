package dev.policysync.bench;

import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Runs processes under GNU time, which learns from `wait4` what the kernel counted for them: CPU
/// and memory of a process that lives half a second can be read in no other way without missing its
/// end.
///
/// It also keeps this JVM's memory out of the figure: Linux lets a process begin with the peak of
/// whoever it was forked from.
final class GnuTime {
  private static final Path PROGRAM = Path.of("/usr/bin/time");

  private final Path folder;
  private volatile @Nullable Process running;

  /// @param folder for the output of what is run
  /// @throws IllegalStateException if this machine has no GNU time, saying how to get it
  GnuTime(Path folder) {
    if (!Files.isExecutable(PROGRAM)) {
      throw new IllegalStateException(
          "make bench measures with GNU time, and there is no "
              + PROGRAM
              + " (Debian, Ubuntu: apt-get install time)");
    }
    this.folder = folder;
  }

  /// How a process ended.
  record Run(int exitCode, Figures figures, Path stdout, Path stderr) {}

  /// Runs it to its end.
  Run run(ProcessBuilder process) throws IOException, InterruptedException {
    var figures = folder.resolve("figures");
    var stdout = folder.resolve("stdout");
    var stderr = folder.resolve("stderr");
    process
        .command(timed(figures, process.command()))
        .redirectInput(Path.of("/dev/null").toFile())
        .redirectOutput(stdout.toFile())
        .redirectError(stderr.toFile());
    var before = clusterCpu();
    var began = System.nanoTime();
    var started = process.start();
    running = started;
    var exitCode = started.waitFor();
    var wall = Duration.ofNanos(System.nanoTime() - began);
    running = null;
    var clusterCpu = clusterCpu().minus(before);
    return new Run(exitCode, figures(wall, Files.readString(figures), clusterCpu), stdout, stderr);
  }

  /// What all other processes of this program have taken so far.
  private static Duration clusterCpu() {
    return ProcessHandle.current()
        .descendants()
        .flatMap(process -> process.info().totalCpuDuration().stream())
        .reduce(Duration.ZERO, Duration::plus);
  }

  /// Ends what is running, with all that it has started.
  void kill() {
    var process = running;
    if (process != null) {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
  }

  static List<String> timed(Path figures, List<String> command) {
    var timed = new ArrayList<>(List.of(PROGRAM.toString(), "--quiet", "--format=%U %S %M"));
    timed.add("--output=" + figures);
    timed.addAll(command);
    return timed;
  }

  /// @param text `0.51 0.08 93184`: seconds in user and in system mode, KiB
  static Figures figures(Duration wall, String text, Duration clusterCpu) {
    var fields = text.strip().split(" ", -1);
    if (fields.length != 3) {
      throw new IllegalStateException(PROGRAM + " is no GNU time: it wrote " + text.strip());
    }
    return new Figures(
        wall, seconds(fields[0]).plus(seconds(fields[1])), Long.parseLong(fields[2]), clusterCpu);
  }

  private static Duration seconds(String text) {
    return Duration.ofMillis(new BigDecimal(text).movePointRight(3).longValueExact());
  }
}

package dev.policysync.testcluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/// A server process that cannot outlive this JVM, however the JVM ends.
///
/// A small shell stands between: it reads from a pipe that only the JVM holds open, and kills the
/// server as soon as that pipe closes. So a JVM that is killed without a chance to clean up leaves
/// no process behind, and no data folder either, and a signal to the whole process group, as of a
/// terminal or of `timeout`, does not take the guard away before the server. Servers are killed,
/// never asked to end: all their data is thrown away.
final class GuardedProcess implements AutoCloseable {
  private static final String GUARD =
      """
      trap '' INT TERM HUP
      exec 3<&0 </dev/null
      folder=$1 stopping=$2
      shift 2
      "$@" 3<&- &
      server=$!
      (
        read -r order <&3 || order=orphaned
        : >"$stopping"
        kill -KILL "$server"
        [ "$order" = stop ] || { sleep 1; rm -rf "$folder"; }
      ) &
      watcher=$!
      wait "$server"
      status=$?
      if [ -e "$stopping" ]; then
        wait "$watcher"
        rm -f "$stopping"
      else
        kill -KILL "$watcher"
      fi
      exit "$status"
      """;

  private static final int LAST_WORDS = 20;

  private final String name;
  private final Path log;
  private final Process process;

  private GuardedProcess(String name, Path log, Process process) {
    this.name = name;
    this.log = log;
    this.process = process;
  }

  /// Starts a command whose working folder, and all of whose data, is that folder.
  static GuardedProcess start(Path folder, List<String> command) throws IOException {
    return start(folder, command, Map.of());
  }

  /// The same with more in its environment.
  static GuardedProcess start(Path folder, List<String> command, Map<String, String> environment)
      throws IOException {
    var name = Path.of(command.getFirst()).getFileName().toString();
    var log = folder.resolve(name + ".log");
    var guarded = new ArrayList<String>();
    guarded.addAll(List.of("/bin/sh", "-c", GUARD, "guard-" + name));
    guarded.addAll(List.of(folder.toString(), folder.resolve(name + ".stopping").toString()));
    guarded.addAll(command);
    var builder =
        new ProcessBuilder(guarded)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
    // All servers are written in Go. What is served is small, so more garbage before a collection
    // costs little memory and saves a tenth of their processor time.
    builder.environment().put("GOGC", "400");
    builder.environment().putAll(environment);
    return new GuardedProcess(name, log, builder.start());
  }

  /// Lets the server stand still until that is closed.
  Stall stall() {
    var server =
        process
            .descendants()
            .filter(child -> child.info().command().filter(path -> path.endsWith(name)).isPresent())
            .findFirst()
            .orElseThrow(() -> new IllegalStateException(name + " is not running"));
    signal("STOP", server.pid());
    return () -> signal("CONT", server.pid());
  }

  private static void signal(String signal, long pid) {
    try {
      var status = new ProcessBuilder("kill", "-" + signal, Long.toString(pid)).start().waitFor();
      if (status != 0) {
        throw new IllegalStateException("kill -" + signal + " " + pid + " ended with " + status);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("no signal could be sent", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  boolean alive() {
    return process.isAlive();
  }

  /// What the server wrote last, for a message that says why it did not start.
  String lastWords() {
    try {
      var lines = Files.readAllLines(log, StandardCharsets.UTF_8);
      var last = lines.subList(Math.max(0, lines.size() - LAST_WORDS), lines.size());
      return name + " wrote last:\n" + String.join("\n", last);
    } catch (IOException e) {
      return name + " left nothing to read in " + log;
    }
  }

  /// Ends the server and waits until it is gone.
  @Override
  public void close() {
    try (var orders = process.outputWriter()) {
      orders.write("stop\n");
    } catch (IOException e) {
      // The guard has ended already, and its server before it.
    }
    try {
      if (!process.waitFor(10, TimeUnit.SECONDS)) {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      Thread.currentThread().interrupt();
    }
  }
}

package dev.policysync.remote.cluster;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/// Runs a program to its end, with limits on its output and its time. A program that does not
/// succeed is killed together with the programs that it started.
final class ChildProcess {
  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(20);

  /// How long to wait for output after the program's end: a program that it started and left
  /// running may keep the pipe open.
  private static final Duration LAST_OUTPUT = Duration.ofSeconds(1);

  private final Process process;
  private final Output stdout;
  private final Output stderr;

  /// Every descendant seen so far: once its parent has ended, a process can no longer be found as a
  /// descendant.
  private final Set<ProcessHandle> descendants = new LinkedHashSet<>();

  private ChildProcess(Process process) {
    this.process = process;
    this.stdout = Output.read(process.getInputStream(), "stdout");
    this.stderr = Output.read(process.getErrorStream(), "stderr");
  }

  /// @param exitCode negative if the program was stopped
  record Result(int exitCode, String stdout, String stderr) {
    static final int STOPPED = -1;
  }

  /// Runs the program.
  ///
  /// @param over returns whether the program must be stopped
  /// @throws IOException if the program cannot be started
  static Result run(ProcessBuilder program, BooleanSupplier over) throws IOException {
    var child = new ChildProcess(program.start());
    var succeeded = false;
    try {
      var result = child.end(over);
      succeeded = result.exitCode() == 0 && child.stdout.ended();
      return result;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (IOException) new InterruptedIOException("interrupted").initCause(e);
    } finally {
      if (!succeeded) {
        child.stop();
      }
    }
  }

  private Result end(BooleanSupplier over) throws InterruptedException, IOException {
    process.getOutputStream().close();
    while (!process.waitFor(BETWEEN_LOOKS.toMillis(), TimeUnit.MILLISECONDS)) {
      process.descendants().forEach(descendants::add);
      if (over.getAsBoolean()) {
        stop();
        return result(Result.STOPPED);
      }
    }
    return result(process.exitValue());
  }

  private Result result(int exitCode) throws InterruptedException {
    stdout.await(LAST_OUTPUT);
    stderr.await(exitCode == 0 ? Duration.ZERO : LAST_OUTPUT);
    return new Result(exitCode, stdout.text(), stderr.text());
  }

  private void stop() {
    process.descendants().forEach(descendants::add);
    process.destroyForcibly();
    for (var descendant : descendants) {
      descendant.descendants().forEach(ProcessHandle::destroyForcibly);
      descendant.destroyForcibly();
    }
  }

  /// Keeps a program's output; if it is very long, only the end.
  private static final class Output {
    private static final int MOST = 1 << 20;

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final Thread reader;

    private Output(InputStream in, String name) {
      this.reader = Thread.ofPlatform().daemon().name("plugin-" + name).start(() -> copy(in));
    }

    static Output read(InputStream in, String name) {
      return new Output(in, name);
    }

    private void copy(InputStream in) {
      var buffer = new byte[4096];
      try {
        for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
          keep(buffer, count);
        }
      } catch (IOException _) {
        // The program was stopped.
      }
    }

    private synchronized void keep(byte[] buffer, int count) {
      if (bytes.size() + count > MOST) {
        bytes.reset();
      }
      bytes.write(buffer, 0, count);
    }

    private synchronized String text() {
      return bytes.toString(StandardCharsets.UTF_8);
    }

    private void await(Duration time) throws InterruptedException {
      if (!time.isZero()) {
        var _ = reader.join(time);
      }
    }

    private boolean ended() {
      return !reader.isAlive();
    }
  }
}

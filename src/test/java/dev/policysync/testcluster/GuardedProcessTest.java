package dev.policysync.testcluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GuardedProcessTest {
  private static final List<String> SERVER = List.of("/bin/sleep", "1000");

  @TempDir private Path folder;

  @Test
  void aGuardedProcessEndsItsServer() throws Exception {
    ProcessHandle server;
    try (var _ = GuardedProcess.start(folder, SERVER)) {
      server = server();
    }
    server.onExit().get(TimeLimits.WAIT.toSeconds(), TimeUnit.SECONDS);
  }

  /// A server that is left alone by its guards would run on for ever: an API server whose etcd is
  /// gone does not end by itself.
  @ParameterizedTest
  @ValueSource(strings = {"TERM", "INT", "HUP"})
  void keepsItsGuardsWhateverSignalTheyGet(String signal) throws Exception {
    ProcessHandle server;
    try (var _ = GuardedProcess.start(folder, SERVER)) {
      server = server();
      var guards = ours().filter(GuardedProcessTest::isGuard).toList();
      assertThat(guards).hasSize(2);
      for (var guard : guards) {
        var pid = Long.toString(guard.pid());
        assertThat(new ProcessBuilder("kill", "-" + signal, pid).start().waitFor()).isZero();
      }
      assertThat(guards).allMatch(ProcessHandle::isAlive);
    }
    server.onExit().get(TimeLimits.WAIT.toSeconds(), TimeUnit.SECONDS);
  }

  /// The server and the two shells that guard it are there in a moment.
  private static ProcessHandle server() {
    await()
        .atMost(TimeLimits.WAIT)
        .until(() -> ours().filter(GuardedProcessTest::isGuard).count() == 2);
    return await()
        .atMost(TimeLimits.WAIT)
        .until(() -> ours().filter(GuardedProcessTest::isServer).findFirst(), Optional::isPresent)
        .orElseThrow();
  }

  private static Stream<ProcessHandle> ours() {
    return ProcessHandle.current().descendants();
  }

  private static String command(ProcessHandle process) {
    return process.info().commandLine().orElse("");
  }

  private static boolean isServer(ProcessHandle process) {
    return command(process).endsWith("sleep 1000") && !isGuard(process);
  }

  private static boolean isGuard(ProcessHandle process) {
    return command(process).contains("guard-sleep");
  }
}

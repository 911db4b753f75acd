package dev.policysync.inspect;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProcessChecksTest {
  private static final long MIB = 1024 * 1024;

  @TempDir Path root;

  @ParameterizedTest
  @CsvSource({
    "sys/fs/cgroup/memory.max, 268435456, OK, 'heap up to 128 MiB, memory limit 256 MiB'",
    "sys/fs/cgroup/memory.max, 134217728, WARNING, 'heap up to 128 MiB, memory limit 128 MiB'",
    "sys/fs/cgroup/memory.max, max, OK, heap up to 128 MiB; no memory limit is set",
    "sys/fs/cgroup/memory/memory.limit_in_bytes, 134217728, WARNING, 'heap up to 128 MiB, memory"
        + " limit 128 MiB'",
    "sys/fs/cgroup/memory/memory.limit_in_bytes, 9223372036854771712, OK, heap up to 128 MiB; no"
        + " memory limit is set",
    "other, 0, OK, heap up to 128 MiB; no memory limit is set",
  })
  void comparesTheHeapWithTheLimit(String file, String limit, CheckStatus checkStatus, String found)
      throws IOException {
    write(file, limit + "\n");

    assertThat(ask("memory", List.of()))
        .satisfies(checkResult -> {
          assertThat(checkResult.status()).isEqualTo(checkStatus);
          assertThat(checkResult.found()).isEqualTo(found);
        });
  }

  @Test
  void seesTheCacheThatJavaHasMapped() throws IOException {
    write("proc/self/maps", "7f0000000000-7f0000001000 r--p 0 08:01 42    /app/policy-sync.aot\n");

    assertThat(
            ask("class cache", List.of("-Xmx128m", "-XX:AOTCache=/app/policy-sync.aot")).status())
        .isEqualTo(CheckStatus.OK);
  }

  @Test
  void warnsOfACacheThatJavaRefused() throws IOException {
    write("proc/self/maps", "7f0000000000-7f0000001000 r--p 0 08:01 42    /app/lib/modules\n");

    var checkResult = ask("class cache", List.of("-XX:AOTCache=/app/policy-sync.aot"));

    assertThat(checkResult.status()).isEqualTo(CheckStatus.WARNING);
    assertThat(checkResult.found()).contains("rejected /app/policy-sync.aot");
  }

  @Test
  void warnsOfAStartWithoutACache() {
    var checkResult = ask("class cache", List.of("-jar", "policy-sync.jar"));

    assertThat(checkResult.status()).isEqualTo(CheckStatus.WARNING);
    assertThat(checkResult.found()).contains("without a class cache");
  }

  @Test
  void doesNotKnowWhereTheSystemShowsNothing() {
    assertThat(ask("class cache", List.of("-XX:AOTCache=x")).status())
        .isEqualTo(CheckStatus.UNKNOWN);
  }

  private void write(String file, String text) throws IOException {
    var path = root.resolve(file);
    Files.createDirectories(path.getParent());
    Files.writeString(path, text);
  }

  private CheckResult ask(String subject, List<String> arguments) {
    return new ProcessChecks(
            root, MemoryLimit.read(root.resolve("sys/fs/cgroup"), 128 * MIB), arguments)
        .all().stream()
            .filter(check -> check.subject().equals(subject))
            .findFirst()
            .orElseThrow()
            .run()
            .ask()
            .getFirst();
  }
}

package dev.policysync.bench;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// In a folder that looks like the mounted control groups.
class PodLimitsTest {
  @TempDir Path root;

  @Test
  void limitsAGroupOfTheFirstVersion() throws IOException {
    Files.createDirectory(root.resolve("cpu"));
    Files.createDirectory(root.resolve("memory"));

    assertThat(PodLimits.in(root)).isPresent();

    var group = only(root.resolve("cpu"));
    assertThat(group.resolve("cpu.cfs_period_us")).hasContent("100000");
    assertThat(group.resolve("cpu.cfs_quota_us")).hasContent("20000");
    assertThat(only(root.resolve("memory")).resolve("memory.limit_in_bytes"))
        .hasContent("268435456");
  }

  @Test
  void limitsAGroupOfTheSecondVersion() throws IOException {
    Files.writeString(root.resolve("cgroup.controllers"), "cpu memory");

    assertThat(PodLimits.in(root)).isPresent();

    try (Stream<Path> groups = Files.list(root).filter(Files::isDirectory)) {
      assertThat(groups)
          .singleElement()
          .satisfies(group -> {
            assertThat(group.resolve("cpu.max")).hasContent("20000 100000");
            assertThat(group.resolve("memory.max")).hasContent("268435456");
          });
    }
  }

  @Test
  void isNotThereWithoutControlGroups() {
    assertThat(PodLimits.in(root)).isEmpty();
  }

  @Test
  void theCommandIsInTheGroupBeforeItBegins() throws IOException, InterruptedException {
    Files.createDirectory(root.resolve("cpu"));
    Files.createDirectory(root.resolve("memory"));
    var limits = PodLimits.in(root).orElseThrow();

    var process =
        new ProcessBuilder(limits.within(List.of("/bin/sh", "-c", "echo \"$$ $1\"", "sh", "a b")))
            .start();

    var said = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor()).isZero();
    assertThat(said).isEqualTo(process.pid() + " a b\n");
    for (var control : List.of("cpu", "memory")) {
      assertThat(only(root.resolve(control)).resolve("cgroup.procs"))
          .hasContent(Long.toString(process.pid()));
    }
  }

  private static Path only(Path folder) throws IOException {
    try (Stream<Path> groups = Files.list(folder)) {
      return groups
          .reduce((_, _) -> {
            throw new AssertionError("more than one group in " + folder);
          })
          .orElseThrow();
    }
  }
}

package dev.policysync.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.harness.Feeds;
import java.io.IOException;
import java.nio.file.Files;
import org.junit.jupiter.api.Test;

/// A process that is killed for its memory says nothing more, so it says so before.
class MemoryLimitIT extends EndToEnd {
  @Test
  void isComparedWithTheHeapAtTheStart() throws IOException {
    insights.expects(Feeds.clusterPolicy("one", "Audit"));
    var cgroup = Files.createDirectory(folder.resolve("cgroup"));
    agent.withProperty("policysync.cgroup", cgroup.toString());
    Files.writeString(cgroup.resolve("memory.max"), (200 << 20) + "\n");
    var narrow = agent.run();
    Files.writeString(cgroup.resolve("memory.max"), (256 << 20) + "\n");
    var wide = agent.run();

    assertThat(narrow.exitCode()).as(narrow.all()).isZero();
    assertThat(narrow.stdout().lines().filter(line -> line.contains("Memory limit")))
        .singleElement()
        .asString()
        .contains("\"level\":\"warn\"", "Memory limit is too small for the heap")
        .contains("memory limit 200 MiB", "set the limit to 2");
    assertThat(narrow.stdout()).startsWith("{").contains("Memory limit");
    assertThat(wide.all()).doesNotContain("Memory limit");
  }
}

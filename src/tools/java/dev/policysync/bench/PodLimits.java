package dev.policysync.bench;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.awaitility.Awaitility;

/// A control group whose processes get what the chart's limits give a Pod: 200m of CPU, which is 20
/// ms in each 100 ms, and 256 MiB of memory.
///
/// What the limits' files are called, and whether one group has both, differs between version 1 and
/// 2 of control groups (`cgroup-v1`, `cgroup-v2` in the kernel's admin guide).
final class PodLimits implements AutoCloseable {
  private static final String QUOTA = "20000";
  private static final String PERIOD = "100000";
  private static final String MEMORY = Long.toString(256L << 20);
  private static final String ENTER =
      "while [ \"$1\" != -- ]; do echo $$ > \"$1\"; shift; done; shift; exec \"$@\"";

  private final List<Path> groups = new ArrayList<>();

  private PodLimits() {}

  /// A new group, or nothing where this user may not make one or the machine has no such control.
  ///
  /// @param root where control groups are mounted: `/sys/fs/cgroup`
  static Optional<PodLimits> in(Path root) {
    var limits = new PodLimits();
    try {
      if (Files.exists(root.resolve("cgroup.controllers"))) {
        limits.group(root, Map.of("cpu.max", QUOTA + " " + PERIOD, "memory.max", MEMORY));
      } else {
        limits.group(
            root.resolve("cpu"), Map.of("cpu.cfs_period_us", PERIOD, "cpu.cfs_quota_us", QUOTA));
        limits.group(root.resolve("memory"), Map.of("memory.limit_in_bytes", MEMORY));
      }
      return Optional.of(limits);
    } catch (IOException e) {
      limits.close();
      return Optional.empty();
    }
  }

  private void group(Path parent, Map<String, String> limits) throws IOException {
    var group = Files.createTempDirectory(parent, "policy-sync-bench-");
    groups.add(group);
    for (var limit : limits.entrySet()) {
      Files.writeString(group.resolve(limit.getKey()), limit.getValue());
    }
  }

  /// The command as a member of the group from its first instruction.
  List<String> within(List<String> command) {
    var within = new ArrayList<>(List.of("/bin/sh", "-c", ENTER, "sh"));
    groups.forEach(group -> within.add(group.resolve("cgroup.procs").toString()));
    within.add("--");
    within.addAll(command);
    return within;
  }

  /// Removes the group, which the kernel lets happen a moment after its last process has ended.
  @Override
  public void close() {
    for (var group : groups) {
      Awaitility.await("the processes in " + group + " to be gone")
          .atMost(Duration.ofSeconds(30))
          .pollInterval(Duration.ofMillis(20))
          .ignoreException(FileSystemException.class)
          .until(() -> {
            Files.deleteIfExists(group);
            return true;
          });
    }
  }
}

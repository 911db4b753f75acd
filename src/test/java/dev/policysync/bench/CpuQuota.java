package dev.policysync.bench;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.awaitility.Awaitility;

/// A control group whose processes get 200m of CPU, as a pod with that limit: 20 ms in each 100 ms.
///
/// What the limits' files are called differs between version 1 and 2 of control groups
/// (`cgroup-v1/cpu-*`, `cgroup-v2` in the kernel's admin guide).
final class CpuQuota implements AutoCloseable {
  private static final String QUOTA = "20000";
  private static final String PERIOD = "100000";
  private static final String ENTER = "echo $$ > \"$1\" && shift && exec \"$@\"";

  private final Path group;

  private CpuQuota(Path group) {
    this.group = group;
  }

  /// A new group, or nothing where this user may not make one or the machine has no such control.
  ///
  /// @param root where control groups are mounted: `/sys/fs/cgroup`
  static Optional<CpuQuota> in(Path root) {
    var second = Files.exists(root.resolve("cgroup.controllers"));
    var parent = second ? root : root.resolve("cpu");
    try {
      var group = Files.createTempDirectory(parent, "policy-sync-bench-");
      var quota = new CpuQuota(group);
      try {
        quota.limit(second);
        return Optional.of(quota);
      } catch (IOException e) {
        quota.close();
        return Optional.empty();
      }
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  private void limit(boolean second) throws IOException {
    if (second) {
      Files.writeString(group.resolve("cpu.max"), QUOTA + " " + PERIOD);
    } else {
      Files.writeString(group.resolve("cpu.cfs_period_us"), PERIOD);
      Files.writeString(group.resolve("cpu.cfs_quota_us"), QUOTA);
    }
  }

  /// The command as a member of the group from its first instruction.
  List<String> within(List<String> command) {
    var within = new ArrayList<>(List.of("/bin/sh", "-c", ENTER, "sh"));
    within.add(group.resolve("cgroup.procs").toString());
    within.addAll(command);
    return within;
  }

  /// Removes the group, which the kernel lets happen a moment after its last process has ended.
  @Override
  public void close() {
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

package dev.policysync.inspect;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/// Java's maximum heap and the memory limit of this process's cgroup. The limit is read from the
/// file system, because the image's Java has no management modules.
///
/// @param heap the maximum size of Java's heap in bytes
/// @param limit the memory limit of the cgroup in bytes; empty if there is none
public record MemoryLimit(long heap, Optional<Long> limit) {
  /// System property for tests: the directory with this process's cgroup files.
  public static final String CGROUP_PROPERTY = "policysync.cgroup";

  private static final long MIB = 1024 * 1024;

  /// The memory that Java needs beside its heap: classes, code, stacks and the mapped cache
  /// (`docs/performance.md`). The chart rejects smaller limits by the same number.
  private static final long BESIDE_THE_HEAP = 96 * MIB;

  /// In cgroup v1, values from here on mean "no limit".
  private static final long UNLIMITED = Long.MAX_VALUE / 2;

  public static MemoryLimit ofThisProcess() {
    return read(
        Path.of(System.getProperty(CGROUP_PROPERTY, "/sys/fs/cgroup")),
        Runtime.getRuntime().maxMemory());
  }

  /// Reads the limit of cgroup v2, else v1.
  static MemoryLimit read(Path cgroup, long heap) {
    return new MemoryLimit(
        heap,
        number(cgroup.resolve("memory.max"))
            .or(() -> number(cgroup.resolve("memory/memory.limit_in_bytes")))
            .filter(bytes -> bytes < UNLIMITED));
  }

  private static Optional<Long> number(Path file) {
    try {
      return Optional.of(Long.parseLong(Files.readString(file).strip()));
    } catch (IOException | NumberFormatException e) {
      return Optional.empty(); // not Linux, another cgroup version, or "max"
    }
  }

  /// Describes heap and limit: `heap up to 128 MiB, memory limit 256 MiB`.
  public String text() {
    return "heap up to "
        + mib(heap)
        + limit.map(bytes -> ", memory limit " + mib(bytes)).orElse("; no memory limit is set");
  }

  /// Returns how to keep a run with a full heap from being killed; empty if the limit is
  /// sufficient.
  public Optional<String> fix() {
    return limit
        .filter(bytes -> bytes - heap < BESIDE_THE_HEAP)
        .map(_ ->
            "a run that uses the whole heap would be killed (OOMKilled): set the limit to "
                + mib(heap + BESIDE_THE_HEAP)
                + " or more, or lower -Xmx in POLICY_SYNC_JAVA_OPTIONS (chart: javaOptions)");
  }

  private static String mib(long bytes) {
    return bytes / MIB + " MiB";
  }
}

package dev.policysync.check;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// Whether this process has the memory and the class cache that a run is planned with. Both are
/// read where the kernel shows them, since the image's Java has no management modules.
public final class ProcessChecks {
  static final String MEMORY = "memory";
  static final String CACHE = "class cache";

  private static final long MIB = 1024 * 1024;

  /// What Java takes beside its heap: classes, code, stacks and the mapped cache
  /// (`docs/performance.md`).
  private static final long BESIDE_THE_HEAP = 96 * MIB;

  /// From here on cgroup v1 means "none".
  private static final long UNLIMITED = Long.MAX_VALUE / 2;

  private static final String CACHE_OPTION = "-XX:AOTCache=";

  private final Path root;
  private final long heap;
  private final List<String> arguments;

  /// This process.
  public static ProcessChecks here() {
    var arguments = ProcessHandle.current().info().arguments().map(List::of).orElse(List.of());
    return new ProcessChecks(Path.of("/"), Runtime.getRuntime().maxMemory(), arguments);
  }

  /// @param root of the file system
  /// @param heap the most that Java's heap may take, in bytes
  /// @param arguments Java's own, of this process
  ProcessChecks(Path root, long heap, List<String> arguments) {
    this.root = root;
    this.heap = heap;
    this.arguments = List.copyOf(arguments);
  }

  /// The questions, in order.
  public List<Check> all() {
    return List.of(
        Check.of(MEMORY, () -> List.of(memory())), Check.of(CACHE, () -> List.of(cache())));
  }

  private CheckResult memory() {
    var limit = limit();
    var found = "heap up to " + mib(heap);
    if (limit.isEmpty()) {
      return CheckResult.ok(MEMORY, found + "; no memory limit is set");
    }
    found += ", memory limit " + mib(limit.get());
    return limit.get() - heap < BESIDE_THE_HEAP
        ? CheckResult.warning(
            MEMORY,
            found,
            "a run that uses the whole heap would be killed (OOMKilled): set the limit to "
                + mib(heap + BESIDE_THE_HEAP)
                + " or more, or lower -Xmx in POLICY_SYNC_JAVA_OPTIONS (chart: javaOptions)")
        : CheckResult.ok(MEMORY, found);
  }

  /// cgroup v2, else v1.
  private Optional<Long> limit() {
    return number("sys/fs/cgroup/memory.max")
        .or(() -> number("sys/fs/cgroup/memory/memory.limit_in_bytes"))
        .filter(bytes -> bytes < UNLIMITED);
  }

  private Optional<Long> number(String file) {
    try {
      return Optional.of(Long.parseLong(Files.readString(root.resolve(file)).strip()));
    } catch (IOException | NumberFormatException e) {
      return Optional.empty(); // not Linux, another cgroup version, or "max"
    }
  }

  private CheckResult cache() {
    var java = "Java " + Runtime.version();
    var asked =
        arguments.stream()
            .filter(argument -> argument.startsWith(CACHE_OPTION))
            .map(argument -> argument.substring(CACHE_OPTION.length()))
            .findFirst();
    if (asked.isEmpty()) {
      return CheckResult.warning(
          CACHE,
          java + " was started without a class cache; runs take twice as long",
          "start policy-sync with target/dist/bin/policy-sync or the image's entry point; if the"
              + " launcher omits the cache, run make build");
    }
    try (var mapped = Files.lines(root.resolve("proc/self/maps"))) {
      return mapped.anyMatch(line -> line.endsWith(asked.get()))
          ? CheckResult.ok(CACHE, java + " uses " + asked.get())
          : CheckResult.warning(
              CACHE,
              java + " rejected " + asked.get() + "; runs take twice as long",
              "the cache was made by another Java or with other flags: remove these from"
                  + " POLICY_SYNC_JAVA_OPTIONS, or build policy-sync with this Java");
    } catch (IOException e) {
      return CheckResult.unknown(CACHE, java + " does not expose its mapped files on this system");
    }
  }

  private static String mib(long bytes) {
    return bytes / MIB + " MiB";
  }
}

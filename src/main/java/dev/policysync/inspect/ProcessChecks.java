package dev.policysync.inspect;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// Checks that this process has enough memory and uses the class cache.
public final class ProcessChecks {
  static final String MEMORY = "memory";
  static final String CACHE = "class cache";

  private static final String CACHE_OPTION = "-XX:AOTCache=";

  private final Path root;
  private final MemoryLimit memory;
  private final List<String> arguments;

  public static ProcessChecks here() {
    var arguments = ProcessHandle.current().info().arguments().map(List::of).orElse(List.of());
    return new ProcessChecks(Path.of("/"), MemoryLimit.ofThisProcess(), arguments);
  }

  /// @param root the root of the file system
  /// @param arguments the arguments of this process's Java
  ProcessChecks(Path root, MemoryLimit memory, List<String> arguments) {
    this.root = root;
    this.memory = memory;
    this.arguments = List.copyOf(arguments);
  }

  public List<Check> all() {
    return List.of(
        Check.of(MEMORY, () -> List.of(memory())), Check.of(CACHE, () -> List.of(cache())));
  }

  private CheckResult memory() {
    return memory
        .fix()
        .map(fix -> CheckResult.warning(MEMORY, memory.text(), fix))
        .orElseGet(() -> CheckResult.ok(MEMORY, memory.text()));
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
}

package dev.policysync.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/// Where a run took place, as Linux tells it.
final class Machine {
  private static final Path PROC = Path.of("/proc");

  private Machine() {}

  /// `2 × Intel Xeon, 23 GiB, Linux 6.1.0, Temurin-25.0.3+9`.
  static String description() throws IOException {
    return "%d × %s, %d GiB, %s %s, %s %s"
        .formatted(
            Runtime.getRuntime().availableProcessors(),
            value("cpuinfo", "model name"),
            Long.parseLong(value("meminfo", "MemTotal").replace(" kB", "")) >> 20,
            System.getProperty("os.name"),
            System.getProperty("os.version"),
            System.getProperty("java.vendor.version"),
            System.getProperty("java.vm.name"));
  }

  /// How many processes wanted a CPU in the last minute, on average: `0.42`.
  static String load() throws IOException {
    return Files.readString(PROC.resolve("loadavg")).split(" ", 2)[0];
  }

  private static String value(String file, String key) throws IOException {
    try (Stream<String> lines = Files.lines(PROC.resolve(file))) {
      return lines
          .filter(line -> line.startsWith(key))
          .findFirst()
          .map(line -> line.split(":", 2)[1].strip())
          .orElse("unknown " + key);
    }
  }
}

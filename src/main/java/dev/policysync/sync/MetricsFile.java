package dev.policysync.sync;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;

/// A file for node_exporter's textfile collector, which may read `*.prom` at any moment. The file
/// is replaced by renaming, so a reader never sees a partial file.
public final class MetricsFile {
  /// More bytes than the agent ever writes: a larger file is not the agent's.
  private static final long LARGEST = 1 << 20;

  private final Path file;

  public MetricsFile(Path file) {
    this.file = file;
  }

  /// Writes the metrics. Metrics that this run does not have keep their values in the file.
  ///
  /// @return why the file could not be written; empty if it was written
  public Optional<String> write(MetricsText metrics) {
    // The collector ignores files with another extension.
    var written = file.resolveSibling(file.getFileName() + ".new");
    try {
      Files.writeString(written, metrics.keepingOthersOf(older()));
      Files.move(written, file, StandardCopyOption.ATOMIC_MOVE);
      return Optional.empty();
    } catch (IOException e) {
      return Optional.of("cannot write " + file + ": " + e);
    }
  }

  private String older() throws IOException {
    if (!Files.exists(file)) {
      return "";
    }
    if (Files.size(file) > LARGEST) {
      throw new IOException("a file of this name is there and holds other things");
    }
    try {
      return Files.readString(file, UTF_8);
    } catch (CharacterCodingException _) {
      return "";
    }
  }
}

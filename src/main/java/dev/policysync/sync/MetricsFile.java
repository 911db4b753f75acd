package dev.policysync.sync;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;

/// A file for node_exporter's textfile collector, which reads `*.prom` at any moment: it is
/// replaced by renaming, and is whole at all times.
public final class MetricsFile {
  /// More than the agent ever writes: what is larger is somebody else's.
  private static final long LARGEST = 1 << 20;

  private final Path file;

  public MetricsFile(Path file) {
    this.file = file;
  }

  /// Writes them; what this run does not know stays as the file has it.
  ///
  /// @return why it could not be written, if so
  public Optional<String> write(MetricsText metrics) {
    // The collector reads no file of another ending.
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

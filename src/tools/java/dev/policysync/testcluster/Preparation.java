package dev.policysync.testcluster;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// What `dev/cluster/prepare` leaves in its cache.
final class Preparation {
  private static final Path PREPARE = Path.of("dev", "cluster", "prepare");

  private Preparation() {}

  /// The prepared folder that the property names; without it, as in an IDE, it is prepared now.
  ///
  /// @param arguments of the script: nothing, or `kyverno`
  /// @throws IllegalStateException if that fails, with what the script says is missing
  static Path folder(String property, String... arguments) {
    var prepared = System.getProperty(property, "");
    return prepared.isEmpty() ? prepare(arguments) : Path.of(prepared);
  }

  private static Path prepare(String... arguments) {
    var script = script(Path.of("").toAbsolutePath());
    var command = new ArrayList<>(List.of(script.toString()));
    command.addAll(List.of(arguments));
    try {
      var process =
          new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
      process.getOutputStream().close();
      var folder =
          new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
      if (process.waitFor() != 0) {
        throw new IllegalStateException(
            "nothing to test against: " + PREPARE + " failed, and says above what it needs");
      }
      return Path.of(folder);
    } catch (IOException e) {
      throw new IllegalStateException("nothing to test against: cannot run " + script, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while preparing what is tested against", e);
    }
  }

  private static Path script(Path below) {
    for (var folder = below; folder != null; folder = folder.getParent()) {
      if (Files.isExecutable(folder.resolve(PREPARE))) {
        return folder.resolve(PREPARE);
      }
    }
    throw new IllegalStateException(
        "nothing to test against: no " + PREPARE + " in " + below + " or above it");
  }
}

package dev.policysync.testcluster;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// What the scripts in `dev/cluster` leave in their cache.
public final class Preparation {
  private static final Path SCRIPTS = Path.of("dev", "cluster");

  private Preparation() {}

  /// The prepared folder that the property names; without it, as in an IDE, it is prepared now.
  ///
  /// @param arguments of `dev/cluster/prepare`: nothing, or `kyverno`
  /// @throws IllegalStateException if that fails, with what the script says is missing
  static Path folder(String property, String... arguments) {
    var prepared = System.getProperty(property, "");
    return prepared.isEmpty() ? printed("prepare", arguments) : Path.of(prepared);
  }

  /// The folder that one of the scripts prints: `build helm`.
  ///
  /// @throws IllegalStateException if it fails; what it says is missing is seen on stderr
  public static Path printed(String name, String... arguments) {
    var script = script(name, Path.of("").toAbsolutePath());
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
            "nothing to test against: " + script + " failed, and says above what it needs");
      }
      return Path.of(folder);
    } catch (IOException e) {
      throw new IllegalStateException("nothing to test against: cannot run " + script, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while preparing what is tested against", e);
    }
  }

  private static Path script(String name, Path below) {
    for (var folder = below; folder != null; folder = folder.getParent()) {
      var script = folder.resolve(SCRIPTS).resolve(name);
      if (Files.isExecutable(script)) {
        return script;
      }
    }
    throw new IllegalStateException(
        "nothing to test against: no " + SCRIPTS.resolve(name) + " in " + below + " or above it");
  }
}

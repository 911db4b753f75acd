package dev.policysync.dist;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Makes the class cache of the image while it is built: by the image's own runtime, flags and
/// paths, because Java refuses a cache of any other.
final class ImageCache {
  private ImageCache() {}

  /// Runs in a folder that has the example policies.
  ///
  /// @param args the folder of the program in the image: `/app`
  public static void main(String[] args) throws IOException, InterruptedException {
    var app = Path.of(args[0]);
    var folder = Files.createTempDirectory("policy-sync-training");
    Files.move(
        Training.of(
            new Program(app.resolve("policy-sync.jar"), options -> asTheImageDoes(app, options)),
            folder),
        app.resolve("policy-sync.aot"));
  }

  /// As the `ENTRYPOINT` of the Dockerfile has it.
  private static ProcessBuilder asTheImageDoes(Path app, List<String> javaOptions) {
    var command =
        new ArrayList<>(
            List.of(app.resolve("runtime/bin/java").toString(), "@" + app.resolve("java.options")));
    command.addAll(javaOptions);
    command.addAll(List.of("-jar", app.resolve("policy-sync.jar").toString()));
    var builder = new ProcessBuilder(command);
    builder.environment().clear();
    return builder;
  }
}

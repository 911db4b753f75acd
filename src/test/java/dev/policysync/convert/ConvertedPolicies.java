package dev.policysync.convert;

import dev.policysync.policy.feed.FilePolicySource;
import dev.policysync.policy.feed.PolicyReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// The policies in `src/test/resources/convert`, one file for each subject, and what becomes of
/// them.
public final class ConvertedPolicies {
  private static final Path FOLDER = Path.of("src", "test", "resources", "convert");

  private ConvertedPolicies() {}

  /// The files whose policies are all converted.
  public static List<Path> files() {
    return yaml(FOLDER);
  }

  /// The files whose policies are all refused.
  static List<Path> refused() {
    return yaml(FOLDER.resolve("refused"));
  }

  /// What becomes of the policies in a file or folder.
  public static List<Conversion> of(Path path) {
    var read =
        PolicyReader.readLocated(
            new FilePolicySource(path.toString(), InputStream::nullInputStream).read());
    return new Converter().convert(read);
  }

  private static List<Path> yaml(Path folder) {
    try (var files = Files.list(folder)) {
      return files.filter(file -> file.toString().endsWith(".yaml")).sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}

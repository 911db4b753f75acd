package dev.policysync.policy.feed;

import java.io.IOException;
import java.nio.file.FileVisitOption;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/// The manifests below a directory: `*.yaml`, `*.yml` and `*.json`, at any depth, in the order of
/// their paths. Hidden files and directories (`.git`, the `..data` of a mounted ConfigMap) are
/// skipped. Symbolic links are followed. What cannot be read, such as a cycle of links, is passed
/// to a handler.
final class ManifestFiles extends SimpleFileVisitor<Path> {
  private static final Set<String> ENDINGS = Set.of(".yaml", ".yml", ".json");

  private final Path root;
  private final Predicate<Path> excluded;
  private final FailureHandler onFailure;
  private final List<Path> found = new ArrayList<>();

  private ManifestFiles(Path root, Predicate<Path> excluded, FailureHandler onFailure) {
    this.root = root;
    this.excluded = excluded;
    this.onFailure = onFailure;
  }

  @FunctionalInterface
  interface FailureHandler {
    void handle(Path file, IOException failure) throws IOException;
  }

  /// @param excluded the files and directories that are passed over
  /// @param onFailure what to do about a file or directory that cannot be visited
  static List<Path> below(Path root, Predicate<Path> excluded, FailureHandler onFailure)
      throws IOException {
    var files = new ManifestFiles(root, excluded, onFailure);
    Files.walkFileTree(root, EnumSet.of(FileVisitOption.FOLLOW_LINKS), Integer.MAX_VALUE, files);
    files.found.sort(Comparator.comparing(Path::toString));
    return files.found;
  }

  @Override
  public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
    return isHidden(directory) || excluded.test(directory)
        ? FileVisitResult.SKIP_SUBTREE
        : FileVisitResult.CONTINUE;
  }

  @Override
  public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
    var name = file.getFileName().toString();
    var ending = name.substring(Math.max(0, name.lastIndexOf('.')));
    // Symbolic links are followed, so an entry that is still a link is broken. It is kept, because
    // reading it reports the error.
    var readable = attributes.isRegularFile() || attributes.isSymbolicLink();
    if (readable && ENDINGS.contains(ending) && !isHidden(file) && !excluded.test(file)) {
      found.add(file);
    }
    return FileVisitResult.CONTINUE;
  }

  @Override
  public FileVisitResult visitFileFailed(Path file, IOException failure) throws IOException {
    if (!isHidden(file) && !excluded.test(file)) {
      onFailure.handle(file, failure);
    }
    return FileVisitResult.CONTINUE;
  }

  private boolean isHidden(Path path) {
    return !path.equals(root) && path.getFileName().toString().startsWith(".");
  }
}

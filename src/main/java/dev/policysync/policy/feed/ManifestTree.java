package dev.policysync.policy.feed;

import dev.policysync.base.HeapBudget;
import dev.policysync.policy.Manifest;
import dev.policysync.policy.Position;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;

/// The manifests of files and directories, for commands that examine them. What cannot be read is
/// one entry, and the rest is read all the same; only a file that was named itself has to exist.
///
/// @param unreadable the files that cannot be read, such as a link in a loop
public record ManifestTree(List<Manifest> manifests, List<UnreadableDocument> unreadable) {
  private static final String STANDARD_INPUT = "-";

  public ManifestTree {
    manifests = List.copyOf(manifests);
    unreadable = List.copyOf(unreadable);
  }

  /// Reads files, directories and standard input (`-`).
  ///
  /// @param excluded the files and directories that are not read
  /// @throws FeedProblem if a named file does not exist, or if nothing is left to examine
  public static ManifestTree read(
      List<String> from, Predicate<Path> excluded, Supplier<InputStream> standardInput) {
    var manifests = new ArrayList<Manifest>();
    var unreadable = new ArrayList<UnreadableDocument>();
    for (var name : from) {
      if (name.equals(STANDARD_INPUT) || !Files.isDirectory(Path.of(name))) {
        new FilePolicySource(name, standardInput)
            .read().stream()
                .filter(manifest -> !excluded.test(Path.of(manifest.name())))
                .forEach(manifests::add);
      } else {
        readBelow(Path.of(name), excluded, manifests, unreadable);
      }
    }
    return new ManifestTree(manifests, unreadable);
  }

  private static void readBelow(
      Path directory,
      Predicate<Path> excluded,
      List<Manifest> manifests,
      List<UnreadableDocument> unreadable) {
    try {
      var files =
          ManifestFiles.below(
              directory, excluded, (file, failure) -> unreadable.add(unreadable(file, failure)));
      if (files.isEmpty() && unreadable.isEmpty()) {
        throw new FeedProblem(
            "no *.yaml, *.yml or *.json file below "
                + directory
                + "; specify a directory that contains one",
            false);
      }
      for (var file : files) {
        readFile(file, manifests, unreadable);
      }
    } catch (IOException e) {
      throw new FeedProblem(
          "cannot list " + directory + ": " + FilePolicySource.reason(e), false, e);
    }
  }

  private static void readFile(
      Path file, List<Manifest> manifests, List<UnreadableDocument> unreadable) {
    try {
      var limit = FeedLimit.of(HeapBudget.ofThisProcess());
      if (Files.size(file) > limit.bytes()) {
        unreadable.add(
            unreadable(file, "cannot read the file: " + limit.exceededBy(Files.size(file))));
      } else {
        manifests.add(new Manifest(file.toString(), Files.readAllBytes(file)));
      }
    } catch (IOException e) {
      unreadable.add(unreadable(file, e));
    }
  }

  private static UnreadableDocument unreadable(Path file, IOException failure) {
    return unreadable(file, "cannot read the file: " + FilePolicySource.reason(failure));
  }

  private static UnreadableDocument unreadable(Path file, String reason) {
    return new UnreadableDocument(
        Optional.empty(),
        Optional.of(file.toString()),
        List.of(new Position(file.toString(), 1, 1, 1)),
        reason);
  }
}

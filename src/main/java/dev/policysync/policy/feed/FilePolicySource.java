package dev.policysync.policy.feed;

import dev.policysync.base.HeapBudget;
import dev.policysync.policy.Manifest;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/// Reads policies from a file, from all manifests below a directory (see [ManifestFiles]), or from
/// standard input (`-`).
public final class FilePolicySource implements PolicySource {
  private static final String STANDARD_INPUT = "-";

  private final String from;
  private final Supplier<InputStream> standardInput;
  private final FeedLimit limit;

  /// The manifest from standard input, which can be read only once.
  private List<Manifest> fromStandardInput = List.of();

  /// Creates a source for `from`: a path, or `-` for the stream that `standardInput` opens.
  public FilePolicySource(String from, Supplier<InputStream> standardInput) {
    this(from, standardInput, FeedLimit.of(HeapBudget.ofThisProcess()));
  }

  /// @param limit for all manifests together
  FilePolicySource(String from, Supplier<InputStream> standardInput, FeedLimit limit) {
    this.from = from;
    this.standardInput = standardInput;
    this.limit = limit;
  }

  /// @throws FeedProblem if the file does not exist or cannot be read, or if a directory has no
  ///   manifests, which is a mistake and not an empty feed
  @Override
  public List<Manifest> read() {
    if (from.equals(STANDARD_INPUT)) {
      if (fromStandardInput.isEmpty()) {
        fromStandardInput =
            List.of(manifest(STANDARD_INPUT, standardInput::get, (int) limit.bytes()));
      }
      return fromStandardInput;
    }
    var manifests = new ArrayList<Manifest>();
    var left = (int) limit.bytes();
    for (var file : files()) {
      var manifest = manifest(file.toString(), () -> Files.newInputStream(file), left);
      left -= manifest.bytes().length;
      manifests.add(manifest);
    }
    return manifests;
  }

  private List<Path> files() {
    try {
      var path = Path.of(from);
      if (!Files.isDirectory(path)) {
        return List.of(path);
      }
      var files =
          ManifestFiles.below(
              path,
              _ -> false,
              (_, failure) -> {
                throw failure;
              });
      if (files.isEmpty()) {
        throw new FeedProblem(
            "no *.yaml, *.yml or *.json file below "
                + from
                + "; specify a directory that"
                + " contains one",
            false);
      }
      return files;
    } catch (IOException e) {
      throw new FeedProblem("cannot list " + from + ": " + reason(e), false, e);
    } catch (InvalidPathException e) {
      throw new FeedProblem("cannot read " + from + ": invalid path", false, e);
    }
  }

  private interface Opening {
    InputStream open() throws IOException;
  }

  private Manifest manifest(String name, Opening opening, int mostBytes) {
    try (var in = opening.open()) {
      var bytes = in.readNBytes(mostBytes);
      if (in.read() >= 0) {
        throw new FeedProblem(from + ": " + limit.exceeded() + ", or check the path", false);
      }
      return new Manifest(name, bytes);
    } catch (IOException e) {
      throw new FeedProblem("cannot read " + name + ": " + reason(e), false, e);
    }
  }

  static String reason(IOException e) {
    return switch (e) {
      case NoSuchFileException _ -> "no such file or directory";
      case AccessDeniedException _ -> "permission denied";
      case FileSystemLoopException loop ->
          "the symbolic link " + loop.getFile() + " leads back to a directory above it";
      default -> String.valueOf(e.getMessage());
    };
  }
}

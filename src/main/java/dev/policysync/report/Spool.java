package dev.policysync.report;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;

/// One temporary file that holds any number of strands, which grow side by side, block by block.
///
/// It has no name from the moment it is open, so that a process that is killed leaves nothing
/// behind.
final class Spool implements AutoCloseable {
  /// In bytes. Each strand that is written or read has one block of it in memory.
  static final int BLOCK = 2048;

  private final Path folder;
  private final FileChannel file;
  private long end;

  private Spool(Path folder, FileChannel file) {
    this.folder = folder;
    this.file = file;
  }

  /// A file in the first of these folders that can be written to.
  ///
  /// @throws CollectionFailed if there is none, saying what was wrong with each
  static Spool in(List<Path> folders) {
    var problems = new ArrayList<String>();
    for (var folder : new LinkedHashSet<>(folders)) {
      try {
        var path = Files.createTempFile(folder, "policy-sync-", ".spool");
        var file = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
        Files.delete(path);
        return new Spool(folder, file);
      } catch (IOException e) {
        problems.add(folder + " (" + reason(e) + ")");
      }
    }
    throw new CollectionFailed(
        "no folder for temporary files: tried "
            + String.join(", ", problems)
            + "; mount a writable volume, an emptyDir, at one of them");
  }

  /// What went wrong with a file, in a word or two.
  static String reason(IOException e) {
    return switch (e) {
      case NoSuchFileException _ -> "does not exist";
      case AccessDeniedException _ -> "no permission";
      case FileSystemException known when known.getReason() != null ->
          String.valueOf(known.getReason());
      default -> "not writable";
    };
  }

  /// An empty strand.
  Strand strand() {
    return new Strand(this);
  }

  /// Adds a block at the end.
  ///
  /// @return where it is
  long add(byte[] block, int length) {
    var at = end;
    try {
      for (var rest = ByteBuffer.wrap(block, 0, length); rest.hasRemaining(); ) {
        end += file.write(rest, end);
      }
    } catch (IOException e) {
      throw new CollectionFailed("cannot write temporary files in " + folder + ": " + reason(e), e);
    }
    return at;
  }

  /// Reads back a block.
  void read(long at, byte[] block, int length) {
    try {
      var rest = ByteBuffer.wrap(block, 0, length);
      while (rest.hasRemaining()) {
        if (file.read(rest, at + rest.position()) < 0) {
          throw new CollectionFailed("temporary files in " + folder + " were cut short");
        }
      }
    } catch (IOException e) {
      throw new CollectionFailed("cannot read temporary files in " + folder, e);
    }
  }

  @Override
  public void close() {
    try {
      file.close();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot close a temporary file in " + folder, e);
    }
  }
}

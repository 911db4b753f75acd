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
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// One temporary file that holds any number of strands, which grow side by side, block by block.
///
/// It has no name from the moment it is open, so that a process that is killed leaves nothing
/// behind.
public final class SpillFile implements AutoCloseable {
  /// In bytes. Each strand that is written or read has one block of it in memory.
  static final int BLOCK = 2048;

  /// In bytes: what a pod without any folder to write to may hold in memory instead.
  private static final int MOST_IN_MEMORY = 16 << 20;

  private final String place;
  private final Optional<FileChannel> file;
  private final Map<Long, byte[]> held = new HashMap<>();
  private long end;

  private SpillFile(String place, Optional<FileChannel> file) {
    this.place = place;
    this.file = file;
  }

  /// A file in the first of these folders that can be written to; without any, memory, which holds
  /// little.
  public static SpillFile inFileOrMemory(List<Path> folders) {
    try {
      return in(folders);
    } catch (CollectionFailed e) {
      return new SpillFile("memory; " + e.getMessage(), Optional.empty());
    }
  }

  /// A file in the first of these folders that can be written to.
  ///
  /// @throws CollectionFailed if there is none, saying what was wrong with each
  public static SpillFile in(List<Path> folders) {
    var problems = new ArrayList<String>();
    for (var folder : new LinkedHashSet<>(folders)) {
      try {
        var path = Files.createTempFile(folder, "policy-sync-", ".spool");
        var file = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
        Files.delete(path);
        return new SpillFile(folder.toString(), Optional.of(file));
      } catch (IOException e) {
        problems.add(folder + " (" + reason(e) + ")");
      }
    }
    throw new CollectionFailed(
        "no writable directory for temporary files: tried "
            + String.join(", ", problems)
            + "; mount a writable volume, e.g. an emptyDir, at one of them");
  }

  /// What went wrong with a file, in a word or two.
  public static String reason(IOException e) {
    return switch (e) {
      case NoSuchFileException _ -> "does not exist";
      case AccessDeniedException _ -> "no permission";
      case FileSystemException known when known.getReason() != null && !isFull(e) ->
          String.valueOf(known.getReason());
      default -> isFull(e) ? "no space left" : "not writable";
    };
  }

  /// What to do about it.
  public static String advice(IOException e) {
    return isFull(e) ? "give that volume more room" : "mount a writable volume there";
  }

  /// Of a write Java says only what the system says.
  private static boolean isFull(IOException e) {
    var message = String.valueOf(e.getMessage());
    return message.contains("No space left on device") || message.contains("Disk quota exceeded");
  }

  /// An empty strand.
  public SpillPartition strand() {
    return new SpillPartition(this);
  }

  /// Adds a block at the end.
  ///
  /// @return where it is
  long add(byte[] block, int length) {
    var at = end;
    if (file.isEmpty()) {
      hold(block, length);
      return at;
    }
    try {
      for (var rest = ByteBuffer.wrap(block, 0, length); rest.hasRemaining(); ) {
        end += file.get().write(rest, end);
      }
    } catch (IOException e) {
      throw new CollectionFailed(
          "cannot write temporary files in " + place + ": " + reason(e) + "; " + advice(e), e);
    }
    return at;
  }

  private void hold(byte[] block, int length) {
    if (end + length > MOST_IN_MEMORY) {
      throw new CollectionFailed("the results exceed the capacity of " + place);
    }
    held.put(end, Arrays.copyOf(block, length));
    end += length;
  }

  /// Reads back a block.
  void read(long at, byte[] block, int length) {
    var there = held.get(at);
    if (there != null) {
      System.arraycopy(there, 0, block, 0, length);
      return;
    }
    try {
      var rest = ByteBuffer.wrap(block, 0, length);
      while (rest.hasRemaining()) {
        if (file.orElseThrow().read(rest, at + rest.position()) < 0) {
          throw new CollectionFailed("temporary files in " + place + " are truncated");
        }
      }
    } catch (IOException e) {
      throw new CollectionFailed("cannot read temporary files in " + place, e);
    }
  }

  @Override
  public void close() {
    try {
      if (file.isPresent()) {
        file.get().close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot close a temporary file in " + place, e);
    }
  }
}

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

/// A temporary file for any number of partitions that grow concurrently, block by block.
///
/// The file is unlinked as soon as it is open, so a killed process leaves nothing behind.
final class SpillFile implements AutoCloseable {
  /// The block size in bytes. Each partition that is being written or read has one block in memory.
  static final int BLOCK = 2048;

  /// The capacity in bytes in memory, for a pod without a writable directory.
  private static final int MOST_IN_MEMORY = 16 << 20;

  private final String place;
  private final Optional<FileChannel> file;
  private final Map<Long, byte[]> held = new HashMap<>();
  private long end;

  private SpillFile(String place, Optional<FileChannel> file) {
    this.place = place;
    this.file = file;
  }

  /// Opens a file in the first writable one of these directories. Without any, uses memory, whose
  /// capacity is small.
  public static SpillFile inFileOrMemory(List<Path> folders) {
    try {
      return in(folders);
    } catch (CollectionFailed e) {
      return new SpillFile("memory; " + e.getMessage(), Optional.empty());
    }
  }

  /// Opens a file in the first writable one of these directories.
  ///
  /// @throws CollectionFailed if there is none; the message contains the problem with each
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

  /// Describes a file error in a few words.
  public static String reason(IOException e) {
    return switch (e) {
      case NoSuchFileException _ -> "does not exist";
      case AccessDeniedException _ -> "no permission";
      case FileSystemException known when known.getReason() != null && !isFull(e) ->
          String.valueOf(known.getReason());
      default -> isFull(e) ? "no space left" : "not writable";
    };
  }

  public static String advice(IOException e) {
    return isFull(e) ? "give that volume more room" : "mount a writable volume there";
  }

  /// Returns whether the disk is full. Java provides only the operating system's message.
  private static boolean isFull(IOException e) {
    var message = String.valueOf(e.getMessage());
    return message.contains("No space left on device") || message.contains("Disk quota exceeded");
  }

  /// Creates an empty partition.
  public SpillPartition createPartition() {
    return new SpillPartition(this);
  }

  /// Appends a block.
  ///
  /// @return the block's position
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

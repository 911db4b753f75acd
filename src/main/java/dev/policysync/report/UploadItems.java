package dev.policysync.report;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.OutputStream;
import java.util.function.IntPredicate;
import java.util.function.LongPredicate;

/// One list of the upload's body, spooled as JSON texts. Which of them count is known only when all
/// has been read: those of pages that are part of a list, and not of reports that turn out stale.
public final class UploadItems {
  /// Of an item that no other report can make stale.
  private static final long LASTING = 0;

  private final SpillPartition spillPartition;

  UploadItems(SpillFile spillFile) {
    this.spillPartition = spillFile.strand();
  }

  /// Adds an object.
  public void add(int page, String json) {
    add(page, LASTING, json);
  }

  /// Adds a report that may become stale.
  ///
  /// @param twin by which [dev.policysync.report.StaleReportFilter] know it
  public void add(int page, long twin, String json) {
    spillPartition.number(page);
    spillPartition.fixed(twin);
    spillPartition.bytes(json.getBytes(UTF_8));
  }

  void end() {
    spillPartition.end();
  }

  /// Writes those that count, as a JSON array.
  public void writeTo(OutputStream out, IntPredicate valid, LongPredicate stale)
      throws IOException {
    out.write('[');
    var first = true;
    for (var reader = spillPartition.reader(); reader.more(); ) {
      var page = reader.index();
      var twin = reader.fixed();
      var json = reader.bytes();
      if (valid.test(page) && (twin == LASTING || !stale.test(twin))) {
        if (!first) {
          out.write(',');
        }
        first = false;
        out.write(json);
      }
    }
    out.write(']');
  }
}

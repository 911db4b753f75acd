package dev.policysync.report;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.OutputStream;
import java.util.function.IntPredicate;
import java.util.function.LongPredicate;

/// One list of the upload's body, stored as JSON texts. Items of retried pages and stale reports
/// are left out; which ones those are is known only after everything was read.
final class UploadItems {
  /// The key of items that no other report can make stale.
  private static final long LASTING = 0;

  private final SpillPartition spillPartition;

  UploadItems(SpillFile spillFile) {
    this.spillPartition = spillFile.createPartition();
  }

  public void add(int page, String json) {
    add(page, LASTING, json);
  }

  /// Adds a report that may become stale.
  ///
  /// @param twin the report's key in [dev.policysync.report.StaleReportFilter]
  public void add(int page, long twin, String json) {
    spillPartition.number(page);
    spillPartition.fixed(twin);
    spillPartition.bytes(json.getBytes(UTF_8));
  }

  void end() {
    spillPartition.end();
  }

  /// Writes the items that count as a JSON array.
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

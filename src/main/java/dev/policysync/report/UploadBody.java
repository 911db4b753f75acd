package dev.policysync.report;

import java.io.IOException;
import java.io.OutputStream;

/// The body of the API's `kyverno` report: complete, of a known length, and written as often as it
/// is sent.
public interface UploadBody {
  /// In bytes.
  long length();

  /// Writes all of it, as UTF-8.
  void writeTo(OutputStream out) throws IOException;
}

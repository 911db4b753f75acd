package dev.policysync.report;

import java.io.IOException;
import java.io.OutputStream;

/// The body of the API's `kyverno` report. It is complete, has a known length and can be written
/// again for a retry.
public interface UploadBody {
  /// Returns the length in bytes.
  long length();

  /// Writes the whole body in UTF-8.
  void writeTo(OutputStream out) throws IOException;
}

package dev.policysync.report;

import com.fasterxml.jackson.core.JsonParser;
import java.io.IOException;

/// Receives the objects of one page of a list while the response arrives. If a page breaks off, it
/// is requested again and gets a new reader; discard what the first reader received.
public interface PageReader {
  /// Reads one object.
  ///
  /// @param parser positioned at the object's first token; at its last token afterwards
  void object(JsonParser parser) throws IOException;
}

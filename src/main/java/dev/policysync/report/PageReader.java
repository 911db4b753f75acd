package dev.policysync.report;

import com.fasterxml.jackson.core.JsonParser;
import java.io.IOException;

/// Takes the objects of one page of a list while they arrive. Where a page breaks off it is asked
/// for again and gets another reader; what the first one was told is void.
public interface PageReader {
  /// Takes one object.
  ///
  /// @param parser at the object's first token; afterwards at its last
  void object(JsonParser parser) throws IOException;
}

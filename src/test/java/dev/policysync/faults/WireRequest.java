package dev.policysync.faults;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import okio.ByteString;

/// A request as it came over a connection.
///
/// @param target path and query
record WireRequest(String method, String target, List<Header> headers, ByteString body) {
  record Header(String name, String value) {
    boolean is(String other) {
      return name.equalsIgnoreCase(other);
    }
  }

  /// The next one; empty where the connection has ended.
  static Optional<WireRequest> read(InputStream in) throws IOException {
    var lines = FaultProxy.head(in).lines().toList();
    if (lines.isEmpty()) {
      return Optional.empty();
    }
    var first = lines.getFirst().split(" ", -1);
    var headers = new ArrayList<Header>();
    var length = 0;
    for (var line : lines.subList(1, lines.size() - 1)) {
      var colon = line.indexOf(':');
      var header = new Header(line.substring(0, colon), line.substring(colon + 1).strip());
      headers.add(header);
      if (header.is("Content-Length")) {
        length = Integer.parseInt(header.value());
      }
    }
    return Optional.of(
        new WireRequest(first[0], first[1], headers, ByteString.of(in.readNBytes(length))));
  }

  String path() {
    return target.split("\\?", 2)[0];
  }
}

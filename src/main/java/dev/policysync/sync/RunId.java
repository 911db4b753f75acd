package dev.policysync.sync;

import java.util.HexFormat;
import java.util.concurrent.ThreadLocalRandom;

/// Names one run wherever it leaves a trace: `3f9a1c2e` in its log lines and its summary, behind
/// the pod's name in the Lease, in the `User-Agent` that the API server's audit log has, and as the
/// `X-Request-ID` of its calls to the remote API.
///
/// @param text eight hexadecimal digits
public record RunId(String text) {
  /// Another one each time; a restarted container must not take its predecessor's Lease for its
  /// own.
  public static RunId random() {
    return new RunId(HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextInt()));
  }

  @Override
  public String toString() {
    return text;
  }
}

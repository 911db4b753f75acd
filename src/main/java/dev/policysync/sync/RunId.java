package dev.policysync.sync;

import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Pattern;

/// The id of one run in everything that it leaves behind: `3f9a1c2e` in its log lines and its
/// summary, in the `User-Agent` in the API server's audit log, and in the `X-Request-ID` of its
/// calls to the remote API.
///
/// A run in a larger trace is started with `TRACEPARENT`, in the format of the header `traceparent`
/// (w3.org/TR/trace-context): the trace id is then the id of the run, and the value is passed on to
/// both servers unchanged. The name on the Lease is still unique for each run: two runs of one
/// trace, or of one Pod template, must not mistake each other's Lease for their own.
///
/// @param text eight hexadecimal digits, or the 32 of a trace id
/// @param holder eight hexadecimal digits that follow the pod's name on the Lease
/// @param traceparent the value of the header, if there is one
public record RunId(String text, String holder, Optional<String> traceparent) {
  private static final String VARIABLE = "TRACEPARENT";

  /// Version 00: trace id and parent id, neither of them all zeros, and flags.
  private static final Pattern TRACEPARENT =
      Pattern.compile("00-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}");

  public RunId(String text) {
    this(text, text, Optional.empty());
  }

  /// Creates a new id each time: a restarted container must not mistake its predecessor's Lease for
  /// its own.
  public static RunId random() {
    return new RunId(HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextInt()));
  }

  /// Creates the id of a run with these environment variables. An invalid `TRACEPARENT` is ignored.
  public static RunId of(Map<String, String> environment) {
    var random = random();
    var trace = TRACEPARENT.matcher(environment.getOrDefault(VARIABLE, "").strip());
    return trace.matches()
        ? new RunId(trace.group(1), random.holder, Optional.of(trace.group()))
        : random;
  }

  @Override
  public String toString() {
    return text;
  }
}

package dev.policysync.sync;

import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Pattern;

/// Names one run wherever it leaves a trace: `3f9a1c2e` in its log lines and its summary, in the
/// `User-Agent` that the API server's audit log has, and as the `X-Request-ID` of its calls to the
/// remote API.
///
/// Whoever starts a run as part of something larger names that by `TRACEPARENT`, as the header
/// `traceparent` has it (w3.org/TR/trace-context): its trace id is then the run's id, and it is
/// passed on to both servers as it came. What is in the Lease stays a name of the run's own: two
/// runs of one trace, or of one Pod's template, must not take each other's Lease for theirs.
///
/// @param text eight hexadecimal digits, or the 32 of a trace id
/// @param holder eight hexadecimal digits, behind the pod's name in the Lease
/// @param traceparent the header's value, where there is one
public record RunId(String text, String holder, Optional<String> traceparent) {
  private static final String VARIABLE = "TRACEPARENT";

  /// Version 00: trace id and parent id, none of them all zeros, and flags.
  private static final Pattern TRACEPARENT =
      Pattern.compile("00-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}");

  /// A run that is part of nothing else.
  public RunId(String text) {
    this(text, text, Optional.empty());
  }

  /// Another one each time; a restarted container must not take its predecessor's Lease for its
  /// own.
  public static RunId random() {
    return new RunId(HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextInt()));
  }

  /// The one of a run that was started with these variables. A `TRACEPARENT` that is none starts no
  /// trace and harms nobody.
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

package dev.policysync.remote.cluster;

import dev.policysync.sync.execution.TimeBudget;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import okhttp3.Call;
import okhttp3.OkHttpClient;
import okhttp3.Request;

/// Sets the time limit of each call, within the time that the run has left. All numbers for these
/// limits are here.
final class CallTimeouts {
  /// How long after the caller's request a write may still be sent. The caller checked the Lease
  /// before the request, and allows 12 s for a write to arrive.
  private static final Duration MAX_WRITE_DELAY = Duration.ofSeconds(10);

  /// The time limit for a complete response. A page of a list arrives within seconds; waiting
  /// longer for a server that needs half a minute does not help.
  private static final Duration READ = Duration.ofSeconds(30);

  /// The read timeout of a read without HTTP/2; over HTTP/2 a ping finds a dead connection sooner.
  /// A busy server lets a request wait in its queue for a quarter of a minute, and then rejects it.
  private static final Duration READ_TIMEOUT = Duration.ofSeconds(16);

  /// The limit of a write. A webhook may delay a write by 30 s, the maximum of its
  /// `timeoutSeconds`; the API server then reports which webhook it was.
  private static final Duration WRITE = Duration.ofSeconds(35);

  /// How long a write in flight may continue once the run is told to end.
  private static final Duration WRITE_AT_THE_END = Duration.ofSeconds(2);

  private final OkHttpClient reading;
  private final OkHttpClient writing;
  private final TimeBudget timeBudget;

  CallTimeouts(ClusterConnection connection) {
    this.timeBudget = connection.timeBudget();
    // By default OkHttp resends a request if a kept connection breaks, even one that may have taken
    // effect.
    this.reading =
        connection
            .http()
            .newBuilder()
            .readTimeout(READ_TIMEOUT)
            .retryOnConnectionFailure(false)
            .build();
    // A slow webhook is no reason to give up a write: only the limit of the whole call applies.
    this.writing = reading.newBuilder().readTimeout(Duration.ZERO).build();
  }

  /// @throws Unreachable.NotSent if the run has no time left
  Call call(Request request) throws IOException {
    var reading = KubeCalls.reads(request);
    var allowance = timeBudget.allowance(reading ? Duration.ZERO : WRITE_AT_THE_END);
    if (!allowance.isPositive()) {
      throw new Unreachable.NotSent("");
    }
    var call = (reading ? this.reading : writing).newCall(request);
    var limit = reading ? READ : WRITE;
    call.timeout().timeout(TimeBudget.shorter(allowance, limit).toNanos(), TimeUnit.NANOSECONDS);
    return call;
  }

  /// Returns whether a write would be too late if sent after that wait; a read is never too late.
  boolean isTooLate(Request request, long asked, Duration wait) {
    var age = Duration.ofNanos(timeBudget.nanoTime() - asked).plus(wait);
    return !KubeCalls.reads(request) && age.compareTo(MAX_WRITE_DELAY) > 0;
  }
}

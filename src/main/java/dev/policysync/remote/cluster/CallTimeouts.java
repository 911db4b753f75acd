package dev.policysync.remote.cluster;

import dev.policysync.sync.execution.TimeBudget;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import okhttp3.Call;
import okhttp3.OkHttpClient;
import okhttp3.Request;

/// How long a call may take, within what is left of the run; every number of it is here.
final class CallTimeouts {
  /// How long after it was asked for a write may still be sent: whoever asks has looked at the
  /// Lease before, and allows a write 12 s to arrive.
  private static final Duration PATIENCE_OF_A_WRITE = Duration.ofSeconds(10);

  /// How long an answer may take to be complete. A page of a list is there within seconds, and a
  /// server that needs half a minute for it will not get better by waiting.
  private static final Duration READ = Duration.ofSeconds(30);

  /// How long nothing may come of a read, if not over HTTP/2, where a ping finds a dead connection
  /// sooner. A busy server lets a request wait for its turn for a quarter of a minute, and then
  /// refuses it.
  private static final Duration SILENCE_OF_A_READ = Duration.ofSeconds(16);

  /// A webhook may keep a write waiting for 30 s, the most that its timeoutSeconds can say; the API
  /// server then tells which one it was.
  private static final Duration WRITE = Duration.ofSeconds(35);

  /// How long a write under way is waited for once the run is told to end.
  private static final Duration WRITE_AT_THE_END = Duration.ofSeconds(2);

  private final OkHttpClient reading;
  private final OkHttpClient writing;
  private final TimeBudget timeBudget;

  CallTimeouts(ClusterConnection connection) {
    this.timeBudget = connection.timeBudget();
    // By itself OkHttp repeats also what may have been done, where a kept connection breaks.
    this.reading =
        connection
            .http()
            .newBuilder()
            .readTimeout(SILENCE_OF_A_READ)
            .retryOnConnectionFailure(false)
            .build();
    // A webhook's silence alone is no reason to give up a write: its limit is one as a whole.
    this.writing = reading.newBuilder().readTimeout(Duration.ZERO).build();
  }

  /// The request as a call that ends in time.
  ///
  /// @throws Unreachable.NotSent if no time is left
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

  /// Whether a write that is sent after that wait would come too late; to read is never too late.
  boolean late(Request request, long asked, Duration wait) {
    var age = Duration.ofNanos(timeBudget.nanoTime() - asked).plus(wait);
    return !KubeCalls.reads(request) && age.compareTo(PATIENCE_OF_A_WRITE) > 0;
  }
}

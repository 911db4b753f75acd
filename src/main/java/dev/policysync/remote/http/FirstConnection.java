package dev.policysync.remote.http;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import okhttp3.Interceptor;
import okhttp3.OkHttpClient;
import okhttp3.Response;

/// Lets a client's first call connect alone while the other calls wait: HTTP/2 carries all of them
/// over one connection. Otherwise OkHttp would connect once per call and throw away all connections
/// but one, and a handshake costs a short run a twentieth of its CPU.
///
/// Over HTTP/1.1 the other calls connect after the first one, each by itself.
final class FirstConnection {
  /// How long the other calls wait: a handshake with a healthy server takes no longer, even over a
  /// long distance. After that, the other calls connect by themselves.
  private static final Duration PATIENCE = Duration.ofSeconds(1);

  private final AtomicBoolean begun = new AtomicBoolean();
  private final CountDownLatch ended = new CountDownLatch(1);

  private FirstConnection() {}

  static OkHttpClient.Builder installOn(OkHttpClient.Builder client) {
    var first = new FirstConnection();
    return client.addInterceptor(first::waitForFirst).addNetworkInterceptor(first::connected);
  }

  private Response waitForFirst(Interceptor.Chain chain) throws IOException {
    if (begun.compareAndSet(false, true)) {
      try {
        return chain.proceed(chain.request());
      } finally {
        ended.countDown();
      }
    }
    try {
      var _ = ended.await(PATIENCE.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (IOException) new InterruptedIOException("interrupted while connecting").initCause(e);
    }
    return chain.proceed(chain.request());
  }

  private Response connected(Interceptor.Chain chain) throws IOException {
    ended.countDown();
    return chain.proceed(chain.request());
  }
}

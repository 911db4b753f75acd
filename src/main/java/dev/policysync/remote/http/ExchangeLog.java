package dev.policysync.remote.http;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import okhttp3.HttpUrl;
import okhttp3.Interceptor;
import okhttp3.Response;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Logs one debug line per HTTP exchange: the request, the status, and the time until the response
/// headers arrived. The line never contains a query, a header or a body. For a failure it contains
/// only the exception's type, because the message may quote the response.
final class ExchangeLog implements Interceptor {
  private static final Logger log = LoggerFactory.getLogger(ExchangeLog.class);

  @Override
  public Response intercept(Chain chain) throws IOException {
    if (!log.isDebugEnabled()) {
      return chain.proceed(chain.request());
    }
    var start = System.nanoTime();
    try {
      var response = chain.proceed(chain.request());
      write(chain, "status", response.code(), start);
      return response;
    } catch (IOException e) {
      write(chain, "reason", e.getClass().getSimpleName(), start);
      throw e;
    }
  }

  private static void write(Chain chain, String key, Object value, long start) {
    log.atDebug()
        .addKeyValue("method", chain.request().method())
        .addKeyValue("url", bare(chain.request().url()))
        .addKeyValue(key, value)
        .addKeyValue("durationMs", TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start))
        .log("HTTP exchange");
  }

  private static HttpUrl bare(HttpUrl url) {
    return url.newBuilder().query(null).fragment(null).username("").password("").build();
  }
}

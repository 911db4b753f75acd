package dev.policysync.remote.http;

import java.time.Duration;
import java.time.Instant;
import okhttp3.Response;
import org.jspecify.annotations.Nullable;

/// The `Retry-After` header: seconds or an HTTP date (RFC 9110, section 10.2.3).
public final class RetryAfter {
  private static final String NAME = "Retry-After";

  private RetryAfter() {}

  /// Returns how long to wait; `null` if the header is missing or invalid.
  public static @Nullable Duration of(Response response, Instant now) {
    var value = response.header(NAME);
    if (value == null) {
      return null;
    }
    var date = response.headers().getInstant(NAME);
    if (date != null) {
      var wait = Duration.between(now, date);
      return wait.isNegative() ? Duration.ZERO : wait;
    }
    try {
      return Duration.ofSeconds(Math.max(0, Integer.parseInt(value.strip())));
    } catch (NumberFormatException _) {
      return null;
    }
  }
}

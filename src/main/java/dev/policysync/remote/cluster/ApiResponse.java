package dev.policysync.remote.cluster;

import dev.policysync.base.Value;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Optional;

/// A complete response of the API server.
///
/// @param date the `Date` header: the server's time of day
/// @param attempts the attempts that this response took
public record ApiResponse(
    int status,
    Value.Mapping body,
    List<String> warnings,
    Optional<String> date,
    Attempts attempts) {
  /// The number of attempts of a request.
  ///
  /// @param within the time from before the first attempt to after the last one
  public record Attempts(int count, Duration within) {
    public static final Attempts ONE = new Attempts(1, Duration.ZERO);
  }

  public ApiResponse(int status, Value.Mapping body, List<String> warnings, Optional<String> date) {
    this(status, body, warnings, date, Attempts.ONE);
  }

  public boolean ok() {
    return status >= 200 && status < 300;
  }

  /// Returns the server's time of day, to the second, if the response has one. Few callers need it,
  /// so the header is parsed only on demand.
  public Optional<Instant> time() {
    try {
      return date.map(text -> Instant.from(DateTimeFormatter.RFC_1123_DATE_TIME.parse(text)));
    } catch (DateTimeException _) {
      return Optional.empty();
    }
  }

  public String message() {
    return body.text("message").orElse("");
  }

  /// Returns the reason of a Status object; plain-text responses have none.
  public String reason() {
    return body.text("reason").orElse("");
  }
}

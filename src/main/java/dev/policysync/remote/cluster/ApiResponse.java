package dev.policysync.remote.cluster;

import dev.policysync.base.Value;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Optional;

/// An answer of the API server that was read to its end.
///
/// @param date the header of that name: the server's own time of day
/// @param attempts how often the request was sent until it was the answer
public record ApiResponse(
    int status,
    Value.Mapping body,
    List<String> warnings,
    Optional<String> date,
    Attempts attempts) {
  /// How often a request was sent.
  ///
  /// @param within how much time, from before the first to after the last
  public record Attempts(int count, Duration within) {
    /// One that was enough.
    public static final Attempts ONE = new Attempts(1, Duration.ZERO);
  }

  /// The answer to a request that was sent once.
  public ApiResponse(int status, Value.Mapping body, List<String> warnings, Optional<String> date) {
    this(status, body, warnings, date, Attempts.ONE);
  }

  public boolean ok() {
    return status >= 200 && status < 300;
  }

  /// The server's own time of day, to the second, where it tells it. Few ask, so it is read when
  /// one does.
  public Optional<Instant> time() {
    try {
      return date.map(text -> Instant.from(DateTimeFormatter.RFC_1123_DATE_TIME.parse(text)));
    } catch (DateTimeException _) {
      return Optional.empty();
    }
  }

  /// The message of a Status object.
  public String message() {
    return body.text("message").orElse("");
  }

  /// The reason of a Status object; plain-text answers have none.
  public String reason() {
    return body.text("reason").orElse("");
  }
}

package dev.policysync.inspect;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/// Sends a check's request to the remote API.
public interface ApiDiagnostics {
  /// Requests the feed and reads only the beginning of the response.
  Probe probe();

  sealed interface Probe {
    /// The API responded.
    ///
    /// @param url the requested URL, without secrets
    /// @param certificate empty over plain http
    /// @param ahead how far our clock is ahead of the API's, if the response contains its time
    /// @param refusal why the response is not a feed; empty if it is one
    record Answered(
        String url,
        Optional<Certificate> certificate,
        Optional<Duration> ahead,
        Optional<String> refusal)
        implements Probe {}

    /// The API did not respond.
    ///
    /// @param reason what was requested, what happened and what to do
    record Unanswered(String reason) implements Probe {}
  }

  /// The server certificate of the API.
  ///
  /// @param protocol `TLSv1.3`
  /// @param subject `CN=insights.fairwinds.com`
  record Certificate(String protocol, String subject, Instant until) {}
}

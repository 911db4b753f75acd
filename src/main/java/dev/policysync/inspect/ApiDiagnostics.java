package dev.policysync.inspect;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/// The remote API, as far as a check asks it.
public interface ApiDiagnostics {
  /// Asks for the feed and looks at the begin of the answer; its rest is not downloaded.
  Probe probe();

  /// What came of it.
  sealed interface Probe {
    /// The API answered.
    ///
    /// @param url that was asked, without anything secret
    /// @param certificate none over plain http
    /// @param ahead how far our clock is ahead of the API's, where it tells the time
    /// @param refusal why the answer is no feed; empty where it is
    record Answered(
        String url,
        Optional<Certificate> certificate,
        Optional<Duration> ahead,
        Optional<String> refusal)
        implements Probe {}

    /// There was no answer.
    ///
    /// @param reason what was asked, what happened, and what to do
    record Unanswered(String reason) implements Probe {}
  }

  /// By what the API proved who it is.
  ///
  /// @param protocol `TLSv1.3`
  /// @param subject `CN=insights.fairwinds.com`
  record Certificate(String protocol, String subject, Instant until) {}
}

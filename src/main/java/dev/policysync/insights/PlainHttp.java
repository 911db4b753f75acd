package dev.policysync.insights;

/// Where the token may travel without TLS.
public enum PlainHttp {
  /// Within this machine, as for a demo or a test.
  TO_LOOPBACK_ONLY,
  /// Anywhere: a deliberate choice, `ALLOW_HTTP=true`.
  ALLOWED
}

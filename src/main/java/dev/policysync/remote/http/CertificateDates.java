package dev.policysync.remote.http;

import java.io.IOException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertPathValidatorException.BasicReason;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Optional;

/// Detects whether a TLS connection failed because of the dates of the server's certificate, or of
/// a certificate that signed it. Java reports this in the middle of a chain of causes.
public final class CertificateDates {
  private CertificateDates() {}

  /// Returns an explanation such as `the server's certificate expired at 2026-11-24T10:00:00Z;
  /// renew it, or check the clock of this machine`. Empty for every other failure.
  public static Optional<String> explain(IOException failure) {
    for (var cause = failure.getCause(); cause != null; cause = cause.getCause()) {
      if (cause instanceof CertPathValidatorException invalid) {
        return explain(invalid);
      }
    }
    return Optional.empty();
  }

  private static Optional<String> explain(CertPathValidatorException invalid) {
    if (invalid.getCertPath() == null
        || invalid.getIndex() < 0
        || !(invalid.getCertPath().getCertificates().get(invalid.getIndex())
            instanceof X509Certificate certificate)) {
      return Optional.empty();
    }
    var which =
        invalid.getIndex() == 0
            ? "the server's certificate "
            : "a certificate that signed the server's ";
    if (invalid.getReason() == BasicReason.EXPIRED) {
      return Optional.of(which + expired(certificate));
    }
    return invalid.getReason() == BasicReason.NOT_YET_VALID
        ? Optional.of(which + notYetValid(certificate))
        : Optional.empty();
  }

  /// Returns why a certificate is not valid at that time: `expired at 2026-11-24T10:00:00Z; …`.
  /// Empty if it is valid.
  static Optional<String> invalidAt(X509Certificate certificate, Instant time) {
    if (time.isAfter(certificate.getNotAfter().toInstant())) {
      return Optional.of(expired(certificate));
    }
    return time.isBefore(certificate.getNotBefore().toInstant())
        ? Optional.of(notYetValid(certificate))
        : Optional.empty();
  }

  private static String expired(X509Certificate certificate) {
    return "expired at "
        + certificate.getNotAfter().toInstant()
        + "; renew it, or check the clock of this machine";
  }

  private static String notYetValid(X509Certificate certificate) {
    return "is not valid before "
        + certificate.getNotBefore().toInstant()
        + "; check the clock of this machine";
  }
}

package dev.policysync.remote.cluster;

import dev.policysync.base.Json;
import dev.policysync.base.Secret;
import dev.policysync.base.Value;
import dev.policysync.remote.http.ClientIdentity;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Optional;

/// The output of a credential plugin
/// (<https://kubernetes.io/docs/reference/config-api/client-authentication.v1/>): a token, a client
/// certificate, or both, and their expiry.
record ExecCredential(
    Optional<Secret> token, Optional<ClientIdentity> identity, Optional<Instant> expiration) {

  /// Parses the output as strictly as kubectl does.
  ///
  /// @throws IllegalArgumentException if the output is invalid; no message quotes it
  static ExecCredential parse(String json, String apiVersion) {
    var answer = mapping(json);
    if (answer.text("kind").filter("ExecCredential"::equals).isEmpty()) {
      throw new IllegalArgumentException("did not return an ExecCredential as JSON");
    }
    var version = answer.text("apiVersion").orElse("");
    if (!version.equals(apiVersion)) {
      throw new IllegalArgumentException(
          "is configured for " + apiVersion + " and returned another apiVersion");
    }
    if (!(answer.field("status").orElse(Value.Null.NULL) instanceof Value.Mapping status)) {
      throw new IllegalArgumentException("returned no status");
    }
    var credential =
        new ExecCredential(
            status.text("token").filter(text -> !text.isEmpty()).map(ExecCredential::token),
            identity(status),
            status.text("expirationTimestamp").map(ExecCredential::time));
    if (credential.token().isEmpty() && credential.identity().isEmpty()) {
      throw new IllegalArgumentException("returned neither a token nor a client certificate");
    }
    return credential;
  }

  private static Value.Mapping mapping(String json) {
    try {
      return Json.parse(json) instanceof Value.Mapping mapping ? mapping : Value.Mapping.EMPTY;
    } catch (IOException _) {
      return Value.Mapping.EMPTY;
    }
  }

  private static Secret token(String text) {
    try {
      return Secret.of(text);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("returned a token that " + e.getMessage(), e);
    }
  }

  private static Optional<ClientIdentity> identity(Value.Mapping status) {
    var certificate = status.text("clientCertificateData").filter(pem -> !pem.isEmpty());
    var key = status.text("clientKeyData").filter(pem -> !pem.isEmpty());
    if (certificate.isPresent() != key.isPresent()) {
      throw new IllegalArgumentException("returned only one of client certificate and key");
    }
    return certificate.map(pem -> {
      try {
        return ClientIdentity.parse(
            pem, "clientCertificateData", key.orElseThrow(), "clientKeyData");
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException("returned a bad certificate: " + e.getMessage(), e);
      }
    });
  }

  private static Instant time(String text) {
    try {
      return OffsetDateTime.parse(text).toInstant();
    } catch (DateTimeException e) {
      throw new IllegalArgumentException("returned an expirationTimestamp that is no RFC 3339", e);
    }
  }

  boolean expiredAt(Instant time) {
    return expiration.filter(time::isAfter).isPresent();
  }
}

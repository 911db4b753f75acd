package dev.policysync.remote.http;

import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.policysync.harness.LoopbackHttps;
import dev.policysync.testcluster.Certificates;
import dev.policysync.testcluster.Certificates.Validity;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import javax.net.ssl.SSLException;
import okhttp3.Request;

/// A real handshake with a server on the loopback address whose certificate is refused.
///
/// @param failure what the call ended with
/// @param at the date because of which
public record FailedHandshake(SSLException failure, Instant at) {
  private static final Certificates AUTHORITY = new Certificates();

  /// With one that was valid until an hour ago.
  public static FailedHandshake expired() throws IOException {
    return expired(AUTHORITY.pem());
  }

  /// The same.
  ///
  /// @param trusted the certificate of the authority that the client trusts
  public static FailedHandshake expired(String trusted) throws IOException {
    var until = now().minus(Duration.ofHours(1));
    var validity = new Validity(until.minus(Duration.ofDays(90)), until);
    return new FailedHandshake(handshake(validity, trusted), until);
  }

  /// With one that will be valid in an hour.
  public static FailedHandshake notYetValid() throws IOException {
    var from = now().plus(Duration.ofHours(1));
    var validity = new Validity(from, from.plus(Duration.ofDays(90)));
    return new FailedHandshake(handshake(validity, AUTHORITY.pem()), from);
  }

  private static Instant now() {
    return Instant.now().truncatedTo(ChronoUnit.SECONDS);
  }

  private static SSLException handshake(Validity validity, String trusted) throws IOException {
    var server = LoopbackHttps.create(AUTHORITY.server(validity));
    server.start();
    var pem = Files.createTempFile("trusted", ".pem");
    try {
      Files.writeString(pem, trusted);
      var trust = Trust.fromEnvironment(Map.of("SSL_CERT_FILE", pem.toString()));
      try (var connections = Connections.tls(trust, ProxyRules.none())) {
        var url = "https://127.0.0.1:" + server.getAddress().getPort();
        var call = connections.client().newCall(new Request.Builder().url(url).build());
        return catchThrowableOfType(SSLException.class, () -> call.execute().close());
      }
    } finally {
      server.stop(0);
      Files.delete(pem);
    }
  }
}

package dev.policysync.remote.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonParseException;
import dev.policysync.remote.http.FailedHandshake;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.ProtocolException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.security.cert.CertificateException;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class UnreachableTest {
  private static final String QUOTED = "s3cret\nof two lines";

  static Stream<Arguments> failures() {
    return Stream.of(
        Arguments.of(new ConnectException(QUOTED), "could not connect"),
        Arguments.of(new NoRouteToHostException(QUOTED), "could not connect"),
        Arguments.of(new UnknownHostException(QUOTED), "the host name could not be resolved"),
        Arguments.of(new SocketTimeoutException(QUOTED), "no response in time"),
        Arguments.of(new InterruptedIOException(QUOTED), "no response in time"),
        Arguments.of(new SSLException(QUOTED), "the TLS connection failed"),
        Arguments.of(
            new SSLPeerUnverifiedException(QUOTED), "the certificate is for another host name"),
        Arguments.of(
            new SSLHandshakeException(QUOTED, new CertificateException(QUOTED)),
            "the certificate is not signed by the configured CA"),
        Arguments.of(new JsonParseException(null, QUOTED), "the response is truncated or not JSON"),
        Arguments.of(new ProtocolException(QUOTED), "the connection was interrupted"),
        Arguments.of(new IOException((String) null), "the connection was interrupted"));
  }

  @ParameterizedTest
  @MethodSource("failures")
  void saysWhatHappenedInOneLineOfItsOwn(IOException failure, String said) {
    assertThat(Unreachable.explain(failure))
        .startsWith(said)
        .contains("; ")
        .doesNotContain("s3cret", "\n");
  }

  @Test
  void tellsAnExpiredCertificateFromOneOfAnotherAuthority() throws IOException {
    var expired = FailedHandshake.expired();

    assertThat(Unreachable.explain(expired.failure()))
        .startsWith("the server's certificate expired at " + expired.at())
        .endsWith("check the clock of this machine");
    assertThat(Unreachable.mayPass(expired.failure())).isFalse();
  }

  @Test
  void leavesAnExplanationOfOurOwnAsItIs() {
    assertThat(Unreachable.explain(new Unreachable.Explained("the list is truncated")))
        .isEqualTo("the list is truncated");
  }
}

package dev.policysync.remote.insights;

import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.remote.http.FailedHandshake;
import java.io.EOFException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.ProtocolException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.security.cert.CertificateExpiredException;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class TransportFailureTest {
  static Stream<Arguments> failures() {
    return Stream.of(
        Arguments.of(new SocketTimeoutException("x"), RetryDecision.SOON, "timed out"),
        Arguments.of(
            new InterruptedIOException("timeout"), RetryDecision.NEXT_RUN, "did not complete"),
        Arguments.of(
            new UnknownHostException("x"), RetryDecision.SOON, "the host name could not be"),
        Arguments.of(new ConnectException("x"), RetryDecision.SOON, "could not connect"),
        Arguments.of(new NoRouteToHostException("x"), RetryDecision.SOON, "could not connect"),
        Arguments.of(
            new SocketException("Connection reset"),
            RetryDecision.SOON,
            "the connection was reset"),
        Arguments.of(new ProtocolException("x"), RetryDecision.SOON, "the connection was reset"),
        Arguments.of(new EOFException(), RetryDecision.SOON, "the connection was reset"),
        Arguments.of(new IOException("x"), RetryDecision.SOON, "the connection was reset"),
        Arguments.of(new SSLException("x"), RetryDecision.SOON, "the TLS connection failed"),
        Arguments.of(
            new SSLHandshakeException("x", new CertificateExpiredException("x")),
            RetryDecision.NEVER,
            "the certificate is not trusted"),
        Arguments.of(
            new SSLPeerUnverifiedException("x"), RetryDecision.NEVER, "the certificate is for"));
  }

  @ParameterizedTest
  @MethodSource("failures")
  void saysWhatBrokeAndWhetherToTryAgain(
      IOException failure, RetryDecision retryDecision, String message) {
    var explained = TransportFailure.explain(failure);

    assertThat(explained).hasMessageStartingWith(message);
    assertThat(explained.retryDecision()).isEqualTo(retryDecision);
  }

  @ParameterizedTest
  @MethodSource("failures")
  void repeatsNoMessageThatMayQuoteTheAnswer(IOException failure) {
    var explained = TransportFailure.explain(failure);

    assertThat(explained.getMessage()).doesNotContain("x:");
    if (failure instanceof ProtocolException || failure.getClass() == IOException.class) {
      assertThat(explained).hasNoCause();
    }
  }

  @Test
  void tellsACertificateThatIsNotYetValidFromOneOfAnotherAuthority() throws IOException {
    var early = FailedHandshake.notYetValid();

    var explained = TransportFailure.explain(early.failure());

    assertThat(explained)
        .hasMessage(
            "the server's certificate is not valid before "
                + early.at()
                + "; check the clock of this machine");
    assertThat(explained.retryDecision()).isEqualTo(RetryDecision.NEVER);
  }

  @Test
  void saysThatTheThreadWasInterrupted() {
    Thread.currentThread().interrupt();

    var explained = TransportFailure.explain(new InterruptedIOException("interrupted"));

    assertThat(Thread.interrupted()).isTrue();
    assertThat(explained).hasMessage("interrupted");
    assertThat(explained.retryDecision()).isEqualTo(RetryDecision.NEXT_RUN);
  }
}

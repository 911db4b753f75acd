package dev.policysync.insights;

import static org.assertj.core.api.Assertions.assertThat;

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
        Arguments.of(new SocketTimeoutException("x"), Again.SOON, "timed out"),
        Arguments.of(new InterruptedIOException("timeout"), Again.NEXT_RUN, "did not complete"),
        Arguments.of(new UnknownHostException("x"), Again.SOON, "the host name could not be"),
        Arguments.of(new ConnectException("x"), Again.SOON, "could not connect"),
        Arguments.of(new NoRouteToHostException("x"), Again.SOON, "could not connect"),
        Arguments.of(new SocketException("Connection reset"), Again.SOON, "the connection broke"),
        Arguments.of(new ProtocolException("x"), Again.SOON, "the connection broke"),
        Arguments.of(new EOFException(), Again.SOON, "the connection broke"),
        Arguments.of(new IOException("x"), Again.SOON, "the connection broke"),
        Arguments.of(new SSLException("x"), Again.SOON, "the TLS connection failed"),
        Arguments.of(
            new SSLHandshakeException("x", new CertificateExpiredException("x")),
            Again.NEVER,
            "its certificate is not trusted"),
        Arguments.of(new SSLPeerUnverifiedException("x"), Again.NEVER, "its certificate is for"));
  }

  @ParameterizedTest
  @MethodSource("failures")
  void saysWhatBrokeAndWhetherToTryAgain(IOException failure, Again again, String message) {
    var explained = TransportFailure.explain(failure);

    assertThat(explained).hasMessageStartingWith(message);
    assertThat(explained.again()).isEqualTo(again);
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
  void saysThatTheThreadWasInterrupted() {
    Thread.currentThread().interrupt();

    var explained = TransportFailure.explain(new InterruptedIOException("interrupted"));

    assertThat(Thread.interrupted()).isTrue();
    assertThat(explained).hasMessage("interrupted");
    assertThat(explained.again()).isEqualTo(Again.NEXT_RUN);
  }
}

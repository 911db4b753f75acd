package dev.policysync.remote.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.harness.TestAuthority;
import java.io.IOException;
import java.nio.file.Files;
import org.junit.jupiter.api.Test;

/// What is said of a server's certificate, by real handshakes.
class CertificateDatesTest {
  @Test
  void saysWhenACertificateExpired() throws IOException {
    var expired = FailedHandshake.expired();

    assertThat(CertificateDates.explain(expired.failure()))
        .contains(
            "the server's certificate expired at "
                + expired.at()
                + "; renew it, or check the clock of this machine");
  }

  @Test
  void saysFromWhenACertificateIsValid() throws IOException {
    var early = FailedHandshake.notYetValid();

    assertThat(CertificateDates.explain(early.failure()))
        .contains(
            "the server's certificate is not valid before "
                + early.at()
                + "; check the clock of this machine");
  }

  @Test
  void saysNothingOfOneThatIsNotTrustedWhateverItsDates() throws IOException {
    var untrusted = FailedHandshake.expired(Files.readString(TestAuthority.shared().pem()));

    assertThat(untrusted.failure()).isNotNull();
    assertThat(CertificateDates.explain(untrusted.failure())).isEmpty();
    assertThat(CertificateDates.explain(new IOException("NotAfter"))).isEmpty();
  }
}

package dev.policysync.remote.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.security.KeyStore;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Who decides on a chain, and that the verdict is that of all anchors.
class IssuerTrustManagerTest {
  private static final Trust NOBODY_NAMED = Trust.fromEnvironment(Map.of());

  private final AtomicInteger read = new AtomicInteger();
  private final AtomicInteger asked = new AtomicInteger();
  private X509Certificate[] chain;
  private X509Certificate authority;

  @BeforeEach
  void readTheChain() throws Exception {
    chain = RootsFileTest.chain();
    authority = chain[chain.length - 1];
  }

  @Test
  void findsTheIssuerInTheBundleWithoutTheRoots() {
    assertThatCode(() -> check(List.of(authority), RootsFile.of(new byte[0])))
        .doesNotThrowAnyException();

    assertThat(read).hasValue(0);
    assertThat(asked).hasValue(0);
  }

  @Test
  void findsTheIssuerAmongTheRootsWithoutTheOthers() {
    assertThatCode(() -> check(List.of(), roots(authority))).doesNotThrowAnyException();

    assertThat(asked).hasValue(0);
  }

  @Test
  void leavesToAllWhomNeitherKnows() {
    assertThatThrownBy(() -> check(List.of(), roots(NOBODY_NAMED.all().getAcceptedIssuers()[0])))
        .isInstanceOf(CertificateException.class);

    assertThat(asked).hasValue(1);
  }

  /// A name is no proof.
  @Test
  void acceptsNoChainForTheNameOfItsIssuer() throws Exception {
    var broken = chain[0].getEncoded();
    broken[broken.length - 1] ^= 1;
    chain[0] =
        (X509Certificate)
            CertificateFactory.getInstance("X.509")
                .generateCertificate(new ByteArrayInputStream(broken));

    assertThatThrownBy(() -> check(List.of(authority), roots(authority)))
        .isInstanceOf(CertificateException.class);

    assertThat(asked).hasValue(1);
  }

  private void check(List<X509Certificate> bundle, RootsFile roots) throws CertificateException {
    new IssuerTrustManager(
            bundle,
            () -> {
              read.incrementAndGet();
              return roots;
            },
            Trust::trusting,
            () -> {
              asked.incrementAndGet();
              return NOBODY_NAMED.all();
            })
        .checkServerTrusted(chain, "UNKNOWN");
  }

  private static RootsFile roots(X509Certificate root) throws Exception {
    var store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    store.setCertificateEntry("root", root);
    return RootsFile.of(RootsFileTest.stored(store, null));
  }
}

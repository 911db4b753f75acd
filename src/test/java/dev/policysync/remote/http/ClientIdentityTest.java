package dev.policysync.remote.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.policysync.testcluster.Certificates;
import dev.policysync.testcluster.Certificates.Signed;
import dev.policysync.testcluster.Certificates.Validity;
import java.io.StringReader;
import java.io.StringWriter;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.openssl.PEMKeyPair;
import org.bouncycastle.openssl.PEMParser;
import org.bouncycastle.util.io.pem.PemObject;
import org.bouncycastle.util.io.pem.PemWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClientIdentityTest {
  private static final Certificates AUTHORITY = new Certificates();
  private static final Signed EC = AUTHORITY.issue("alice", List.of(), "EC");
  private static final Signed RSA = AUTHORITY.issue("alice", List.of(), "RSA");

  @ParameterizedTest
  @CsvSource({"EC, EC PRIVATE KEY", "RSA, RSA PRIVATE KEY"})
  void readsKeysAsOpenSslWritesThem(String algorithm, String block) throws Exception {
    var signed = algorithm.equals("EC") ? EC : RSA;

    var identity = identity(signed.certificate(), signed.privateKey());

    assertThat(signed.privateKey()).contains("BEGIN " + block);
    assertThat(proves(identity)).isTrue();
  }

  @ParameterizedTest
  @CsvSource({"EC", "RSA"})
  void readsKeysOfPkcs8(String algorithm) throws Exception {
    var signed = algorithm.equals("EC") ? EC : RSA;
    var pkcs8 = pkcs8(signed.privateKey());

    assertThat(pkcs8).contains("BEGIN PRIVATE KEY");
    assertThat(proves(identity(signed.certificate(), pkcs8))).isTrue();
  }

  @Test
  void findsTheKeyInAFileThatHoldsTheCertificateToo() throws Exception {
    var combined =
        EC.certificate()
            + "-----BEGIN EC PARAMETERS-----\nBggqhkjOPQMBBw==\n"
            + "-----END EC PARAMETERS-----\n"
            + EC.privateKey();

    assertThat(proves(identity(combined, combined))).isTrue();
  }

  @Test
  void saysWhichPartIsWrongAndQuotesNone() {
    var base64 = EC.privateKey().lines().skip(1).findFirst().orElseThrow();
    var cut = "-----BEGIN EC PRIVATE KEY-----\n" + base64 + "\n-----END EC PRIVATE KEY-----";
    var encrypted =
        "-----BEGIN ENCRYPTED PRIVATE KEY-----\nAA==\n-----END ENCRYPTED PRIVATE KEY-----";

    assertThatThrownBy(() -> identity("nothing", EC.privateKey()))
        .hasMessageStartingWith("client-certificate contains no certificate");
    assertThatThrownBy(() -> identity(EC.certificate(), "nothing"))
        .hasMessageStartingWith("client-key contains no private key");
    assertThatThrownBy(() -> identity(EC.certificate(), cut))
        .hasMessageStartingWith("client-key is malformed")
        .hasNoCause()
        .message()
        .doesNotContain(base64.substring(0, 12));
    assertThatThrownBy(() -> identity(RSA.certificate(), EC.privateKey()))
        .hasMessageContaining("of another algorithm than its certificate");
    assertThatThrownBy(() -> identity(EC.certificate(), encrypted))
        .hasMessageContaining("client-key is encrypted with a passphrase");
  }

  @Test
  void knowsFromWhenUntilWhenItIsValid() {
    var from = Instant.parse("2026-01-01T00:00:00Z");
    var validity = new Validity(from, from.plus(Duration.ofDays(30)));
    var signed = AUTHORITY.issue("bob", List.of(), "EC", validity);
    var identity = identity(signed.certificate(), signed.privateKey());

    assertThat(identity.invalidAt(from.plusSeconds(1))).isEmpty();
    assertThat(identity.invalidAt(from.minusSeconds(1)))
        .contains("is not valid before 2026-01-01T00:00:00Z; check the clock of this machine");
    assertThat(identity.invalidAt(from.plus(Duration.ofDays(31))).orElseThrow())
        .startsWith("expired at 2026-01-31T00:00:00Z; ");
  }

  private static ClientIdentity identity(String certificate, String key) {
    return ClientIdentity.parse(certificate, "client-certificate", key, "client-key");
  }

  /// Whether what its key signs is verified by its certificate.
  private static boolean proves(ClientIdentity identity) throws Exception {
    PrivateKey key = identity.keyManager().getPrivateKey("client");
    PublicKey owner = identity.keyManager().getCertificateChain("client")[0].getPublicKey();
    var signature =
        Signature.getInstance(
            key.getAlgorithm().equals("EC") ? "SHA256withECDSA" : "SHA256withRSA");
    signature.initSign(key);
    signature.update((byte) 1);
    var signed = signature.sign();
    signature.initVerify(owner);
    signature.update((byte) 1);
    return signature.verify(signed);
  }

  private static String pkcs8(String pem) throws Exception {
    try (var parser = new PEMParser(new StringReader(pem))) {
      PrivateKeyInfo info = ((PEMKeyPair) parser.readObject()).getPrivateKeyInfo();
      var text = new StringWriter();
      try (var writer = new PemWriter(text)) {
        writer.writeObject(new PemObject("PRIVATE KEY", info.getEncoded()));
      }
      return text.toString();
    }
  }
}

package dev.policysync.testcluster;

import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import org.bouncycastle.asn1.sec.ECPrivateKey;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x500.X500NameBuilder;
import org.bouncycastle.asn1.x500.style.BCStyle;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.bouncycastle.cert.X509CertificateHolder;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.openssl.jcajce.JcaPEMWriter;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.bouncycastle.util.io.pem.PemObject;

/// The authority whose client certificates the test cluster believes: by them a test can be any
/// user in any groups.
public final class Certificates {
  private static final X500Name NAME = new X500Name("CN=test clients");

  private final KeyPair keys = keys("EC");
  private final X509CertificateHolder own;
  private int issued;

  Certificates() {
    this.own = sign(NAME, keys, Use.AUTHORITY);
  }

  /// A user's certificate and private key, as a kubeconfig holds them.
  public record Signed(String certificate, String privateKey) {}

  private enum Use {
    AUTHORITY,
    CLIENT
  }

  /// Its own certificate, for the server's `--client-ca-file`.
  String pem() {
    return pem(own);
  }

  /// @param algorithm of the user's key: `RSA` or `EC`
  synchronized Signed issue(String user, List<String> groups, String algorithm) {
    var subject = new X500NameBuilder(BCStyle.INSTANCE).addRDN(BCStyle.CN, user);
    groups.forEach(group -> subject.addRDN(BCStyle.O, group));
    var usersKeys = keys(algorithm);
    return new Signed(
        pem(sign(subject.build(), usersKeys, Use.CLIENT)), pem(privateKey(usersKeys)));
  }

  /// As Go and OpenSSL write it: an EC key with its public part, which Java leaves out.
  private static Object privateKey(KeyPair keys) {
    if (!(keys.getPrivate() instanceof java.security.interfaces.ECPrivateKey key)) {
      return keys.getPrivate();
    }
    var info = SubjectPublicKeyInfo.getInstance(keys.getPublic().getEncoded());
    var encoded =
        new ECPrivateKey(
            256, key.getS(), info.getPublicKeyData(), info.getAlgorithm().getParameters());
    try {
      return new PemObject("EC PRIVATE KEY", encoded.getEncoded());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// An RSA key, with which the API server signs ServiceAccount tokens.
  static String tokenKey() {
    return pem(keys("RSA").getPrivate());
  }

  private X509CertificateHolder sign(X500Name subject, KeyPair subjects, Use use) {
    var now = Instant.now();
    var builder =
        new JcaX509v3CertificateBuilder(
            NAME,
            BigInteger.valueOf(++issued),
            Date.from(now.minus(Duration.ofMinutes(5))),
            Date.from(now.plus(Duration.ofDays(1))),
            subject,
            subjects.getPublic());
    try {
      builder.addExtension(
          Extension.basicConstraints, true, new BasicConstraints(use == Use.AUTHORITY));
      if (use == Use.CLIENT) {
        var purpose = new ExtendedKeyUsage(KeyPurposeId.id_kp_clientAuth);
        builder.addExtension(Extension.extendedKeyUsage, true, purpose);
      }
      return builder.build(new JcaContentSignerBuilder("SHA256withECDSA").build(keys.getPrivate()));
    } catch (IOException | OperatorCreationException e) {
      throw new IllegalStateException("cannot sign a certificate for " + subject, e);
    }
  }

  private static KeyPair keys(String algorithm) {
    try {
      var generator = KeyPairGenerator.getInstance(algorithm);
      generator.initialize(algorithm.equals("RSA") ? 2048 : 256);
      return generator.generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("no keys of the algorithm " + algorithm, e);
    }
  }

  private static String pem(Object object) {
    var text = new StringWriter();
    try (var writer = new JcaPEMWriter(text)) {
      writer.writeObject(object);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return text.toString();
  }
}

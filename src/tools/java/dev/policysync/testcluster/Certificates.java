package dev.policysync.testcluster;

import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.bouncycastle.asn1.sec.ECPrivateKey;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x500.X500NameBuilder;
import org.bouncycastle.asn1.x500.style.BCStyle;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.bouncycastle.cert.X509CertificateHolder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.openssl.jcajce.JcaPEMWriter;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.bouncycastle.util.io.pem.PemObject;

/// An authority of a test's own. The test cluster believes its client certificates: by them a test
/// can be any user in any groups.
public final class Certificates {
  private static final X500Name NAME = new X500Name("CN=test clients");

  private final KeyPair keys = keys("EC");
  private final X509CertificateHolder own;
  private int issued;

  /// A new authority, which nobody believes yet.
  public Certificates() {
    this.own = sign(NAME, keys, Use.AUTHORITY, Validity.today());
  }

  /// From when until when a certificate is valid.
  public record Validity(Instant from, Instant until) {
    private static Validity today() {
      var now = Instant.now();
      return new Validity(now.minus(Duration.ofMinutes(5)), now.plus(Duration.ofDays(1)));
    }
  }

  /// A user's certificate and private key, as a kubeconfig holds them.
  public record Signed(String certificate, String privateKey) {}

  private enum Use {
    AUTHORITY,
    CLIENT,
    SERVER
  }

  /// Its own certificate, for the server's `--client-ca-file` or a client's trust.
  public String pem() {
    return pem(own);
  }

  /// A user's certificate and key, valid today.
  ///
  /// @param algorithm of the user's key: `RSA` or `EC`
  public Signed issue(String user, List<String> groups, String algorithm) {
    return issue(user, groups, algorithm, Validity.today());
  }

  /// A user's certificate and key.
  ///
  /// @param algorithm of the user's key: `RSA` or `EC`
  public synchronized Signed issue(
      String user, List<String> groups, String algorithm, Validity validity) {
    var subject = new X500NameBuilder(BCStyle.INSTANCE).addRDN(BCStyle.CN, user);
    groups.forEach(group -> subject.addRDN(BCStyle.O, group));
    var usersKeys = keys(algorithm);
    return new Signed(
        pem(sign(subject.build(), usersKeys, Use.CLIENT, validity)), pem(privateKey(usersKeys)));
  }

  /// A server's context, with a certificate for `localhost`, `127.0.0.1` and `api.example`.
  public synchronized SSLContext server(Validity validity) {
    var servers = keys("EC");
    try {
      var certificate =
          new JcaX509CertificateConverter()
              .getCertificate(sign(new X500Name("CN=server"), servers, Use.SERVER, validity));
      var store = KeyStore.getInstance("PKCS12");
      store.load(null, null);
      store.setKeyEntry(
          "server", servers.getPrivate(), new char[0], new Certificate[] {certificate});
      var manager = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      manager.init(store, new char[0]);
      var context = SSLContext.getInstance("TLS");
      context.init(manager.getKeyManagers(), new TrustManager[] {new AnyClient()}, null);
      return context;
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalStateException("cannot make a server's certificate", e);
    }
  }

  /// The same, valid today.
  public SSLContext server() {
    return server(Validity.today());
  }

  /// Takes whatever certificate a client shows, as an API server does before it looks at it.
  private static final class AnyClient extends X509ExtendedTrustManager {
    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) {}

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
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

  private X509CertificateHolder sign(
      X500Name subject, KeyPair subjects, Use use, Validity validity) {
    var builder =
        new JcaX509v3CertificateBuilder(
            NAME,
            BigInteger.valueOf(++issued),
            Date.from(validity.from()),
            Date.from(validity.until()),
            subject,
            subjects.getPublic());
    try {
      builder.addExtension(
          Extension.basicConstraints, true, new BasicConstraints(use == Use.AUTHORITY));
      if (use == Use.CLIENT) {
        var purpose = new ExtendedKeyUsage(KeyPurposeId.id_kp_clientAuth);
        builder.addExtension(Extension.extendedKeyUsage, true, purpose);
      }
      if (use == Use.SERVER) {
        var names =
            new GeneralName[] {
              new GeneralName(GeneralName.dNSName, "localhost"),
              new GeneralName(GeneralName.dNSName, "api.example"),
              new GeneralName(GeneralName.iPAddress, "127.0.0.1")
            };
        builder.addExtension(Extension.subjectAlternativeName, false, new GeneralNames(names));
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

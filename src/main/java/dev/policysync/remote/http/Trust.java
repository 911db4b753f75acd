package dev.policysync.remote.http;

import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;

/// The certificate authorities that a TLS connection trusts.
///
/// A PEM bundle is read at once, so that a wrong setting shows at the start. The Java runtime's own
/// roots, some 150 certificates, are read when the first connection needs them.
public final class Trust {
  private static final String CERT_FILE = "SSL_CERT_FILE";

  private enum Roots {
    THE_RUNTIMES,
    NONE,
    ANY
  }

  private final Roots roots;
  private final List<X509Certificate> certificates;
  private @Nullable X509TrustManager trustManager;
  private @Nullable SSLSocketFactory socketFactory;

  private Trust(Roots roots, List<X509Certificate> certificates) {
    this.roots = roots;
    this.certificates = certificates;
  }

  /// The Java runtime's roots and, beside them, the PEM bundle that `SSL_CERT_FILE` names. Java
  /// itself ignores that variable.
  ///
  /// @throws IllegalArgumentException if the file cannot be read or holds no certificate, naming
  ///   both
  public static Trust fromEnvironment(Map<String, String> environment) {
    var file = environment.getOrDefault(CERT_FILE, "").strip();
    if (file.isEmpty()) {
      return new Trust(Roots.THE_RUNTIMES, List.of());
    }
    try {
      var bundle = PemBundle.of(Path.of(file), CERT_FILE + ": " + file);
      return new Trust(Roots.THE_RUNTIMES, bundle.certificates());
    } catch (InvalidPathException e) {
      throw new IllegalArgumentException(CERT_FILE + " is not a valid path", e);
    }
  }

  /// Nothing but the PEM bundle in this file, as a cluster's own authority.
  ///
  /// @throws IllegalArgumentException if it cannot be read or holds no certificate, naming it
  public static Trust only(Path file) {
    return new Trust(Roots.NONE, PemBundle.of(file, file.toString()).certificates());
  }

  /// Nothing but the PEM bundle in this text.
  ///
  /// @param origin how messages name it: `certificate-authority-data`
  /// @throws IllegalArgumentException if it holds no certificate, naming the origin
  public static Trust only(String pem, String origin) {
    return new Trust(Roots.NONE, PemBundle.parse(pem, origin).certificates());
  }

  /// Every server, whoever it is: for a kubeconfig with `insecure-skip-tls-verify`.
  public static Trust anyone() {
    return new Trust(Roots.ANY, List.of());
  }

  /// Whether nothing is checked at all.
  boolean isAnyone() {
    return roots == Roots.ANY;
  }

  /// Judges a server's chain; made on first use.
  public synchronized X509TrustManager trustManager() {
    if (trustManager == null) {
      trustManager =
          switch (roots) {
            case ANY -> new AnyServerTrustManager();
            case NONE -> manager(trusting(certificates));
            case THE_RUNTIMES -> withRuntimesRoots();
          };
    }
    return trustManager;
  }

  /// Makes TLS sockets that trust so; made on first use.
  public synchronized SSLSocketFactory socketFactory() {
    if (socketFactory == null) {
      socketFactory = make(null);
    }
    return socketFactory;
  }

  /// Makes TLS sockets that trust so and show that certificate to a server that asks for one.
  public SSLSocketFactory socketFactory(ClientIdentity identity) {
    return make(new KeyManager[] {identity.keyManager()});
  }

  private SSLSocketFactory make(KeyManager @Nullable [] keys) {
    try {
      var context = SSLContext.getInstance("TLS");
      context.init(keys, new TrustManager[] {trustManager()}, null);
      return context.getSocketFactory();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("the Java runtime does not support TLS", e);
    }
  }

  private X509TrustManager withRuntimesRoots() {
    var own = manager(null);
    if (certificates.isEmpty()) {
      return own;
    }
    return manager(
        trusting(
            Stream.concat(Arrays.stream(own.getAcceptedIssuers()), certificates.stream())
                .toList()));
  }

  private static KeyStore trusting(List<X509Certificate> anchors) {
    try {
      var store = KeyStore.getInstance(KeyStore.getDefaultType());
      store.load(null, null);
      var number = 0;
      for (var anchor : anchors) {
        store.setCertificateEntry("anchor-" + number++, anchor);
      }
      return store;
    } catch (GeneralSecurityException | IOException e) {
      throw unusable(e);
    }
  }

  /// One manager over all anchors, not two asked in turn: the JDK's own checks of algorithms and
  /// constraints apply only to a manager that it made.
  private static X509TrustManager manager(@Nullable KeyStore anchors) {
    try {
      var factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      factory.init(anchors);
      for (var manager : factory.getTrustManagers()) {
        if (manager instanceof X509ExtendedTrustManager x509) {
          return x509;
        }
      }
      throw new GeneralSecurityException("no X.509 trust manager");
    } catch (GeneralSecurityException e) {
      throw unusable(e);
    }
  }

  private static IllegalStateException unusable(Exception cause) {
    return new IllegalStateException("the Java runtime has no usable trust store", cause);
  }
}

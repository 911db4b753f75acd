package dev.policysync.http;

import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;

/// Whose certificates a TLS connection accepts.
///
/// A PEM bundle is read at once, so that a wrong setting shows at the start. The Java runtime's own
/// roots (some 150 certificates, a tenth of a second to parse) are loaded when the first connection
/// asks for them, and not at all where there is none.
public final class Trust {
  private static final String CERT_FILE = "SSL_CERT_FILE";

  private enum Roots {
    THE_RUNTIMES,
    NONE
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

  /// Judges a server's chain; made on first use.
  public synchronized X509TrustManager trustManager() {
    if (trustManager == null) {
      try {
        trustManager = certificates.isEmpty() ? runtimesOwn() : trusting(anchors());
      } catch (GeneralSecurityException | IOException e) {
        throw new IllegalStateException("the Java runtime has no usable trust store", e);
      }
    }
    return trustManager;
  }

  /// Makes TLS sockets that trust so; made on first use.
  public synchronized SSLSocketFactory socketFactory() {
    if (socketFactory == null) {
      try {
        var context = SSLContext.getInstance("TLS");
        context.init(null, new TrustManager[] {trustManager()}, null);
        socketFactory = context.getSocketFactory();
      } catch (GeneralSecurityException e) {
        throw new IllegalStateException("the Java runtime does not support TLS", e);
      }
    }
    return socketFactory;
  }

  private KeyStore anchors() throws GeneralSecurityException, IOException {
    var store = KeyStore.getInstance(KeyStore.getDefaultType());
    store.load(null, null);
    var number = 0;
    if (roots == Roots.THE_RUNTIMES) {
      for (var root : runtimesOwn().getAcceptedIssuers()) {
        store.setCertificateEntry("root-" + number++, root);
      }
    }
    for (var certificate : certificates) {
      store.setCertificateEntry("bundle-" + number++, certificate);
    }
    return store;
  }

  private static X509TrustManager runtimesOwn() throws GeneralSecurityException {
    return trusting(null);
  }

  /// One manager over all anchors, not two asked in turn: the JDK's own checks of algorithms and
  /// constraints apply only to a manager that it made.
  private static X509TrustManager trusting(@Nullable KeyStore anchors)
      throws GeneralSecurityException {
    var factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init(anchors);
    for (var manager : factory.getTrustManagers()) {
      if (manager instanceof X509TrustManager x509) {
        return x509;
      }
    }
    throw new GeneralSecurityException("no X.509 trust manager");
  }
}

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
/// The PEM bundle is read when this object is created, so that an invalid setting fails at the
/// start. The Java runtime's own roots, about 150 certificates, are read for the first connection.
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

  /// Trusts the Java runtime's roots and the PEM bundle in `SSL_CERT_FILE`. Java itself ignores
  /// that variable.
  ///
  /// @throws IllegalArgumentException if the file cannot be read or contains no certificate; the
  ///   message names the variable and the file
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

  /// Trusts only the PEM bundle in this file, such as the cluster's CA.
  ///
  /// @throws IllegalArgumentException if the file cannot be read or contains no certificate; the
  ///   message names the file
  public static Trust only(Path file) {
    return new Trust(Roots.NONE, PemBundle.of(file, file.toString()).certificates());
  }

  /// Trusts only this PEM bundle.
  ///
  /// @param origin the source of the PEM text for messages: `certificate-authority-data`
  /// @throws IllegalArgumentException if the text contains no certificate; the message names the
  ///   origin
  public static Trust only(String pem, String origin) {
    return new Trust(Roots.NONE, PemBundle.parse(pem, origin).certificates());
  }

  /// Trusts every server, for a kubeconfig with `insecure-skip-tls-verify`.
  public static Trust anyone() {
    return new Trust(Roots.ANY, List.of());
  }

  /// Returns whether no certificate is checked.
  boolean isAnyone() {
    return roots == Roots.ANY;
  }

  /// Returns the trust manager, which is created on first use.
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

  /// Returns a factory for TLS sockets with this trust, created on first use.
  public synchronized SSLSocketFactory socketFactory() {
    if (socketFactory == null) {
      socketFactory = make(null);
    }
    return socketFactory;
  }

  /// Returns a factory for TLS sockets with this trust that send the client certificate to a server
  /// that requests one.
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

  /// Creates one trust manager for all anchors. Two managers, one tried after the other, would
  /// bypass the JDK's checks of algorithms and constraints, which apply only to managers that the
  /// JDK created.
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

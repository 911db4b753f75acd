package dev.policysync.remote.http;

import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;

/// Judges a server's chain by the anchors that its certificates name as issuers, and only where
/// these do not accept it by all of them.
///
/// Whoever is trusted for some of the anchors is trusted for all of them, so that this changes no
/// verdict; and every verdict is one of Java's own managers, with all the checks that it makes.
final class IssuerTrustManager extends X509ExtendedTrustManager {
  private final List<X509Certificate> bundle;
  private final Supplier<RootsFile> roots;
  private final Function<List<X509Certificate>, X509ExtendedTrustManager> trusting;
  private final Supplier<X509ExtendedTrustManager> all;

  /// @param bundle anchors beside the roots
  /// @param roots the runtime's; empty where they have to be left to Java
  /// @param trusting makes a manager of such anchors
  /// @param all makes one of all anchors
  IssuerTrustManager(
      List<X509Certificate> bundle,
      Supplier<RootsFile> roots,
      Function<List<X509Certificate>, X509ExtendedTrustManager> trusting,
      Supplier<X509ExtendedTrustManager> all) {
    this.bundle = List.copyOf(bundle);
    this.roots = roots;
    this.trusting = trusting;
    this.all = all;
  }

  private interface Judgement {
    void by(X509ExtendedTrustManager manager) throws CertificateException;
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket)
      throws CertificateException {
    judge(chain, manager -> manager.checkServerTrusted(chain, type, socket));
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine)
      throws CertificateException {
    judge(chain, manager -> manager.checkServerTrusted(chain, type, engine));
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
    judge(chain, manager -> manager.checkServerTrusted(chain, type));
  }

  private void judge(X509Certificate[] chain, Judgement judgement) throws CertificateException {
    var issuers =
        Arrays.stream(chain)
            .map(certificate -> certificate.getIssuerX500Principal().getEncoded())
            .toList();
    var anchors =
        new ArrayList<>(
            bundle.stream()
                .filter(anchor ->
                    issuers.stream()
                        .anyMatch(issuer ->
                            Arrays.equals(issuer, anchor.getSubjectX500Principal().getEncoded())))
                .toList());
    if (accepts(anchors, judgement)) {
      return;
    }
    if (anchors.addAll(roots.get().named(issuers)) && accepts(anchors, judgement)) {
      return;
    }
    judgement.by(all.get());
  }

  private boolean accepts(List<X509Certificate> anchors, Judgement judgement) {
    if (anchors.isEmpty()) {
      return false;
    }
    try {
      judgement.by(trusting.apply(anchors));
      return true;
    } catch (CertificateException _) {
      return false;
    }
  }

  /// Asked for by servers, and by OkHttp for pinned certificates: we are and have neither.
  @Override
  public X509Certificate[] getAcceptedIssuers() {
    return new X509Certificate[0];
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket)
      throws CertificateException {
    all.get().checkClientTrusted(chain, type, socket);
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine)
      throws CertificateException {
    all.get().checkClientTrusted(chain, type, engine);
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type) throws CertificateException {
    all.get().checkClientTrusted(chain, type);
  }
}

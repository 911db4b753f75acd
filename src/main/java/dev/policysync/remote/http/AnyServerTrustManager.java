package dev.policysync.remote.http;

import java.net.Socket;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;

/// Accepts every server's certificate, for `insecure-skip-tls-verify`. It extends
/// `X509ExtendedTrustManager`, because with a plain trust manager Java itself would check the
/// algorithms and the host name.
final class AnyServerTrustManager extends X509ExtendedTrustManager {
  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {}

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type) {}

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {
    throw new UnsupportedOperationException("no servers here");
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {
    throw new UnsupportedOperationException("no servers here");
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type) {
    throw new UnsupportedOperationException("no servers here");
  }

  @Override
  public X509Certificate[] getAcceptedIssuers() {
    return new X509Certificate[0];
  }
}

package dev.policysync.harness;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/// A server for a stand-in: on a free port of the loopback address, with the test authority's
/// certificate. It takes the cipher that the client likes best, as nginx and Go's servers do.
public final class LoopbackHttps extends HttpsConfigurator {
  private final boolean asksClients;

  private LoopbackHttps(SSLContext tls, boolean asksClients) {
    super(tls);
    this.asksClients = asksClients;
  }

  /// A server that is yet to be given what it answers, and to be started.
  public static HttpsServer create(TestAuthority authority) throws IOException {
    return create(tls(authority), false);
  }

  /// A server with keys of its own, which asks for a client's certificate as an API server does.
  public static HttpsServer create(SSLContext tls) throws IOException {
    return create(tls, true);
  }

  private static HttpsServer create(SSLContext tls, boolean asksClients) throws IOException {
    var server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setHttpsConfigurator(new LoopbackHttps(tls, asksClients));
    return server;
  }

  @Override
  public void configure(HttpsParameters parameters) {
    var ssl = getSSLContext().getDefaultSSLParameters();
    ssl.setUseCipherSuitesOrder(false);
    ssl.setWantClientAuth(asksClients);
    parameters.setSSLParameters(ssl);
  }

  private static SSLContext tls(TestAuthority authority) throws IOException {
    var password = TestAuthority.PASSWORD.toCharArray();
    try {
      var keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      keys.init(KeyStore.getInstance(authority.keyStore().toFile(), password), password);
      var context = SSLContext.getInstance("TLS");
      context.init(keys.getKeyManagers(), null, null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("the stand-in's own certificate cannot be used", e);
    }
  }
}

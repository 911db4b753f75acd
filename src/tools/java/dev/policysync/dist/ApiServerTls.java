package dev.policysync.dist;

import com.github.tomakehurst.wiremock.common.HttpsSettings;
import com.github.tomakehurst.wiremock.common.JettySettings;
import com.github.tomakehurst.wiremock.core.Options;
import com.github.tomakehurst.wiremock.http.AdminRequestHandler;
import com.github.tomakehurst.wiremock.http.HttpServerFactory;
import com.github.tomakehurst.wiremock.http.StubRequestHandler;
import com.github.tomakehurst.wiremock.jetty11.Jetty11HttpServer;
import wiremock.org.eclipse.jetty.io.NetworkTrafficListener;
import wiremock.org.eclipse.jetty.server.ServerConnector;
import wiremock.org.eclipse.jetty.server.SslConnectionFactory;

/// TLS as kube-apiserver speaks it: it asks for a client's certificate, which nobody has to have,
/// and leaves the cipher to the client.
final class ApiServerTls extends Jetty11HttpServer {
  private ApiServerTls(Options options, AdminRequestHandler admin, StubRequestHandler stubs) {
    super(options, admin, stubs);
  }

  static HttpServerFactory factory() {
    return ApiServerTls::new;
  }

  @Override
  protected ServerConnector createHttpsConnector(
      String address, HttpsSettings https, JettySettings jetty, NetworkTrafficListener listener) {
    var connector = super.createHttpsConnector(address, https, jetty, listener);
    var tls = connector.getConnectionFactory(SslConnectionFactory.class).getSslContextFactory();
    tls.setWantClientAuth(true);
    tls.setUseCipherSuitesOrder(false);
    return connector;
  }
}

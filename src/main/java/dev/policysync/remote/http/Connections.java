package dev.policysync.remote.http;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.net.ssl.HostnameVerifier;
import okhttp3.CipherSuite;
import okhttp3.ConnectionPool;
import okhttp3.ConnectionSpec;
import okhttp3.Interceptor;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;
import okhttp3.internal.tls.OkHostnameVerifier;
import org.jspecify.annotations.Nullable;

/// The connections to one server: an OkHttp client, and the means to cancel its calls and to close
/// it.
///
/// The client is created on first use, on the thread that needs it. It follows no redirects (the
/// caller decides about them), keeps no cookies, and has no timeout for a whole call: the caller
/// sets one with `call.timeout()`. Clients derived from it with `newBuilder()` share its
/// connections and are closed with it.
///
/// Close it before the process ends: an open connection may keep a thread in a socket read, and the
/// JVM waits 300 ms for each such thread when it exits.
public final class Connections implements AutoCloseable {
  /// The connect timeout. A reachable host answers within one round trip; a lost first packet is
  /// repeated after one second and after three.
  private static final Duration CONNECT = Duration.ofSeconds(5);

  /// The read and write timeout: longer than a healthy server pauses within a response.
  private static final Duration SILENCE = Duration.ofSeconds(10);

  /// The number of idle connections to keep: as many as there are concurrent writes.
  private static final int IDLE_CONNECTIONS = 8;

  private static final Duration IDLE = Duration.ofSeconds(30);

  private static final List<CipherSuite> CHACHA20 =
      List.of(
          CipherSuite.TLS_CHACHA20_POLY1305_SHA256,
          CipherSuite.TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256,
          CipherSuite.TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256);

  private final @Nullable Trust trust;
  private final ProxyRules proxies;
  private final CountDownLatch stopped = new CountDownLatch(1);
  private @Nullable String requestId;
  private Optional<String> traceparent = Optional.empty();
  private Optional<String> serverName = Optional.empty();
  private @Nullable OkHttpClient client;

  private Connections(@Nullable Trust trust, ProxyRules proxies) {
    this.trust = trust;
    this.proxies = proxies;
  }

  /// Creates connections for `https` and `http` URLs.
  public static Connections tls(Trust trust, ProxyRules proxies) {
    return new Connections(trust, proxies);
  }

  /// Creates connections without TLS: an `https` URL fails, and certificates are never loaded.
  public static Connections plain(ProxyRules proxies) {
    return new Connections(null, proxies);
  }

  /// Sends this `X-Request-ID` with every request, so that the server's logs can be matched with
  /// ours.
  public synchronized Connections identifying(String id) {
    requestId = id;
    return this;
  }

  /// Sends this `traceparent` header with every request, if present.
  public synchronized Connections tracing(Optional<String> trace) {
    traceparent = trace;
    return this;
  }

  /// Expects the server's certificate to carry this name, if present, instead of the host name of
  /// the URL.
  public synchronized Connections expecting(Optional<String> name) {
    serverName = name;
    return this;
  }

  /// Returns a way to make calls with a client certificate. They use connections of their own,
  /// never one without this certificate or with an earlier one.
  public Presenting presenting(ClientIdentity identity) {
    var own = Objects.requireNonNull(trust, "a client certificate needs TLS");
    var sockets = new X25519SocketFactory(own.socketFactory(identity), serverName());
    return chain -> chain.withSslSocketFactory(sockets, own.trustManager());
  }

  /// Makes a call over other TLS sockets than the client's.
  public interface Presenting {
    Interceptor.Chain over(Interceptor.Chain chain);
  }

  private synchronized Optional<String> serverName() {
    return serverName;
  }

  public synchronized OkHttpClient client() {
    if (client == null) {
      client = open();
    }
    return client;
  }

  /// Cancels all calls in flight with an `IOException`, ends every [#pause], and rejects all
  /// further calls. For SIGTERM, if no more responses are needed.
  public void cancel() {
    stopped.countDown();
    var opened = opened();
    if (opened != null) {
      opened.dispatcher().cancelAll();
    }
  }

  /// Returns whether [#cancel] was called.
  public boolean cancelled() {
    return stopped.getCount() == 0;
  }

  /// Waits for this time, or until [#cancel].
  ///
  /// @return whether the time passed; `false` after [#cancel]
  public boolean pause(Duration time) throws InterruptedException {
    return !stopped.await(time.toNanos(), TimeUnit.NANOSECONDS);
  }

  /// Cancels all calls, closes all connections and ends all threads.
  @Override
  public void close() {
    cancel();
    var opened = opened();
    if (opened != null) {
      opened.dispatcher().executorService().shutdown();
      opened.connectionPool().evictAll();
    }
  }

  private synchronized @Nullable OkHttpClient opened() {
    return client;
  }

  private OkHttpClient open() {
    var pool = new ConnectionPool(IDLE_CONNECTIONS, IDLE.toSeconds(), TimeUnit.SECONDS);
    var builder =
        new OkHttpClient.Builder()
            .socketFactory(new TcpNoDelaySocketFactory())
            .connectTimeout(CONNECT)
            .readTimeout(SILENCE)
            .writeTimeout(SILENCE)
            .connectionPool(pool)
            .followRedirects(false)
            .followSslRedirects(false)
            .addInterceptor(this::letThrough)
            .addInterceptor(new ExchangeLog());
    if (requestId != null) {
      var id = requestId;
      builder.addInterceptor(chain -> chain.proceed(identified(chain.request(), id)));
    }
    traceparent.ifPresent(trace ->
        builder.addInterceptor(chain ->
            chain.proceed(chain.request().newBuilder().header("traceparent", trace).build())));
    DeadConnections.installOn(builder, pool);
    proxies.applyTo(builder);
    if (trust == null) {
      builder.connectionSpecs(List.of(ConnectionSpec.CLEARTEXT));
    } else {
      FirstConnection.installOn(builder);
      // MODERN_TLS is listed twice, so that OkHttp tries it again: the second time with all groups
      // that X25519SocketFactory offers.
      builder
          .connectionSpecs(List.of(modern(), modern(), ConnectionSpec.CLEARTEXT))
          .sslSocketFactory(
              new X25519SocketFactory(trust.socketFactory(), serverName), trust.trustManager())
          .hostnameVerifier(names(trust, serverName));
    }
    return builder.build();
  }

  private static HostnameVerifier names(Trust trust, Optional<String> serverName) {
    return trust.isAnyone()
        ? (_, _) -> true
        : (host, session) -> OkHostnameVerifier.INSTANCE.verify(serverName.orElse(host), session);
  }

  /// Returns OkHttp's modern cipher suites with ChaCha20 before AES. Only the JVM's optimizing
  /// compiler uses the CPU's instructions for AES, and the agent runs without that compiler,
  /// because it never pays in a short run: without it ChaCha20 takes a third of the time of AES.
  private static ConnectionSpec modern() {
    var suites =
        Stream.concat(
                CHACHA20.stream(),
                Objects.requireNonNull(ConnectionSpec.MODERN_TLS.cipherSuites()).stream())
            .distinct()
            .toArray(CipherSuite[]::new);
    return new ConnectionSpec.Builder(ConnectionSpec.MODERN_TLS).cipherSuites(suites).build();
  }

  private static Request identified(Request request, String id) {
    return request.newBuilder().header("X-Request-ID", id).build();
  }

  /// Rejects a call that starts after [#cancel] has cancelled the calls in flight.
  private Response letThrough(Interceptor.Chain chain) throws IOException {
    if (cancelled()) {
      throw new IOException("Canceled");
    }
    return chain.proceed(chain.request());
  }
}

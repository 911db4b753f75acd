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

/// The connections to one remote side: an OkHttp client, the way to stop what it is doing, and its
/// end.
///
/// The client is made on first use, on the thread that needs it. It follows no redirects (whoever
/// calls judges them), keeps no cookies, and has no limit for a whole call: the caller sets one
/// with `call.timeout()`. Clients derived from it with `newBuilder()` share its connections and its
/// end.
///
/// Close it before the process ends: an open connection may keep a thread in a socket read, and for
/// each such thread the JVM waits 300 ms at its exit.
public final class Connections implements AutoCloseable {
  /// A host that is there answers within one round trip, and a lost first packet is repeated after
  /// a second and after three.
  private static final Duration CONNECT = Duration.ofSeconds(5);

  /// Longer than any pause of a healthy server in mid-answer.
  private static final Duration SILENCE = Duration.ofSeconds(10);

  /// As many as write at once, and no longer than a run has use for them.
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

  /// Connections over TLS (a plain one is possible too).
  public static Connections tls(Trust trust, ProxyRules proxies) {
    return new Connections(trust, proxies);
  }

  /// Connections without TLS: an `https` URL fails, and no certificate is ever loaded.
  public static Connections plain(ProxyRules proxies) {
    return new Connections(null, proxies);
  }

  /// The same; every request will carry that `X-Request-ID`, by which the other side's logs can be
  /// matched with ours.
  public synchronized Connections identifying(String id) {
    requestId = id;
    return this;
  }

  /// The same; every request will carry that header `traceparent`, if there is one.
  public synchronized Connections tracing(Optional<String> trace) {
    traceparent = trace;
    return this;
  }

  /// The same; a server has to prove that it bears that name, if there is one, instead of the host
  /// of its URL.
  public synchronized Connections expecting(Optional<String> name) {
    serverName = name;
    return this;
  }

  /// Lets a call show that certificate. It goes over connections of its own: those without the
  /// certificate, or with an earlier one, are not used.
  public Presenting presenting(ClientIdentity identity) {
    var own = Objects.requireNonNull(trust, "a client certificate needs TLS");
    var sockets = new X25519SocketFactory(own.socketFactory(identity), serverName());
    return chain -> chain.withSslSocketFactory(sockets, own.trustManager());
  }

  /// A call over other TLS sockets than the client's.
  public interface Presenting {
    Interceptor.Chain over(Interceptor.Chain chain);
  }

  private synchronized Optional<String> serverName() {
    return serverName;
  }

  /// The client that makes the calls.
  public synchronized OkHttpClient client() {
    if (client == null) {
      client = open();
    }
    return client;
  }

  /// Breaks off every call under way with an `IOException`, wakes whoever sits in [#pause], and
  /// lets no further call through, ever. For SIGTERM, on a side from which nothing more is wanted.
  public void cancel() {
    stopped.countDown();
    var opened = opened();
    if (opened != null) {
      opened.dispatcher().cancelAll();
    }
  }

  /// Whether [#cancel] was called.
  public boolean cancelled() {
    return stopped.getCount() == 0;
  }

  /// Waits, unless it is cancelled first.
  ///
  /// @return whether the time passed; `false` means cancelled
  public boolean pause(Duration time) throws InterruptedException {
    return !stopped.await(time.toNanos(), TimeUnit.NANOSECONDS);
  }

  /// Cancels, closes all connections and ends all threads.
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
      // Named twice, it is tried twice: the second time with all that X25519SocketFactory offers.
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

  /// A call that starts after [#cancel] has looked for calls would run on; here it ends.
  private Response letThrough(Interceptor.Chain chain) throws IOException {
    if (cancelled()) {
      throw new IOException("Canceled");
    }
    return chain.proceed(chain.request());
  }
}

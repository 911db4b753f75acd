package dev.policysync.faults;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.policysync.harness.TestAuthority;
import dev.policysync.remote.http.Connections;
import dev.policysync.remote.http.ProxyRules;
import dev.policysync.remote.http.Trust;
import dev.policysync.testcluster.TestCluster;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import okhttp3.HttpUrl;
import okhttp3.OkHttpClient;

/// Stands before a server, hands on what the agent asks of it, and lets the weather have its way
/// with the answer. It speaks HTTP/1.1 to the agent, so that an answer can be cut off where one
/// likes.
final class FaultProxy implements AutoCloseable {
  private static final String END = "\r\n\r\n";

  private final ServerSocket server;
  private final Optional<SSLSocketFactory> tls;
  private final Connections onward;
  private final UpstreamServer target;
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Map<String, Integer> repetitions = new ConcurrentHashMap<>();
  private final List<String> story = new CopyOnWriteArrayList<>();
  private volatile FaultSchedule faultSchedule = FaultSchedule.CALM;

  private FaultProxy(Optional<SSLSocketFactory> tls, Connections onward, HttpUrl target)
      throws IOException {
    this.server = new ServerSocket(0, 50, InetAddress.ofLiteral("127.0.0.1"));
    this.tls = tls;
    this.onward = onward;
    this.target = new UpstreamServer(http(onward), target);
    Thread.ofPlatform().daemon().name("fault-proxy").start(this::serve);
  }

  /// Before an API that is asked in the clear.
  static FaultProxy before(String url) throws IOException {
    return new FaultProxy(Optional.empty(), Connections.plain(ProxyRules.none()), HttpUrl.get(url));
  }

  /// Before an API server, with a certificate of [TestAuthority#shared] for the agent.
  static FaultProxy before(TestCluster cluster) throws IOException {
    var trust = Trust.only(cluster.certificateAuthority());
    return new FaultProxy(
        Optional.of(certified()), Connections.tls(trust, ProxyRules.none()), cluster.url());
  }

  int port() {
    return server.getLocalPort();
  }

  /// From now on it is like this.
  void becomes(FaultSchedule other) {
    repetitions.clear();
    story.clear();
    faultSchedule = other;
  }

  /// What went wrong since then: `PATCH /apis/… LostAnswer[]`.
  List<String> story() {
    return List.copyOf(story);
  }

  /// How often something that begins so was asked since then: `GET /apis`.
  int asked(String what) {
    return repetitions.entrySet().stream()
        .filter(entry -> entry.getKey().startsWith(what))
        .mapToInt(Map.Entry::getValue)
        .sum();
  }

  private static OkHttpClient http(Connections connections) {
    return connections.client().newBuilder().retryOnConnectionFailure(false).build();
  }

  private static SSLSocketFactory certified() throws IOException {
    var authority = TestAuthority.shared();
    var password = TestAuthority.PASSWORD.toCharArray();
    try {
      var keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      keys.init(KeyStore.getInstance(authority.keyStore().toFile(), password), password);
      var context = SSLContext.getInstance("TLS");
      context.init(keys.getKeyManagers(), null, null);
      return context.getSocketFactory();
    } catch (GeneralSecurityException e) {
      throw new IOException("the proxy cannot use its certificate", e);
    }
  }

  private void serve() {
    while (!server.isClosed()) {
      try {
        var socket = server.accept();
        Thread.ofPlatform().daemon().name("fault-proxy-connection").start(() -> talk(socket));
      } catch (IOException _) {
        return; // closed
      }
    }
  }

  private void talk(Socket raw) {
    try (raw;
        var socket = secured(raw)) {
      var in = new BufferedInputStream(socket.getInputStream());
      while (true) {
        var request = WireRequest.read(in);
        if (request.isEmpty() || !answer(request.get(), raw, socket.getOutputStream())) {
          return;
        }
      }
    } catch (IOException _) {
      // One of the two hung up.
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private Socket secured(Socket raw) throws IOException {
    raw.setTcpNoDelay(true);
    if (tls.isEmpty()) {
      return raw;
    }
    var socket = (SSLSocket) tls.get().createSocket(raw, InputStream.nullInputStream(), false);
    socket.setUseClientMode(false);
    return socket;
  }

  /// Answers as the weather will have it.
  ///
  /// @return whether the connection is still of use
  private boolean answer(WireRequest request, Socket raw, OutputStream out)
      throws IOException, InterruptedException {
    var what = request.method() + " " + request.path();
    var before = repetitions.merge(what, 1, Integer::sum) - 1;
    var asked = new FaultSchedule.Asked(request.method(), request.target(), before);
    var fault = faultSchedule.fault(asked);
    if (!(fault instanceof Fault.None)) {
      story.add(request.method() + " " + request.target() + " " + fault);
    }
    return switch (fault) {
      case Fault.None _ -> target.ask(request).writeTo(out);
      case Fault.Late(var by) -> {
        var _ = closed.await(by.toNanos(), TimeUnit.NANOSECONDS);
        yield target.ask(request).writeTo(out);
      }
      case Fault.LostRequest _ -> reset(raw);
      case Fault.LostAnswer _ -> {
        var _ = target.ask(request);
        yield reset(raw);
      }
      case Fault.HalfAnswer(var chunked) -> {
        target.ask(request).writeHalfTo(out, chunked);
        yield false;
      }
      case Fault.Silence _ -> {
        var _ = target.ask(request);
        closed.await();
        yield false;
      }
      case Fault.Drip _ -> {
        target.ask(request).dripTo(out, closed);
        yield false;
      }
      case Fault.Refused(var status, var retryAfter, var message) ->
          WireAnswer.status(status, retryAfter, message).writeTo(out);
      case Fault.DoneAndRefused(var status, var message) -> {
        var _ = target.ask(request);
        yield WireAnswer.status(status, Optional.empty(), message).writeTo(out);
      }
    };
  }

  /// What a peer sees as `Connection reset by peer`.
  private static boolean reset(Socket raw) throws IOException {
    raw.setSoLinger(true, 0);
    raw.close();
    return false;
  }

  @Override
  public void close() {
    closed.countDown();
    try {
      server.close();
    } catch (IOException e) {
      throw new UncheckedIOException("the proxy cannot be closed", e);
    } finally {
      onward.close();
    }
  }

  /// The head of a message up to its empty line; empty where the connection ends before one.
  static String head(InputStream in) throws IOException {
    var head = new ByteArrayOutputStream();
    var ending = 0;
    while (ending < END.length()) {
      var next = in.read();
      if (next < 0) {
        return "";
      }
      head.write(next);
      ending = next == END.charAt(ending) ? ending + 1 : next == END.charAt(0) ? 1 : 0;
    }
    return head.toString(ISO_8859_1);
  }
}

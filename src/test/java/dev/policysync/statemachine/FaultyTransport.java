package dev.policysync.statemachine;

import dev.policysync.sync.execution.Cancellation;
import dev.policysync.sync.execution.StopReason;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import okhttp3.Interceptor;
import okhttp3.MediaType;
import okhttp3.Protocol;
import okhttp3.Request;
import okhttp3.Response;
import okhttp3.ResponseBody;
import okio.Buffer;

/// One agent's way to the API server: trouble happens on it, and it remembers what was sent.
final class FaultyTransport implements Interceptor {
  /// No answer came.
  static final int LOST = 0;

  private final FaultInjection faultInjection;
  private final Cancellation stop;
  private final List<Sent> sent = new ArrayList<>();
  private final Map<String, Integer> asked = new HashMap<>();
  private final AtomicInteger order;
  private final Set<String> unanswered = new HashSet<>();
  private final List<String> blind = new ArrayList<>();
  private int writes;
  private int frozenAt;
  private boolean dead;

  /// @param stop the agent's, for trouble that is a signal
  /// @param order of what all agents do
  FaultyTransport(FaultInjection faultInjection, Cancellation stop, AtomicInteger order) {
    this.order = order;
    this.faultInjection = faultInjection;
    this.stop = stop;
  }

  /// A write as it was sent, and what came back.
  ///
  /// @param forced whether the answer was the machine's and not the API server's
  /// @param begun before what other agents began or ended later
  /// @param ended the same of its end
  record Sent(String method, String path, int status, boolean forced, int begun, int ended) {
    boolean ok() {
      return status >= 200 && status < 300;
    }

    /// Of which of the kinds; none for the Lease.
    Optional<ModelKind> kind() {
      return Stream.of(ModelKind.values()).filter(modelKind -> modelKind.owns(path)).findFirst();
    }

    boolean removal() {
      return method.equals("DELETE");
    }
  }

  @Override
  public Response intercept(Chain chain) throws IOException {
    requireAlive();
    var request = chain.request();
    var write = writes(request);
    var place = write ? begin(request) : -1;
    look(request, write);
    var number = write ? numbered() : 0;
    try {
      var response = faultInjection.pass(chain, this, number);
      end(place, response.code(), response.message().equals(FaultInjection.FORCED));
      requireAlive();
      return response;
    } catch (IOException e) {
      end(place, LOST, true);
      lose(request, write);
      throw e;
    }
  }

  /// Ends the agent's process.
  synchronized void kill() {
    dead = true;
  }

  /// Tells the agent to stop, as SIGTERM does.
  void signal() {
    stop.raise(StopReason.SIGNAL);
  }

  /// Takes down that the agent stands still now.
  synchronized void freeze() {
    frozenAt = sent.size();
  }

  /// How many writes it had sent when it stood still; 0 if it never did.
  synchronized int frozenAt() {
    return frozenAt;
  }

  synchronized boolean dead() {
    return dead;
  }

  /// The writes so far in the order in which they were sent, dry runs not counted.
  synchronized List<Sent> sent() {
    return List.copyOf(sent);
  }

  /// How many of the writes so far were of policies.
  synchronized long writesOfPolicies() {
    return sent.stream().filter(one -> one.kind().isPresent()).count();
  }

  /// How often that was asked before.
  synchronized int repetition(Request request) {
    return asked.merge(request.method() + request.url().encodedPath(), 1, Integer::sum) - 1;
  }

  /// What was sent a second time although nobody knew whether the first had been done, nor looked.
  synchronized List<String> blind() {
    return List.copyOf(blind);
  }

  private synchronized void look(Request request, boolean write) throws IOException {
    var path = request.url().encodedPath();
    if (request.method().equals("GET")) {
      unanswered.removeIf(lost -> lost.startsWith(path + " "));
    } else if (write && unanswered.contains(line(request))) {
      blind.add(request.method() + " " + path);
    }
  }

  private synchronized void lose(Request request, boolean write) throws IOException {
    if (write) {
      unanswered.add(line(request));
    }
  }

  private static String line(Request request) throws IOException {
    return request.url().encodedPath() + " " + request.method() + " " + text(request);
  }

  private void requireAlive() {
    if (dead()) {
      throw new SimulatedKill();
    }
  }

  private synchronized int numbered() {
    return ++writes;
  }

  private synchronized int begin(Request request) {
    var now = order.incrementAndGet();
    sent.add(new Sent(request.method(), request.url().encodedPath(), LOST, true, now, now));
    return sent.size() - 1;
  }

  private synchronized void end(int place, int status, boolean forced) {
    if (place >= 0) {
      var begun = sent.get(place);
      sent.set(
          place,
          new Sent(
              begun.method(),
              begun.path(),
              status,
              forced,
              begun.begun(),
              order.incrementAndGet()));
    }
  }

  /// Whether it may change anything for good.
  private static boolean writes(Request request) throws IOException {
    if (request.method().equals("GET") || request.url().queryParameter("dryRun") != null) {
      return false;
    }
    return !text(request).contains("\"dryRun\":[\"All\"]");
  }

  private static String text(Request request) throws IOException {
    var body = new Buffer();
    var content = request.body();
    if (content != null) {
      content.writeTo(body);
    }
    return body.readUtf8();
  }

  /// An answer that never came from the API server.
  static Response forced(Request request, int status, String json) {
    return new Response.Builder()
        .request(request)
        .protocol(Protocol.HTTP_1_1)
        .code(status)
        .message(FaultInjection.FORCED)
        .header("Content-Type", "application/json")
        .body(ResponseBody.create(json, MediaType.get("application/json")))
        .build();
  }
}

package dev.policysync.statemachine;

import dev.policysync.sync.Stop;
import dev.policysync.sync.StopSign;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import okhttp3.Interceptor;
import okhttp3.MediaType;
import okhttp3.Protocol;
import okhttp3.Request;
import okhttp3.Response;
import okhttp3.ResponseBody;
import okio.Buffer;

/// One agent's way to the API server: trouble happens on it, and it remembers what was sent.
final class Wire implements Interceptor {
  /// No answer came.
  static final int LOST = 0;

  private final Trouble trouble;
  private final StopSign stop;
  private final List<Sent> sent = new ArrayList<>();
  private final Map<String, Integer> asked = new HashMap<>();
  private int writes;
  private int frozenAt;
  private boolean dead;

  /// @param stop the agent's, for trouble that is a signal
  Wire(Trouble trouble, StopSign stop) {
    this.trouble = trouble;
    this.stop = stop;
  }

  /// A write as it was sent, and what came back.
  ///
  /// @param forced whether the answer was the machine's and not the API server's
  record Sent(String method, String path, int status, boolean forced) {
    boolean ok() {
      return status >= 200 && status < 300;
    }

    /// Of which of the kinds; none for the Lease.
    Optional<Kind> kind() {
      return Stream.of(Kind.values()).filter(kind -> kind.owns(path)).findFirst();
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
    var number = write ? numbered() : 0;
    try {
      var response = trouble.pass(chain, this, number);
      end(place, response.code(), response.message().equals(Trouble.FORCED));
      requireAlive();
      return response;
    } catch (IOException e) {
      end(place, LOST, true);
      throw e;
    }
  }

  /// Ends the agent's process.
  synchronized void kill() {
    dead = true;
  }

  /// Tells the agent to stop, as SIGTERM does.
  void signal() {
    stop.raise(Stop.SIGNAL);
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

  /// How often that was asked before.
  synchronized int repetition(Request request) {
    return asked.merge(request.method() + request.url().encodedPath(), 1, Integer::sum) - 1;
  }

  private void requireAlive() {
    if (dead()) {
      throw new Killed();
    }
  }

  private synchronized int numbered() {
    return ++writes;
  }

  private synchronized int begin(Request request) {
    sent.add(new Sent(request.method(), request.url().encodedPath(), LOST, true));
    return sent.size() - 1;
  }

  private synchronized void end(int place, int status, boolean forced) {
    if (place >= 0) {
      var begun = sent.get(place);
      sent.set(place, new Sent(begun.method(), begun.path(), status, forced));
    }
  }

  /// Whether it may change anything for good.
  private static boolean writes(Request request) throws IOException {
    if (request.method().equals("GET") || request.url().queryParameter("dryRun") != null) {
      return false;
    }
    var body = new Buffer();
    var content = request.body();
    if (content != null) {
      content.writeTo(body);
    }
    return !body.readUtf8().contains("\"dryRun\":[\"All\"]");
  }

  /// An answer that never came from the API server.
  static Response forced(Request request, int status, String json) {
    return new Response.Builder()
        .request(request)
        .protocol(Protocol.HTTP_1_1)
        .code(status)
        .message(Trouble.FORCED)
        .header("Content-Type", "application/json")
        .body(ResponseBody.create(json, MediaType.get("application/json")))
        .build();
  }
}

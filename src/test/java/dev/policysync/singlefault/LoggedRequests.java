package dev.policysync.singlefault;

import dev.policysync.base.CanonicalJson;
import dev.policysync.base.Value;
import dev.policysync.plan.Failure;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.PolicyKind;
import dev.policysync.testcluster.Documents;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import okhttp3.Interceptor;
import okhttp3.MediaType;
import okhttp3.Protocol;
import okhttp3.Request;
import okhttp3.Response;
import okhttp3.ResponseBody;
import okio.ByteString;

/// One run's HTTP requests to the API server, each of which may meet the fault.
///
/// Lists of kinds of which a scenario has nothing are none of them: what one of these was answered
/// is the answer to all.
final class LoggedRequests implements Interceptor {
  private static final String DISCOVERY = "/apis";

  private final ClusterWorld world;
  private final RequestLog requestLog;
  private final InTurn turns;

  LoggedRequests(ClusterWorld world, RequestLog requestLog, InTurn turns) {
    this.world = world;
    this.requestLog = requestLog;
    this.turns = turns;
  }

  @Override
  public Response intercept(Chain chain) throws IOException {
    try {
      var listed = listed(chain.request());
      if (listed.isEmpty()) {
        return logged(chain);
      }
      return world.scenario.kinds().contains(listed.get())
          ? turns.list(listed.get(), () -> logged(chain))
          : world
              .unrelated()
              .last(chain.request())
              .orElseGet(() -> answered(chain, world.unrelated()));
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  /// The kind whose objects are asked for.
  private static Optional<PolicyKind> listed(Request request) {
    var path = request.url().pathSegments();
    return request.method().equals("GET") && path.size() == 4 ? ofKind(path) : Optional.empty();
  }

  /// One at a time: a thread of the run that asks for something else waits.
  private Response logged(Interceptor.Chain chain) {
    var request = chain.request();
    var what = request.method() + " " + request.url().encodedPath();
    var subject = subject(request);
    synchronized (requestLog) {
      return writes(request)
          ? requestLog.write(
              what, subject, () -> judged(chain), failure -> failed(request, failure))
          : requestLog.read(
              what, subject, () -> answered(chain, world.earlierResponses()), () -> earlier(chain));
    }
  }

  private static Subject subject(Request request) {
    var path = request.url().pathSegments();
    if (path.contains("leases")) {
      return Subject.Other.LEASE;
    }
    if (path.size() <= 3) {
      return Subject.Other.DISCOVERY;
    }
    return policy(request)
        .<Subject>map(Subject.One::new)
        .or(() -> ofKind(path).map(Subject.OfKind::new))
        .orElseThrow(() -> new IllegalStateException("nobody knows what is asked for: " + request));
  }

  /// Of which kind all policies are at that path, in a namespace or in all; one is created there.
  private static Optional<PolicyKind> ofKind(List<String> path) {
    return PolicyKind.all().stream()
        .filter(kind -> kind.group().equals(path.get(1)) && kind.plural().equals(path.getLast()))
        .findFirst();
  }

  /// Whether it may change anything for good.
  private static boolean writes(Request request) {
    return !request.method().equals("GET") && request.url().queryParameter("dryRun") == null;
  }

  private static Response answered(Interceptor.Chain chain, EarlierResponses noted) {
    try {
      return noted.noting(chain.proceed(chain.request()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Optional<Response> earlier(Interceptor.Chain chain) {
    try (var now = answered(chain, world.earlierResponses())) {
      return chain.request().url().encodedPath().equals(DISCOVERY)
          ? Optional.of(beforeKyverno(now))
          : world.earlierResponses().before(now);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// What discovery said before there was any of the scenario's kinds.
  private Response beforeKyverno(Response discovery) throws IOException {
    var groups = world.scenario.kinds().stream().map(PolicyKind::group).collect(Collectors.toSet());
    var now = Documents.json(discovery.peekBody(Long.MAX_VALUE).string());
    var others =
        now.items("items").stream()
            .filter(item ->
                !groups.contains(
                    ((Value.Mapping) item).mapping("metadata").text("name").orElse("")))
            .toList();
    var body = CanonicalJson.write(now.with("items", new Value.Sequence(others)));
    return EarlierResponses.with(ByteString.encodeUtf8(body), discovery);
  }

  /// The promises are judged by what the API server has before and after.
  private Response judged(Interceptor.Chain chain) {
    var policy = policy(chain.request());
    var before = policy.flatMap(world::policy);
    var approvals = world.approvals();
    var response = answered(chain, world.earlierResponses());
    policy.ifPresent(id -> world.writeJudge.wrote(requestLog, id, before, world.policy(id)));
    var left = world.approvals();
    approvals.stream().filter(what -> !left.contains(what)).forEach(requestLog::used);
    return response;
  }

  /// The policy that is written: `/apis/kyverno.io/v1/clusterpolicies/x`.
  private static Optional<PolicyId> policy(Request request) {
    var path = request.url().pathSegments();
    var namespaced = path.size() > 4 && path.get(3).equals("namespaces");
    var at = namespaced ? 5 : 3;
    return PolicyKind.all().stream()
        .filter(kind ->
            path.size() == at + 2
                && kind.group().equals(path.get(1))
                && kind.plural().equals(path.get(at)))
        .findFirst()
        .map(kind ->
            new PolicyId(
                kind, namespaced ? Optional.of(path.get(4)) : Optional.empty(), path.get(at + 1)));
  }

  private static Response failed(Request request, Failure failure) {
    if (failure.cause() == Failure.Cause.UNREACHABLE) {
      throw new UncheckedIOException(new IOException("connection reset"));
    }
    return new Response.Builder()
        .request(request)
        .protocol(Protocol.HTTP_1_1)
        .code(500)
        .message("Internal Server Error")
        .body(
            ResponseBody.create(
                "{\"message\": \"" + failure.reason() + "\"}", MediaType.get("application/json")))
        .build();
  }
}

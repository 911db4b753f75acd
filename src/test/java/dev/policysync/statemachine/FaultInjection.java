package dev.policysync.statemachine;

import java.io.IOException;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import okhttp3.Interceptor.Chain;
import okhttp3.Request;
import okhttp3.Response;

/// What may happen to a run between it and the API server.
sealed interface FaultInjection {
  /// Marks an answer that the machine made up.
  String FORCED = "forced";

  /// Lets a request through, or not.
  ///
  /// @param write which of the run's writes it is, from 1; 0 if it is none
  default Response pass(Chain chain, FaultyTransport faultyTransport, int write)
      throws IOException {
    before(chain.request(), faultyTransport, write);
    return chain.proceed(chain.request());
  }

  /// Happens before a request is let through.
  default void before(Request request, FaultyTransport faultyTransport, int write) {}

  /// Whether people or other runs wrote in the middle of the run.
  default boolean othersWrite() {
    return false;
  }

  /// Something that others do in the middle of the run.
  sealed interface ByOthers extends FaultInjection {
    @Override
    default boolean othersWrite() {
      return true;
    }
  }

  /// Nothing.
  record None() implements FaultInjection {}

  /// Its process ends before a write leaves it.
  record KilledBefore(int at) implements FaultInjection {
    @Override
    public void before(Request request, FaultyTransport faultyTransport, int write) {
      if (write == at) {
        faultyTransport.kill();
        throw new SimulatedKill();
      }
    }
  }

  /// Its process ends after a write was done, and before it knows.
  record KilledAfter(int at) implements FaultInjection {
    @Override
    public Response pass(Chain chain, FaultyTransport faultyTransport, int write)
        throws IOException {
      var response = chain.proceed(chain.request());
      if (write == at) {
        response.close();
        faultyTransport.kill();
      }
      return response;
    }
  }

  /// Its process ends when the remote API has taken that many statuses.
  record KilledAtStatus(int at) implements FaultInjection {}

  /// It is told to stop before a write.
  record Signalled(int at) implements FaultInjection {
    @Override
    public void before(Request request, FaultyTransport faultyTransport, int write) {
      if (write == at) {
        faultyTransport.signal();
      }
    }
  }

  /// The API server is in a bad state: of a hundred requests that many are refused for now, or get
  /// no answer or that of a failure, whether they were done or not.
  record Flaky(long seed, int percent) implements FaultInjection {
    @Override
    public Response pass(Chain chain, FaultyTransport faultyTransport, int write)
        throws IOException {
      var request = chain.request();
      // The same in every sandbox.
      var path = request.url().encodedPath().replaceAll("-[0-9]+", "");
      var what = request.method() + path + faultyTransport.repetition(request);
      var random = new SplittableRandom(seed + what.hashCode());
      if (random.nextInt(100) >= percent) {
        return chain.proceed(request);
      }
      return switch (random.nextInt(7)) {
        case 0 -> throw new IOException("connection reset");
        case 1 -> {
          chain.proceed(request).close();
          throw new IOException("connection reset");
        }
        case 2 ->
            FaultyTransport.forced(request, 500, "{\"message\": \"etcdserver: leader changed\"}");
        case 3 -> {
          chain.proceed(request).close();
          yield FaultyTransport.forced(
              request, 500, "{\"message\": \"etcdserver: request timed out\"}");
        }
        case 4 -> {
          chain.proceed(request).close();
          yield FaultyTransport.forced(request, 502, "<html>bad gateway</html>");
        }
        case 5 -> FaultyTransport.forced(request, 429, "{\"message\": \"too many requests\"}");
        default ->
            FaultyTransport.forced(request, 503, "{\"message\": \"starting\"}")
                .newBuilder()
                .header("Retry-After", "0")
                .build();
      };
    }
  }

  /// A kind cannot be listed.
  record Unlistable(ModelKind modelKind, int status) implements FaultInjection {
    @Override
    public Response pass(Chain chain, FaultyTransport faultyTransport, int write)
        throws IOException {
      var request = chain.request();
      return request.method().equals("GET")
              && request.url().encodedPath().equals(modelKind.everywhere())
          ? FaultyTransport.forced(request, status, "{\"message\": \"not now\"}")
          : chain.proceed(request);
    }
  }

  /// The admission webhook is gone: with it every apply, and no removal.
  record WebhookDown() implements FaultInjection {
    @Override
    public Response pass(Chain chain, FaultyTransport faultyTransport, int write)
        throws IOException {
      var request = chain.request();
      return request.method().equals("PATCH")
          ? FaultyTransport.forced(
              request, 500, "{\"message\": \"failed calling webhook \\\"v.kyverno.svc\\\"\"}")
          : chain.proceed(request);
    }
  }

  /// Somebody does something before a write leaves the agent.
  record Meanwhile(int at, String what, Runnable happens) implements ByOthers {
    @Override
    public void before(Request request, FaultyTransport faultyTransport, int write) {
      if (write == at) {
        happens.run();
      }
    }

    @Override
    public String toString() {
      return "Meanwhile[at=" + at + ", what=" + what + "]";
    }
  }

  /// Somebody gets at the very object that one of its writes of policies is about to change.
  ///
  /// @param at which of them
  record Snatched(int at, Consumer<ObjectKey> happens) implements ByOthers {
    @Override
    public void before(Request request, FaultyTransport faultyTransport, int write) {
      if (write > 0 && faultyTransport.writesOfPolicies() == at) {
        ObjectKey.at(request.url().encodedPath()).ifPresent(happens);
      }
    }

    @Override
    public String toString() {
      return "Snatched[at=" + at + "]";
    }
  }

  /// Before it has the Lease the feed changes, and another run writes what it says now: what this
  /// one has read is old.
  record Overtaken(String what, Runnable otherRun) implements ByOthers {
    private static final int TAKES_THE_LEASE = 1;

    @Override
    public void before(Request request, FaultyTransport faultyTransport, int write) {
      if (write == TAKES_THE_LEASE) {
        otherRun.run();
      }
    }

    @Override
    public String toString() {
      return "Overtaken[" + what + "]";
    }
  }

  /// The process stands still after a write for longer than its Lease lasts, and another run does
  /// its work.
  record Frozen(int at, String what, Runnable otherRun) implements ByOthers {
    @Override
    public Response pass(Chain chain, FaultyTransport faultyTransport, int write)
        throws IOException {
      var response = chain.proceed(chain.request());
      if (write == at) {
        faultyTransport.freeze();
        otherRun.run();
      }
      return response;
    }

    @Override
    public String toString() {
      return "Frozen[at=" + at + ", what=" + what + "]";
    }
  }
}

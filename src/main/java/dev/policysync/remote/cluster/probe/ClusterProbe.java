package dev.policysync.remote.cluster.probe;

import dev.policysync.inspect.ClusterDiagnostics;
import dev.policysync.inspect.ProbeResult;
import dev.policysync.policy.PolicyKind;
import dev.policysync.remote.cluster.ApiResponse;
import dev.policysync.remote.cluster.ClusterConnection;
import dev.policysync.remote.cluster.Discovery;
import dev.policysync.remote.cluster.KubeApi;
import dev.policysync.remote.cluster.KyvernoDeployment;
import dev.policysync.remote.cluster.lease.LeaseApi;
import dev.policysync.remote.cluster.lease.LeaseRecord;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Reads a cluster's version and served kinds, the agent's Lease and Kyverno's Deployment.
public final class ClusterProbe implements ClusterDiagnostics {
  private final KubeApi api;
  private final ProbeRequests requests;
  private final LeaseApi lease;
  private final Clock clock;
  private final String url;
  private final Once<Kinds> kinds = new Once<>(this::discover);
  private final Once<Kyverno> kyverno = new Once<>(this::findKyverno);

  public ClusterProbe(ClusterConnection connection, String namespace, Clock clock) {
    this.api = new KubeApi(connection);
    this.requests = new ProbeRequests(connection);
    this.lease = new LeaseApi(connection, namespace);
    this.clock = clock;
    this.url = connection.server().newBuilder().username("").password("").build().toString();
  }

  @Override
  public ProbeResult<Server> server() {
    var before = clock.instant();
    return requests.get(
        "read /version",
        List.of("version"),
        apiResponse -> {
          var asked = before.plus(Duration.between(before, clock.instant()).dividedBy(2));
          return apiResponse
              .body()
              .text("gitVersion")
              .map(version ->
                  new Server(url, version, apiResponse.time().map(theirs -> ahead(asked, theirs))));
        });
  }

  /// Returns how far our clock is ahead. The header has whole seconds, so half a second is missing
  /// on average.
  private static Duration ahead(Instant ours, Instant theirs) {
    return Duration.between(theirs.plusMillis(500), ours);
  }

  @Override
  public ProbeResult<Kinds> kinds() {
    return kinds.get();
  }

  private ProbeResult<Kinds> discover() {
    var versions = new EnumMap<PolicyKind, String>(PolicyKind.class);
    var missing = new EnumMap<PolicyKind, String>(PolicyKind.class);
    var uncertain = new EnumMap<PolicyKind, String>(PolicyKind.class);
    var served = new Discovery(api).discover();
    for (var kind : PolicyKind.all()) {
      switch (served.get(kind)) {
        case Discovery.Found.Served(var version) -> versions.put(kind, version);
        case Discovery.Found.Missing(var reason) -> missing.put(kind, reason);
        case Discovery.Found.Uncertain(var failure) -> uncertain.put(kind, failure.reason());
      }
    }
    return new ProbeResult.Got<>(new Kinds(versions, missing, uncertain));
  }

  @Override
  public ProbeResult<LeaseState> lease() {
    return ProbeRequests.run(() ->
        lease
            .read("read")
            .<ProbeResult<LeaseState>>map(found -> new ProbeResult.Got<>(state(found)))
            .orElseGet(ProbeResult.Absent::new));
  }

  /// Reads the Lease's state. Ages are measured by the API server's clock, or by ours if the
  /// response has no time.
  private LeaseState state(ApiResponse apiResponse) {
    var record = LeaseRecord.of(apiResponse.body());
    var now = apiResponse.time().orElseGet(clock::instant);
    return new LeaseState(
        lease.name(),
        record.hold(now),
        record.holder(),
        record.acquireTime().map(time -> Duration.between(time, now)),
        record.renewTime().map(time -> Duration.between(time, now)),
        lease.releaseCommand());
  }

  @Override
  public ProbeResult<Kyverno> kyverno() {
    return kyverno.get();
  }

  private ProbeResult<Kyverno> findKyverno() {
    return switch (KyvernoDeployment.find(api)) {
      case KyvernoDeployment.Search.Found(var found) ->
          new ProbeResult.Got<>(
              new Kyverno(
                  found.namespace(),
                  found.namespace() + "/" + found.name(),
                  found.version().orElse("version unknown"),
                  found.wanted(),
                  found.ready()));
      case KyvernoDeployment.Search.Nowhere() -> new ProbeResult.Absent<>();
      case KyvernoDeployment.Search.Refused(var attempt, var apiResponse) ->
          ProbeRequests.refused(attempt, apiResponse);
    };
  }

  /// Sends a request only once, and shares the result between threads.
  private static final class Once<T> {
    private final Supplier<ProbeResult<T>> asking;
    private @Nullable ProbeResult<T> probeResult;

    Once(Supplier<ProbeResult<T>> asking) {
      this.asking = asking;
    }

    synchronized ProbeResult<T> get() {
      if (probeResult == null) {
        probeResult = ProbeRequests.run(asking);
      }
      return probeResult;
    }
  }
}

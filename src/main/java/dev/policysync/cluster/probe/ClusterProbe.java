package dev.policysync.cluster.probe;

import dev.policysync.check.ClusterDiagnostics;
import dev.policysync.check.ProbeResult;
import dev.policysync.cluster.connection.ClusterConnection;
import dev.policysync.cluster.discovery.Discovery;
import dev.policysync.cluster.discovery.KyvernoDeployment;
import dev.policysync.cluster.lease.LeaseApi;
import dev.policysync.cluster.lease.LeaseRecord;
import dev.policysync.cluster.request.ApiErrorClassifier;
import dev.policysync.cluster.request.KubeApi;
import dev.policysync.json.CanonicalJson;
import dev.policysync.json.Value;
import dev.policysync.parallel.Parallel;
import dev.policysync.plan.live.Failure;
import dev.policysync.policy.PolicyKind;
import dev.policysync.sync.execution.ClusterUnavailable;
import java.time.Clock;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Asks a real API server what `check` wants to know: by reads, by access reviews, which leave
/// nothing behind, and by a dry run.
public final class ClusterProbe implements ClusterDiagnostics {
  /// Access reviews under way at the same time.
  private static final int AT_ONCE = 8;

  private static final String REVIEWS = "authorization.k8s.io";
  private static final String LAST_REQUEST = "kyverno.io/last-request-time";

  /// The versions in which reports are read.
  private static final Map<String, String> REPORTS =
      Map.of("wgpolicyk8s.io", "v1alpha2", "openreports.io", "v1alpha1");

  private final KubeApi api;
  private final LeaseApi lease;
  private final Clock clock;
  private final String url;
  private final Once<Kinds> kinds = new Once<>(this::discover);
  private final Once<Kyverno> kyverno = new Once<>(this::findKyverno);

  /// @param namespace of the agent's Lease
  public ClusterProbe(ClusterConnection connection, String namespace, Clock clock) {
    this.api = new KubeApi(connection);
    this.lease = new LeaseApi(connection, namespace);
    this.clock = clock;
    this.url = connection.server().newBuilder().username("").password("").build().toString();
  }

  @Override
  public ProbeResult<Server> server() {
    var before = clock.instant();
    return reply(
        "read /version",
        () -> api.get(api.url(List.of("version")).build(), KubeApi.JSON),
        apiResponse -> {
          var asked = before.plus(Duration.between(before, clock.instant()).dividedBy(2));
          return apiResponse
              .body()
              .text("gitVersion")
              .map(version -> new Server(url, version, apiResponse.time().map(ahead(asked))));
        });
  }

  /// The header has whole seconds, and half of one is missing on average.
  private static Function<Instant, Duration> ahead(Instant ours) {
    return theirs -> Duration.between(theirs.plusMillis(500), ours);
  }

  @Override
  public ProbeResult<Kinds> kinds() {
    return kinds.get();
  }

  private ProbeResult<Kinds> discover() {
    try {
      var versions = new EnumMap<PolicyKind, String>(PolicyKind.class);
      var missing = new EnumMap<PolicyKind, String>(PolicyKind.class);
      var uncertain = new EnumMap<PolicyKind, String>(PolicyKind.class);
      var served = new Discovery(api).ask();
      for (var kind : PolicyKind.all()) {
        switch (served.get(kind)) {
          case Discovery.Found.Served(var version) -> versions.put(kind, version);
          case Discovery.Found.Missing(var reason) -> missing.put(kind, reason);
          case Discovery.Found.Uncertain(var failure) -> uncertain.put(kind, failure.reason());
        }
      }
      return new ProbeResult.Got<>(new Kinds(versions, missing, uncertain));
    } catch (ClusterUnavailable e) {
      return unavailable(e);
    }
  }

  @Override
  public ProbeResult<Set<String>> reportGroups() {
    var served = new LinkedHashSet<String>();
    for (var group : REPORTS.entrySet()) {
      var path = List.of("apis", group.getKey(), group.getValue());
      ProbeResult<Boolean> probeResult =
          reply(
              "read /" + String.join("/", path),
              () -> api.get(api.url(path).build(), KubeApi.JSON),
              _ -> Optional.of(true));
      switch (probeResult) {
        case ProbeResult.Got<Boolean> _ -> served.add(group.getKey());
        case ProbeResult.Absent<Boolean> _ -> {}
        case ProbeResult.Forbidden<Boolean>(var reason) -> {
          return new ProbeResult.Forbidden<>(reason);
        }
        case ProbeResult.Failed<Boolean>(var reason) -> {
          return new ProbeResult.Failed<>(reason);
        }
      }
    }
    return new ProbeResult.Got<>(served);
  }

  @Override
  public Map<Access, ProbeResult<Boolean>> allowed(List<Access> accesses) {
    return Parallel.map(accesses, AT_ONCE, "asking for permissions", this::review);
  }

  private ProbeResult<Boolean> review(Access access) {
    var attributes =
        Value.Mapping.EMPTY
            .with("verb", new Value.Text(access.verb()))
            .with("group", new Value.Text(access.group()))
            .with("resource", new Value.Text(access.resource()))
            .with("namespace", new Value.Text(access.namespace()))
            .with("name", new Value.Text(access.name()));
    var review =
        Value.Mapping.EMPTY
            .with("apiVersion", new Value.Text(REVIEWS + "/v1"))
            .with("kind", new Value.Text("SelfSubjectAccessReview"))
            .with("spec", Value.Mapping.EMPTY.with("resourceAttributes", attributes));
    var target = api.url(List.of("apis", REVIEWS, "v1", "selfsubjectaccessreviews")).build();
    return reply(
        "ask what we may do",
        () ->
            api.send("POST", target, KubeApi.JSON_BODY, CanonicalJson.write(review), KubeApi.JSON),
        apiResponse ->
            Optional.of(
                new Value.Bool(true)
                    .equals(apiResponse.body().mapping("status").fields().get("allowed"))));
  }

  @Override
  public ProbeResult<LeaseState> lease() {
    try {
      var answer = lease.read("read");
      return answer.isEmpty()
          ? new ProbeResult.Absent<>()
          : new ProbeResult.Got<>(state(answer.get()));
    } catch (ClusterUnavailable e) {
      return unavailable(e);
    }
  }

  private LeaseState state(KubeApi.ApiResponse apiResponse) {
    var record = LeaseRecord.of(apiResponse.body());
    return new LeaseState(
        lease.name(),
        record.holder(),
        record.duration(),
        record.renewTime().map(time -> since(time, apiResponse)),
        lease.commandToFree());
  }

  /// By the API server's clock, or ours where it does not tell.
  private Duration since(Instant time, KubeApi.ApiResponse apiResponse) {
    return Duration.between(time, apiResponse.time().orElseGet(clock::instant));
  }

  @Override
  public ProbeResult<Kyverno> kyverno() {
    return kyverno.get();
  }

  private ProbeResult<Kyverno> findKyverno() {
    try {
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
            refused(attempt, apiResponse);
      };
    } catch (ClusterUnavailable e) {
      return unavailable(e);
    }
  }

  @Override
  public ProbeResult<List<String>> webhooks(String configuration) {
    var path =
        List.of(
            "apis",
            "admissionregistration.k8s.io",
            "v1",
            "validatingwebhookconfigurations",
            configuration);
    return reply(
        "read ValidatingWebhookConfiguration " + configuration,
        () -> api.get(api.url(path).build(), KubeApi.JSON),
        apiResponse ->
            Optional.of(
                apiResponse.body().items("webhooks").stream().map(ClusterProbe::target).toList()));
  }

  private static String target(Value webhook) {
    var client =
        webhook instanceof Value.Mapping fields
            ? fields.mapping("clientConfig")
            : Value.Mapping.EMPTY;
    if (client.text("caBundle").orElse("").isEmpty()) {
      return "";
    }
    var service = client.mapping("service");
    return service
        .text("name")
        .map(name -> service.text("namespace").orElse("") + "/" + name)
        .or(() -> client.text("url"))
        .orElse("");
  }

  @Override
  public ProbeResult<Duration> kyvernoSilence(String namespace) {
    var path =
        List.of(
            "apis",
            "coordination.k8s.io",
            "v1",
            "namespaces",
            namespace,
            "leases",
            "kyverno-health");
    return reply(
        "read Lease " + namespace + "/kyverno-health",
        () -> api.get(api.url(path).build(), KubeApi.JSON),
        apiResponse ->
            lastRequest(apiResponse.body().mapping("metadata").mapping("annotations"))
                .map(time -> since(time, apiResponse)));
  }

  private static Optional<Instant> lastRequest(Value.Mapping annotations) {
    try {
      return annotations.text(LAST_REQUEST).map(Instant::parse);
    } catch (DateTimeException _) {
      return Optional.empty();
    }
  }

  @Override
  public ProbeResult<String> tryOut(PolicyKind kind, String version) {
    var policy = ProbePolicy.of(kind, version);
    var target =
        api.url(List.of("apis", kind.group(), version, kind.plural()))
            .addQueryParameter("dryRun", "All")
            .addQueryParameter("fieldValidation", "Strict")
            .build();
    return reply(
        "create a " + kind + " as a dry run",
        () ->
            api.send(
                "POST", target, KubeApi.JSON_BODY, CanonicalJson.write(policy), KubeApi.METADATA),
        _ -> Optional.of("the API server, with its webhooks, would take a new " + kind));
  }

  private static <T> ProbeResult<T> reply(
      String attempt,
      Supplier<KubeApi.ApiResponse> request,
      Function<KubeApi.ApiResponse, Optional<T>> meaning) {
    try {
      var apiResponse = request.get();
      if (apiResponse.ok()) {
        var meant = meaning.apply(apiResponse);
        return meant.isPresent() ? new ProbeResult.Got<>(meant.get()) : new ProbeResult.Absent<>();
      }
      return refused(attempt, apiResponse);
    } catch (ClusterUnavailable e) {
      return unavailable(e);
    }
  }

  private static <T> ProbeResult<T> refused(String attempt, KubeApi.ApiResponse apiResponse) {
    return switch (apiResponse.status()) {
      case 404 -> new ProbeResult.Absent<>();
      case 403 -> new ProbeResult.Forbidden<>(ApiErrorClassifier.of(attempt, apiResponse).reason());
      default -> new ProbeResult.Failed<>(ApiErrorClassifier.of(attempt, apiResponse).reason());
    };
  }

  private static <T> ProbeResult<T> unavailable(ClusterUnavailable e) {
    return e.failure().cause() == Failure.Cause.FORBIDDEN
        ? new ProbeResult.Forbidden<>(e.failure().reason())
        : new ProbeResult.Failed<>(e.failure().reason());
  }

  /// Asked once, for whoever wants to know, on whichever thread.
  private static final class Once<T> {
    private final Supplier<ProbeResult<T>> asking;
    private @Nullable ProbeResult<T> probeResult;

    Once(Supplier<ProbeResult<T>> asking) {
      this.asking = asking;
    }

    synchronized ProbeResult<T> get() {
      if (probeResult == null) {
        probeResult = asking.get();
      }
      return probeResult;
    }
  }
}

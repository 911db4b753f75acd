package dev.policysync.cluster;

import dev.policysync.check.Cluster;
import dev.policysync.check.Reply;
import dev.policysync.plan.Failure;
import dev.policysync.policy.PolicyKind;
import dev.policysync.sync.ClusterUnavailable;
import dev.policysync.yaml.CanonicalJson;
import dev.policysync.yaml.Value;
import java.time.Clock;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Asks a real API server what `check` wants to know: by reads, by access reviews, which leave
/// nothing behind, and by a dry run.
public final class ClusterProbe implements Cluster {
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
  public Reply<Server> server() {
    var before = clock.instant();
    return reply(
        "read /version",
        () -> api.get(api.url(List.of("version")).build(), KubeApi.JSON),
        answer -> {
          var asked = before.plus(Duration.between(before, clock.instant()).dividedBy(2));
          return answer
              .body()
              .text("gitVersion")
              .map(version -> new Server(url, version, answer.time().map(ahead(asked))));
        });
  }

  /// The header has whole seconds, and half of one is missing on average.
  private static Function<Instant, Duration> ahead(Instant ours) {
    return theirs -> Duration.between(theirs.plusMillis(500), ours);
  }

  @Override
  public Reply<Kinds> kinds() {
    return kinds.get();
  }

  private Reply<Kinds> discover() {
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
      return new Reply.Got<>(new Kinds(versions, missing, uncertain));
    } catch (ClusterUnavailable e) {
      return unavailable(e);
    }
  }

  @Override
  public Reply<Set<String>> reportGroups() {
    var served = new LinkedHashSet<String>();
    for (var group : REPORTS.entrySet()) {
      var path = List.of("apis", group.getKey(), group.getValue());
      Reply<Boolean> reply =
          reply(
              "read /" + String.join("/", path),
              () -> api.get(api.url(path).build(), KubeApi.JSON),
              _ -> Optional.of(true));
      switch (reply) {
        case Reply.Got<Boolean> _ -> served.add(group.getKey());
        case Reply.Absent<Boolean> _ -> {}
        case Reply.Forbidden<Boolean>(var reason) -> {
          return new Reply.Forbidden<>(reason);
        }
        case Reply.Failed<Boolean>(var reason) -> {
          return new Reply.Failed<>(reason);
        }
      }
    }
    return new Reply.Got<>(served);
  }

  @Override
  public Map<Access, Reply<Boolean>> allowed(List<Access> accesses) {
    var pending = new LinkedHashMap<Access, Future<Reply<Boolean>>>();
    var replies = new LinkedHashMap<Access, Reply<Boolean>>();
    try (var threads = Executors.newFixedThreadPool(AT_ONCE)) {
      accesses.forEach(access -> pending.put(access, threads.submit(() -> review(access))));
      pending.forEach((access, reply) -> replies.put(access, result(access, reply)));
    }
    return replies;
  }

  private Reply<Boolean> review(Access access) {
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
        answer ->
            Optional.of(
                new Value.Bool(true)
                    .equals(answer.body().mapping("status").fields().get("allowed"))));
  }

  private static Reply<Boolean> result(Access access, Future<Reply<Boolean>> reply) {
    try {
      return reply.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new Reply.Failed<>("interrupted");
    } catch (ExecutionException e) {
      throw new IllegalStateException("asking for " + access + " broke off", e.getCause());
    }
  }

  @Override
  public Reply<LeaseState> lease() {
    try {
      var answer = lease.read("read");
      return answer.isEmpty() ? new Reply.Absent<>() : new Reply.Got<>(state(answer.get()));
    } catch (ClusterUnavailable e) {
      return unavailable(e);
    }
  }

  private LeaseState state(KubeApi.Answer answer) {
    var record = LeaseRecord.of(answer.body());
    return new LeaseState(
        lease.name(),
        record.holder(),
        record.duration(),
        record.renewTime().map(time -> since(time, answer)),
        lease.commandToFree());
  }

  /// By the API server's clock, or ours where it does not tell.
  private Duration since(Instant time, KubeApi.Answer answer) {
    return Duration.between(time, answer.time().orElseGet(clock::instant));
  }

  @Override
  public Reply<Kyverno> kyverno() {
    return kyverno.get();
  }

  private Reply<Kyverno> findKyverno() {
    try {
      return switch (KyvernoDeployment.find(api)) {
        case KyvernoDeployment.Search.Found(var found) ->
            new Reply.Got<>(
                new Kyverno(
                    found.namespace(),
                    found.namespace() + "/" + found.name(),
                    found.version().orElse("version unknown"),
                    found.wanted(),
                    found.ready()));
        case KyvernoDeployment.Search.Nowhere() -> new Reply.Absent<>();
        case KyvernoDeployment.Search.Refused(var attempt, var answer) -> refused(attempt, answer);
      };
    } catch (ClusterUnavailable e) {
      return unavailable(e);
    }
  }

  @Override
  public Reply<List<String>> webhooks(String configuration) {
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
        answer ->
            Optional.of(
                answer.body().items("webhooks").stream().map(ClusterProbe::target).toList()));
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
  public Reply<Duration> kyvernoSilence(String namespace) {
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
        answer ->
            lastRequest(answer.body().mapping("metadata").mapping("annotations"))
                .map(time -> since(time, answer)));
  }

  private static Optional<Instant> lastRequest(Value.Mapping annotations) {
    try {
      return annotations.text(LAST_REQUEST).map(Instant::parse);
    } catch (DateTimeException _) {
      return Optional.empty();
    }
  }

  @Override
  public Reply<String> tryOut(PolicyKind kind, String version) {
    var policy = Sample.of(kind, version);
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

  private static <T> Reply<T> reply(
      String attempt,
      Supplier<KubeApi.Answer> request,
      Function<KubeApi.Answer, Optional<T>> meaning) {
    try {
      var answer = request.get();
      if (answer.ok()) {
        var meant = meaning.apply(answer);
        return meant.isPresent() ? new Reply.Got<>(meant.get()) : new Reply.Absent<>();
      }
      return refused(attempt, answer);
    } catch (ClusterUnavailable e) {
      return unavailable(e);
    }
  }

  private static <T> Reply<T> refused(String attempt, KubeApi.Answer answer) {
    return switch (answer.status()) {
      case 404 -> new Reply.Absent<>();
      case 403 -> new Reply.Forbidden<>(Refusal.of(attempt, answer).reason());
      default -> new Reply.Failed<>(Refusal.of(attempt, answer).reason());
    };
  }

  private static <T> Reply<T> unavailable(ClusterUnavailable e) {
    return e.failure().cause() == Failure.Cause.FORBIDDEN
        ? new Reply.Forbidden<>(e.failure().reason())
        : new Reply.Failed<>(e.failure().reason());
  }

  /// Asked once, for whoever wants to know, on whichever thread.
  private static final class Once<T> {
    private final Supplier<Reply<T>> asking;
    private @Nullable Reply<T> reply;

    Once(Supplier<Reply<T>> asking) {
      this.asking = asking;
    }

    synchronized Reply<T> get() {
      if (reply == null) {
        reply = asking.get();
      }
      return reply;
    }
  }
}

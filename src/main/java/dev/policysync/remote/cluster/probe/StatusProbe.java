package dev.policysync.remote.cluster.probe;

import dev.policysync.base.Value;
import dev.policysync.inspect.ClusterFacts;
import dev.policysync.inspect.ClusterFacts.ExpiringException;
import dev.policysync.inspect.ClusterFacts.GivenApproval;
import dev.policysync.inspect.ClusterFacts.Kyverno;
import dev.policysync.inspect.ClusterFacts.LeaseHolder;
import dev.policysync.inspect.Schedule;
import dev.policysync.inspect.WebhookBreakers;
import dev.policysync.policy.PolicyKind;
import dev.policysync.remote.cluster.ApiErrorClassifier;
import dev.policysync.remote.cluster.ApiResponse;
import dev.policysync.remote.cluster.ClusterConnection;
import dev.policysync.remote.cluster.Discovery;
import dev.policysync.remote.cluster.KubeApi;
import dev.policysync.remote.cluster.KyvernoDeployment;
import dev.policysync.remote.cluster.lease.LeaseApi;
import dev.policysync.remote.cluster.lease.LeaseRecord;
import dev.policysync.remote.cluster.policy.ClusterFullPolicies;
import dev.policysync.sync.execution.ClusterUnavailable;
import java.time.Clock;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/// Reads the facts that `status` shows in addition to the policies. Facts that may not be read are
/// listed as unread, and nothing fails: people run it with their own permissions.
public final class StatusProbe {
  /// The CronJob's name. It is the same in every installation, because Jobs on demand are created
  /// from the CronJob of this name.
  private static final String CRON_JOB = "kyverno-policy-sync";

  /// The label `app` of all objects of the chart that installs the Go agent.
  private static final String GO_AGENTS_CHART = "insights-agent";

  private static final String APPROVE = "policysync.dev/approve-";

  /// The versions of exceptions that may have an expiry (policies.kyverno.io since Kyverno 1.19),
  /// newest first.
  private static final List<String> EXCEPTION_VERSIONS = List.of("v1", "v1beta1");

  private final ClusterConnection connection;
  private final Set<PolicyKind> excluded;
  private final KubeApi api;
  private final Clock clock;
  private final List<String> unread = new ArrayList<>();

  private Optional<String> version = Optional.empty();

  /// @param excluded the kinds that runs neither list nor write
  public StatusProbe(ClusterConnection connection, Clock clock, Set<PolicyKind> excluded) {
    this.excluded = Set.copyOf(excluded);
    this.connection = connection;
    this.api = new KubeApi(connection);
    this.clock = clock;
  }

  /// Returns why the API server answers nothing, if it does not: then nothing else needs to be
  /// asked. It asks for the version, which every user may read.
  public Optional<String> unreachable() {
    try {
      var answer = api.get(api.url(List.of("version")).build(), KubeApi.JSON);
      version = answer.ok() ? answer.body().text("gitVersion") : Optional.empty();
      return answer.status() == 401
          ? Optional.of(ApiErrorClassifier.classify("read /version", answer).reason())
          : Optional.empty();
    } catch (ClusterUnavailable e) {
      return Optional.of(e.failure().reason());
    }
  }

  /// Reads all facts that we have permission for.
  ///
  /// @param namespace the agent's
  public ClusterFacts facts(String namespace) {
    unread.clear();
    var leases = new LeaseApi(connection, namespace);
    var lease = orUnread(() -> leases.read("read"));
    return new ClusterFacts(
        version,
        orUnread(() -> Optional.of(missingKinds())).orElse(List.of()),
        orUnread(this::kyverno),
        lease.map(found -> holder(leases, found)),
        schedule(namespace),
        lease.map(StatusProbe::approvals).orElse(List.of()),
        expiring(),
        webhookBreakers(),
        unread);
  }

  private Optional<Kyverno> kyverno() {
    return switch (KyvernoDeployment.find(api)) {
      case KyvernoDeployment.Search.Found(var found) ->
          Optional.of(
              new Kyverno(
                  found.namespace() + "/" + found.name(),
                  found.version(),
                  found.ready(),
                  found.wanted()));
      case KyvernoDeployment.Search.Nowhere() -> Optional.empty();
      case KyvernoDeployment.Search.Refused(var attempt, var apiResponse) -> {
        unread.add(ApiErrorClassifier.classify(attempt, apiResponse).reason());
        yield Optional.empty();
      }
    };
  }

  private List<String> missingKinds() {
    var served = new Discovery(api).discover();
    return PolicyKind.all().stream()
        .filter(kind -> served.get(kind) instanceof Discovery.Found.Missing)
        .map(PolicyKind::label)
        .toList();
  }

  private LeaseHolder holder(LeaseApi leases, ApiResponse lease) {
    var record = LeaseRecord.of(lease.body());
    var now = lease.time().orElseGet(clock::instant);
    return new LeaseHolder(
        leases.name(),
        Optional.of(record.holder()).filter(holder -> !holder.isEmpty()),
        record.acquireTime().map(time -> Duration.between(time, now)),
        record.renewTime(),
        record.hold(now),
        leases.releaseCommand());
  }

  private static List<GivenApproval> approvals(ApiResponse lease) {
    var metadata = lease.body().mapping("metadata");
    var given = new ArrayList<GivenApproval>();
    for (var annotation : metadata.mapping("annotations").fields().entrySet()) {
      var name = annotation.getKey();
      if (name.startsWith(APPROVE)
          && !name.endsWith("-since")
          && annotation.getValue() instanceof Value.Text(var list)) {
        var entry =
            metadata.mappings("managedFields").stream()
                .filter(owner ->
                    owner
                        .mapping("fieldsV1")
                        .mapping("f:metadata")
                        .mapping("f:annotations")
                        .field("f:" + name)
                        .isPresent())
                .findFirst();
        given.add(
            new GivenApproval(
                name.substring(APPROVE.length()),
                list,
                entry.flatMap(owner -> owner.text("manager")),
                entry.flatMap(owner -> time(owner, "time"))));
      }
    }
    return given;
  }

  private Schedule schedule(String namespace) {
    var name = namespace + "/" + CRON_JOB;
    var path = List.of("apis", "batch", "v1", "namespaces", namespace, "cronjobs", CRON_JOB);
    return orUnread(() -> Optional.of(api.get(api.url(path).build(), KubeApi.JSON)))
        .map(answer -> schedule(name, answer))
        .orElseGet(Schedule.Unread::new);
  }

  private Schedule schedule(String name, ApiResponse answer) {
    if (answer.status() == 404) {
      return new Schedule.Missing(name);
    }
    if (!ok("read CronJob " + name, answer)) {
      return new Schedule.Unread();
    }
    if (answer
        .body()
        .mapping("metadata")
        .mapping("labels")
        .text("app")
        .equals(Optional.of(GO_AGENTS_CHART))) {
      return new Schedule.OfTheGoAgent(name);
    }
    var spec = answer.body().mapping("spec");
    var status = answer.body().mapping("status");
    return new Schedule.CronJob(
        name,
        spec.field("suspend").equals(Optional.of(new Value.Bool(true))),
        spec.text("schedule").filter(StatusProbe::hourly).isPresent(),
        time(status, "lastScheduleTime"),
        time(status, "lastSuccessfulTime"),
        status.items("active").size());
  }

  /// Returns whether a schedule is due in each hour of each day: `4-59/5 * * * *`.
  private static boolean hourly(String schedule) {
    return schedule.strip().matches("@hourly|\\S+( +\\*){4}");
  }

  private List<WebhookBreakers.Breaker> webhookBreakers() {
    var breakers = WebhookBreakers.find(new ClusterFullPolicies(connection), excluded);
    unread.addAll(breakers.unread());
    return breakers.policies();
  }

  private List<ExpiringException> expiring() {
    for (var version : EXCEPTION_VERSIONS) {
      var found =
          get("list PolicyExceptions", "apis", "policies.kyverno.io", version, "policyexceptions");
      if (found.isPresent()) {
        return found.get().body().mappings("items").stream()
            .flatMap(exception -> expiring(exception).stream())
            .sorted(Comparator.comparing(ExpiringException::at))
            .toList();
      }
    }
    return List.of();
  }

  private static Optional<ExpiringException> expiring(Value.Mapping exception) {
    var metadata = exception.mapping("metadata");
    var name =
        "PolicyException.policies.kyverno.io/"
            + metadata.text("namespace").orElse("")
            + "/"
            + metadata.text("name").orElse("");
    return time(exception.mapping("spec"), "expiresAt").map(at -> new ExpiringException(name, at));
  }

  /// Reads an object or list; empty if there is none, or it could not be read.
  private Optional<ApiResponse> get(String attempt, String... path) {
    return orUnread(() -> Optional.of(api.get(api.url(List.of(path)).build(), KubeApi.JSON)))
        .filter(answer -> ok(attempt, answer));
  }

  private boolean ok(String attempt, ApiResponse answer) {
    if (!answer.ok() && answer.status() != 404) {
      unread.add(ApiErrorClassifier.classify(attempt, answer).reason());
    }
    return answer.ok();
  }

  private <T> Optional<T> orUnread(Supplier<Optional<T>> asking) {
    try {
      return asking.get();
    } catch (ClusterUnavailable e) {
      unread.add(e.failure().reason());
      return Optional.empty();
    }
  }

  private static Optional<Instant> time(Value.Mapping fields, String name) {
    try {
      return fields.text(name).map(Instant::parse);
    } catch (DateTimeException _) {
      return Optional.empty();
    }
  }
}

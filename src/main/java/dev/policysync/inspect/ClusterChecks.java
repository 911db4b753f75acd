package dev.policysync.inspect;

import dev.policysync.inspect.ClusterDiagnostics.Kinds;
import dev.policysync.inspect.ClusterDiagnostics.LeaseState;
import dev.policysync.inspect.ClusterDiagnostics.Server;
import dev.policysync.policy.PolicyKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;

/// Checks that the API server responds, serves the kinds of policies, and has a Lease that runs can
/// acquire.
public final class ClusterChecks {
  static final String SERVER = "API server";
  static final String CLOCK = "API server clock";
  static final String KINDS = "kinds";
  static final String NAMESPACE = "namespace";
  static final String LEASE = "Lease";

  /// The first minor version of Kubernetes 1 with aggregated discovery enabled by default.
  private static final int OLDEST = 27;

  private static final Pattern VERSION = Pattern.compile("v1\\.(\\d+)\\..*");

  /// The largest clock difference with which an expired Lease is taken over at once
  /// (`docs/decisions/0006-when-a-lease-is-over.md`).
  private static final Duration SKEW = Duration.ofSeconds(5);

  private final ClusterDiagnostics clusterDiagnostics;

  public ClusterChecks(ClusterDiagnostics clusterDiagnostics) {
    this.clusterDiagnostics = clusterDiagnostics;
  }

  public List<Check> all() {
    return List.of(
        Check.of(SERVER, this::server),
        Check.of(KINDS, this::kinds).after(SERVER),
        Check.of(LEASE, this::lease).after(SERVER));
  }

  /// Creates the check that the namespace with the examined Lease is the agent's.
  ///
  /// @param found `insights-agent (the agent's Lease is there)`
  /// @param objection why the agent may be in another namespace; empty if it is in this one
  public static Check namespace(String found, String objection) {
    return Check.of(
            NAMESPACE,
            () ->
                List.of(
                    objection.isEmpty()
                        ? CheckResult.ok(NAMESPACE, found)
                        : CheckResult.failure(
                            NAMESPACE, found, "a run that writes is refused: " + objection)))
        .after(SERVER);
  }

  private List<CheckResult> server() {
    return switch (clusterDiagnostics.server()) {
      case ProbeResult.Got<Server>(var server) -> judge(server);
      case ProbeResult.Absent<Server>() ->
          List.of(
              CheckResult.failure(
                  SERVER,
                  "the endpoint is not a Kubernetes API server",
                  "check the server in the kubeconfig"));
      case ProbeResult.Forbidden<Server>(var reason) ->
          List.of(CheckResult.failure(SERVER, reason));
      case ProbeResult.Failed<Server>(var reason) -> List.of(CheckResult.failure(SERVER, reason));
    };
  }

  private static List<CheckResult> judge(Server server) {
    var answers = new ArrayList<CheckResult>();
    var found = "Kubernetes " + server.version() + " at " + server.url();
    var version = VERSION.matcher(server.version());
    answers.add(
        version.matches() && Integer.parseInt(version.group(1)) < OLDEST
            ? CheckResult.failure(
                SERVER,
                found,
                "Kubernetes 1." + OLDEST + " or newer is required: upgrade the cluster")
            : CheckResult.ok(SERVER, found));
    server
        .ahead()
        .ifPresent(ahead ->
            answers.add(
                ClockSkew.judge(
                    CLOCK,
                    "the API server's",
                    ahead,
                    SKEW,
                    "synchronize the clock of this machine with NTP: the Lease of a killed run"
                        + " is taken over late")));
    return answers;
  }

  private List<CheckResult> kinds() {
    return switch (clusterDiagnostics.kinds()) {
      case ProbeResult.Got<Kinds>(var kinds) -> judge(kinds);
      case ProbeResult.Absent<Kinds>() ->
          List.of(
              CheckResult.failure(
                  KINDS,
                  "the API server does not serve discovery",
                  "check the server in the kubeconfig and any proxy in front of it"));
      case ProbeResult.Forbidden<Kinds>(var reason) -> List.of(CheckResult.failure(KINDS, reason));
      case ProbeResult.Failed<Kinds>(var reason) -> List.of(CheckResult.failure(KINDS, reason));
    };
  }

  private static List<CheckResult> judge(Kinds kinds) {
    var answers = new ArrayList<CheckResult>();
    new TreeMap<>(kinds.uncertain())
        .forEach((kind, reason) ->
            answers.add(
                CheckResult.failure(
                    KINDS,
                    kind.qualified() + ": " + reason,
                    "run kubectl get --raw /apis; no policies are removed until this is fixed")));
    if (kinds.versions().keySet().stream().allMatch(PolicyKind::builtIn)) {
      answers.add(
          CheckResult.failure(
              KINDS,
              "no Kyverno kinds are served" + alsoServed(kinds.versions()),
              "install Kyverno and its CRDs, or select another cluster"));
      return answers;
    }
    var missing = new TreeSet<>(kinds.missing().keySet());
    answers.add(
        CheckResult.ok(
            KINDS,
            kinds.versions().size()
                + " of "
                + PolicyKind.all().size()
                + " kinds are served: "
                + byVersion(kinds.versions())
                + (missing.isEmpty()
                    ? ""
                    : "; not served: "
                        + missing
                        + ", which require a newer version of Kyverno or Kubernetes")));
    return answers;
  }

  private static String alsoServed(Map<PolicyKind, String> versions) {
    return versions.isEmpty() ? "" : "; served: " + byVersion(versions);
  }

  /// Lists the served versions by API group: `kyverno.io v1 v2, policies.kyverno.io v1`.
  private static String byVersion(Map<PolicyKind, String> served) {
    var versions = new TreeMap<String, TreeSet<String>>();
    served.forEach((kind, version) ->
        versions.computeIfAbsent(kind.group(), _ -> new TreeSet<>()).add(version));
    var groups = new ArrayList<String>();
    versions.forEach((group, all) -> groups.add(group + " " + String.join(" ", all)));
    return String.join(", ", groups);
  }

  private List<CheckResult> lease() {
    return List.of(
        switch (clusterDiagnostics.lease()) {
          case ProbeResult.Got<LeaseState>(var lease) -> judge(lease);
          case ProbeResult.Absent<LeaseState>() ->
              CheckResult.ok(LEASE, "not created yet; the first run that writes creates it");
          case ProbeResult.Forbidden<LeaseState>(var reason) -> CheckResult.failure(LEASE, reason);
          case ProbeResult.Failed<LeaseState>(var reason) -> CheckResult.failure(LEASE, reason);
        });
  }

  private static CheckResult judge(LeaseState lease) {
    var held = lease.name() + " is held by " + lease.holder();
    var renewed =
        lease.sinceRenewal().map(time -> ", renewed " + seconds(time) + " ago").orElse("");
    return switch (lease.hold()) {
      case FREE -> CheckResult.ok(LEASE, lease.name() + " is free");
      case ACTIVE -> CheckResult.ok(LEASE, held + ", an active run" + renewed);
      case EXPIRED ->
          CheckResult.warning(
              LEASE,
              held + ", which no longer renews it" + renewed,
              "a run was killed; the next run takes the Lease over. See kubectl describe pod for"
                  + " the cause, e.g. OOMKilled or evicted");
      case STUCK ->
          CheckResult.failure(
              LEASE,
              held
                  + lease.sinceAcquired().map(time -> " for " + seconds(time)).orElse("")
                  + ", longer than any run takes",
              "no run can write until the Lease is released; if no such run exists: "
                  + lease.howToFree());
    };
  }

  private static String seconds(Duration time) {
    return Math.max(0, time.toSeconds()) + " s";
  }
}

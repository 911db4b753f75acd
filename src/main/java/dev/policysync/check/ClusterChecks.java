package dev.policysync.check;

import dev.policysync.check.ClusterDiagnostics.Kinds;
import dev.policysync.check.ClusterDiagnostics.LeaseState;
import dev.policysync.check.ClusterDiagnostics.Server;
import dev.policysync.policy.PolicyKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;

/// Whether the API server answers, serves our kinds, and has a Lease that runs can take.
public final class ClusterChecks {
  static final String SERVER = "API server";
  static final String CLOCK = "API server clock";
  static final String KINDS = "kinds";
  static final String LEASE = "Lease";

  /// The first minor version of Kubernetes 1 that answers aggregated discovery by itself.
  private static final int OLDEST = 27;

  private static final Pattern VERSION = Pattern.compile("v1\\.(\\d+)\\..*");

  /// Up to here a Lease that was left behind is taken over at once
  /// (`docs/decisions/0006-when-a-lease-is-over.md`).
  private static final Duration SKEW = Duration.ofSeconds(5);

  /// What holds for longer than any run takes is held for good.
  private static final Duration LONGEST = Duration.ofHours(1);

  private final ClusterDiagnostics clusterDiagnostics;

  public ClusterChecks(ClusterDiagnostics clusterDiagnostics) {
    this.clusterDiagnostics = clusterDiagnostics;
  }

  /// The questions, in order.
  public List<Check> all() {
    return List.of(
        Check.of(SERVER, this::server),
        Check.of(KINDS, this::kinds).after(SERVER),
        Check.of(LEASE, this::lease).after(SERVER));
  }

  private List<CheckResult> server() {
    return switch (clusterDiagnostics.server()) {
      case ProbeResult.Got<Server>(var server) -> judge(server);
      case ProbeResult.Absent<Server>() ->
          List.of(
              CheckResult.failure(
                  SERVER, "what answers is no API server", "check the kubeconfig's server"));
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
                SERVER, found, "Kubernetes 1." + OLDEST + " or newer is needed: upgrade it")
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
                    "set this machine's clock by NTP: a Lease that a killed run left behind is taken"
                        + " over later than it could be")));
    return answers;
  }

  private List<CheckResult> kinds() {
    return switch (clusterDiagnostics.kinds()) {
      case ProbeResult.Got<Kinds>(var kinds) -> judge(kinds);
      case ProbeResult.Absent<Kinds>() ->
          List.of(
              CheckResult.failure(KINDS, "the API server has no discovery", "check what answers"));
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
                    "kubectl get --raw /apis shows it; while it lasts, nothing is removed")));
    if (kinds.versions().keySet().stream().allMatch(PolicyKind::builtIn)) {
      answers.add(
          CheckResult.failure(
              KINDS,
              "none of Kyverno's kinds is served" + alsoServed(kinds.versions()),
              "install Kyverno with its CRDs, or select the cluster that has it"));
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
                    : "; not "
                        + missing
                        + ", which only newer versions of Kyverno or Kubernetes have")));
    return answers;
  }

  private static String alsoServed(Map<PolicyKind, String> versions) {
    return versions.isEmpty() ? "" : ", only " + byVersion(versions);
  }

  /// `kyverno.io v1 v2, policies.kyverno.io v1`.
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
              CheckResult.ok(
                  LEASE, "there is none yet; the first run that has something to write makes it");
          case ProbeResult.Forbidden<LeaseState>(var reason) -> CheckResult.failure(LEASE, reason);
          case ProbeResult.Failed<LeaseState>(var reason) -> CheckResult.failure(LEASE, reason);
        });
  }

  private static CheckResult judge(LeaseState lease) {
    if (lease.holder().isEmpty()) {
      return CheckResult.ok(LEASE, lease.name() + " is free");
    }
    var held = lease.name() + " is held by " + lease.holder();
    var duration = lease.duration().orElse(Duration.ZERO);
    if (duration.compareTo(LONGEST) > 0) {
      return CheckResult.failure(
          LEASE,
          held + " for " + duration.toSeconds() + " s, longer than any run takes",
          "if that holder is gone: " + lease.howToFree());
    }
    if (lease.silence().isEmpty()) {
      return CheckResult.warning(
          LEASE,
          held + ", and does not say since when",
          "if that holder is gone, the next run takes it over after having watched it: nothing to do");
    }
    var silence = lease.silence().get();
    if (silence.compareTo(duration) > 0) {
      return CheckResult.warning(
          LEASE,
          held
              + ", which has not renewed it for "
              + silence.toSeconds()
              + " s, although it holds for "
              + duration.toSeconds()
              + " s only",
          "a run was killed; the next one takes it over by itself. Why it was killed:"
              + " kubectl describe pod, OOMKilled or evicted?");
    }
    return CheckResult.ok(
        LEASE, held + ", a run at work, renewed " + Math.max(0, silence.toSeconds()) + " s ago");
  }
}

package dev.policysync.inspect;

import dev.policysync.inspect.PermissionDiagnostics.Access;
import dev.policysync.policy.PolicyKind;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/// Checks that the agent has the permissions that a run needs, by asking the API server
/// (SelfSubjectAccessReview). Each check covers a rule in `rbac/`. In a pod the permissions are the
/// agent's, elsewhere those of the kubeconfig's user.
public final class PermissionChecks {
  static final String POLICIES = "policy permissions";
  static final String LEASE = "Lease permissions";
  static final String EVENTS = "Event permissions";
  static final String REPORTS = "report permissions";

  private static final String LOCK = "kyverno-policy-sync-lock";
  private static final List<String> VERBS = List.of("list", "get", "create", "patch", "delete");

  private static final Map<String, List<String>> REPORT_RESOURCES =
      Map.of(
          "wgpolicyk8s.io", List.of("policyreports", "clusterpolicyreports"),
          "openreports.io", List.of("reports", "clusterreports"));

  private final ClusterDiagnostics clusterDiagnostics;
  private final PermissionDiagnostics permissionDiagnostics;
  private final String namespace;
  private final Removals removals;
  private final List<PolicyKind> kinds;

  /// Whether runs may remove policies.
  public enum Removals {
    WANTED,
    SWITCHED_OFF
  }

  /// @param namespace the namespace of the Lease
  /// @param excluded the kinds that runs neither list nor write
  public PermissionChecks(
      ClusterDiagnostics clusterDiagnostics,
      PermissionDiagnostics permissionDiagnostics,
      String namespace,
      Removals removals,
      Set<PolicyKind> excluded) {
    this.clusterDiagnostics = clusterDiagnostics;
    this.permissionDiagnostics = permissionDiagnostics;
    this.namespace = namespace;
    this.removals = removals;
    this.kinds = PolicyKind.all().stream().filter(kind -> !excluded.contains(kind)).toList();
  }

  public List<Check> all() {
    return List.of(
        Check.of(POLICIES, this::policies).after(ClusterChecks.SERVER),
        Check.of(LEASE, this::lease).after(ClusterChecks.SERVER),
        Check.of(EVENTS, this::events).after(ClusterChecks.SERVER),
        Check.of(REPORTS, this::reports).after(ClusterChecks.SERVER));
  }

  private List<CheckResult> policies() {
    var wanted = new LinkedHashMap<Access, PolicyKind>();
    var verbs =
        VERBS.stream()
            .filter(verb -> removals == Removals.WANTED || !verb.equals("delete"))
            .toList();
    for (var kind : kinds) {
      for (var verb : verbs) {
        wanted.put(Access.everywhere(verb, kind.group(), kind.plural()), kind);
      }
    }
    var told = new Results(POLICIES);
    var missing = new EnumMap<PolicyKind, List<String>>(PolicyKind.class);
    told.missing(permissionDiagnostics.allowed(List.copyOf(wanted.keySet())))
        .forEach(access ->
            missing
                .computeIfAbsent(Objects.requireNonNull(wanted.get(access)), _ -> new ArrayList<>())
                .add(access.verb()));
    missing.forEach((kind, lacking) -> told.add(lacking(kind, lacking)));
    var whole = kinds.size() - missing.size();
    if (whole > 0 && told.nothingUnknown()) {
      told.add(
          CheckResult.ok(
              POLICIES,
              String.join(", ", verbs)
                  + " on "
                  + whole
                  + (missing.isEmpty() ? "" : " other")
                  + " kinds"
                  + (removals == Removals.WANTED
                      ? ""
                      : " (delete not checked: MAX_REMOVALS is 0)")));
    }
    return told.answers();
  }

  private CheckResult lacking(PolicyKind kind, List<String> verbs) {
    var resource = kind.plural() + "." + kind.group();
    var found = String.join(", ", verbs) + " on " + resource + " is forbidden";
    if (!served(kind)) {
      return CheckResult.warning(
          POLICIES,
          found + ", not served yet",
          "before it is served: " + add(verbs, resource, "ClusterRole"));
    }
    // Kyverno deletes resources of any kind because of these kinds, so `rbac/` and the chart can
    // restrict the agent to reading them.
    if (kind.type().deletes() && !verbs.contains("list") && !verbs.contains("get")) {
      return CheckResult.warning(
          POLICIES,
          found + ": policies of this kind in the feed would fail",
          "unless this is intended (rbac.cleanupPolicies=false in the chart): "
              + add(verbs, resource, "ClusterRole"));
    }
    return CheckResult.failure(
        POLICIES,
        found,
        add(verbs, resource, "ClusterRole")
            + (verbs.equals(List.of("delete")) ? ", or set MAX_REMOVALS to 0" : ""));
  }

  private boolean served(PolicyKind kind) {
    return !(clusterDiagnostics.kinds()
            instanceof ProbeResult.Got<ClusterDiagnostics.Kinds>(var kinds))
        || kinds.versions().containsKey(kind)
        || kinds.uncertain().containsKey(kind);
  }

  private List<CheckResult> lease() {
    var accesses =
        List.of(
            new Access("get", "coordination.k8s.io", "leases", namespace, LOCK),
            new Access("create", "coordination.k8s.io", "leases", namespace, ""),
            new Access("update", "coordination.k8s.io", "leases", namespace, LOCK));
    return inNamespace(LEASE, accesses, "leases.coordination.k8s.io", CheckStatus.FAILURE);
  }

  /// Checks the permissions for Events. A run without them only warns.
  private List<CheckResult> events() {
    var accesses =
        List.of("create", "get", "patch").stream()
            .map(verb -> new Access(verb, "events.k8s.io", "events", namespace, ""))
            .toList();
    return inNamespace(EVENTS, accesses, "events.events.k8s.io", CheckStatus.WARNING);
  }

  private List<CheckResult> inNamespace(
      String subject, List<Access> accesses, String resource, CheckStatus ifMissing) {
    var told = new Results(subject);
    var missing =
        told.missing(permissionDiagnostics.allowed(accesses)).stream().map(Access::verb).toList();
    if (!missing.isEmpty()) {
      told.add(
          new CheckResult(
              subject,
              ifMissing,
              String.join(", ", missing)
                  + " on "
                  + resource
                  + " in namespace "
                  + namespace
                  + " is forbidden",
              add(missing, resource, "Role in namespace " + namespace)));
    } else if (told.nothingUnknown()) {
      var verbs = accesses.stream().map(Access::verb).toList();
      told.add(
          CheckResult.ok(
              subject,
              String.join(", ", verbs) + " on " + resource + " in namespace " + namespace));
    }
    return told.answers();
  }

  /// Checks the permissions for policy reports. Only `report` needs them, so the check never fails.
  private List<CheckResult> reports() {
    if (!(permissionDiagnostics.reportGroups()
        instanceof ProbeResult.Got<Set<String>>(var groups))) {
      return List.of(CheckResult.unknown(REPORTS, "the served report groups are unknown"));
    }
    if (groups.isEmpty()) {
      return List.of(CheckResult.ok(REPORTS, "none required, no policy reports are served"));
    }
    var accesses = new ArrayList<Access>();
    for (var group : new TreeSet<>(groups)) {
      for (var resource : REPORT_RESOURCES.getOrDefault(group, List.of())) {
        accesses.add(Access.everywhere("list", group, resource));
      }
    }
    var told = new Results(REPORTS);
    var missing =
        told.missing(permissionDiagnostics.allowed(accesses)).stream()
            .map(access -> access.resource() + "." + access.group())
            .toList();
    if (!missing.isEmpty()) {
      told.add(
          CheckResult.warning(
              REPORTS,
              "list on " + String.join(", ", missing) + " is forbidden",
              "only required by the report command: "
                  + add(List.of("list"), String.join(", ", missing), "ClusterRole")));
    } else if (told.nothingUnknown()) {
      told.add(CheckResult.ok(REPORTS, "list in " + String.join(", ", new TreeSet<>(groups))));
    }
    return told.answers();
  }

  private static String add(List<String> verbs, String resource, String role) {
    return "add the "
        + (verbs.size() == 1 ? "verb " : "verbs ")
        + String.join(", ", verbs)
        + " on "
        + resource
        + " to the agent's "
        + role;
  }

  /// Collects the results of one check.
  private static final class Results {
    private final String subject;
    private final List<CheckResult> answers = new ArrayList<>();
    private boolean unknown;

    Results(String subject) {
      this.subject = subject;
    }

    /// Returns the forbidden accesses. Adds a result for each reason why an access could not be
    /// checked.
    List<Access> missing(Map<Access, ProbeResult<Boolean>> replies) {
      var missing = new ArrayList<Access>();
      var reasons = new TreeSet<String>();
      replies.forEach((access, probeResult) -> {
        switch (probeResult) {
          case ProbeResult.Got<Boolean>(var allowed) -> {
            if (!allowed) {
              missing.add(access);
            }
          }
          case ProbeResult.Absent<Boolean>() ->
              reasons.add("the API server does not serve SelfSubjectAccessReviews");
          case ProbeResult.Forbidden<Boolean>(var reason) -> reasons.add(reason);
          case ProbeResult.Failed<Boolean>(var reason) -> reasons.add(reason);
        }
      });
      reasons.forEach(reason -> add(CheckResult.unknown(subject, reason)));
      unknown = !reasons.isEmpty();
      return missing;
    }

    boolean nothingUnknown() {
      return !unknown;
    }

    void add(CheckResult checkResult) {
      answers.add(checkResult);
    }

    List<CheckResult> answers() {
      return answers;
    }
  }
}

package dev.policysync.inspect;

import dev.policysync.policy.PolicyKind;
import dev.policysync.policy.kyverno.KyvernoHealth;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// A cluster in which all is well, until a test says otherwise.
public final class FakeClusterDiagnostics
    implements ClusterDiagnostics, PermissionDiagnostics, WebhookDiagnostics {
  public ProbeResult<Server> server =
      new ProbeResult.Got<>(
          new Server("https://10.0.0.1/", "v1.36.3", Optional.of(Duration.ofMillis(200))));
  public ProbeResult<Kinds> kinds = new ProbeResult.Got<>(allServed());
  public ProbeResult<Set<String>> reportGroups = new ProbeResult.Got<>(Set.of("wgpolicyk8s.io"));
  public ProbeResult<LeaseState> lease = new ProbeResult.Absent<>();
  public ProbeResult<Kyverno> kyverno =
      new ProbeResult.Got<>(
          new Kyverno("kyverno", "kyverno/kyverno-admission-controller", "v1.19.0", 3, 3));
  public KyvernoHealth health = new KyvernoHealth.Running("kyverno", Duration.ofSeconds(7));
  public ProbeResult<String> tried =
      new ProbeResult.Got<>("the API server and its webhooks accept a new ClusterPolicy");
  public final Map<String, ProbeResult<List<String>>> webhooks = new HashMap<>();
  public final Set<String> forbidden = new HashSet<>();
  public final List<Access> asked = new ArrayList<>();
  public Optional<String> reviewsFail = Optional.empty();

  public FakeClusterDiagnostics() {
    webhooks.put(
        "kyverno-policy-validating-webhook-cfg",
        new ProbeResult.Got<>(List.of("kyverno/kyverno-svc")));
  }

  /// Every kind in its best version.
  public static Kinds allServed() {
    var versions = new EnumMap<PolicyKind, String>(PolicyKind.class);
    PolicyKind.all().forEach(kind -> versions.put(kind, kind.versions().getFirst()));
    return new Kinds(versions, Map.of(), Map.of());
  }

  /// All but these.
  public static Kinds servedBut(Set<PolicyKind> gone) {
    var versions = new EnumMap<>(allServed().versions());
    var missing = new EnumMap<PolicyKind, String>(PolicyKind.class);
    gone.forEach(kind -> {
      versions.remove(kind);
      missing.put(kind, "the cluster does not serve the kind " + kind.qualified());
    });
    return new Kinds(versions, missing, Map.of());
  }

  /// What comes of the question on that subject.
  static List<CheckResult> ask(List<Check> questions, String subject) {
    return questions.stream()
        .filter(check -> check.subject().equals(subject))
        .findFirst()
        .orElseThrow()
        .run()
        .ask();
  }

  /// Takes a permission away: `patch clusterpolicies.kyverno.io`.
  public FakeClusterDiagnostics forbids(String access) {
    forbidden.add(access);
    return this;
  }

  @Override
  public ProbeResult<Server> server() {
    return server;
  }

  @Override
  public ProbeResult<Kinds> kinds() {
    return kinds;
  }

  @Override
  public ProbeResult<Set<String>> reportGroups() {
    return reportGroups;
  }

  @Override
  public Map<Access, ProbeResult<Boolean>> allowed(List<Access> accesses) {
    asked.addAll(accesses);
    var replies = new LinkedHashMap<Access, ProbeResult<Boolean>>();
    accesses.forEach(access ->
        replies.put(
            access,
            reviewsFail.isPresent()
                ? new ProbeResult.Forbidden<>(reviewsFail.get())
                : new ProbeResult.Got<>(
                    !forbidden.contains(
                        access.verb() + " " + access.resource() + "." + access.group()))));
    return replies;
  }

  @Override
  public ProbeResult<LeaseState> lease() {
    return lease;
  }

  @Override
  public ProbeResult<Kyverno> kyverno() {
    return kyverno;
  }

  @Override
  public ProbeResult<List<String>> webhooks(String configuration) {
    return webhooks.getOrDefault(configuration, new ProbeResult.Absent<>());
  }

  @Override
  public KyvernoHealth health() {
    return health;
  }

  @Override
  public ProbeResult<String> tryOut(PolicyKind kind, String version) {
    return tried;
  }
}

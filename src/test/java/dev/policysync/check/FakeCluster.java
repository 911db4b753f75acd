package dev.policysync.check;

import dev.policysync.policy.PolicyKind;
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
public final class FakeCluster implements Cluster {
  public Reply<Server> server =
      new Reply.Got<>(
          new Server("https://10.0.0.1/", "v1.36.3", Optional.of(Duration.ofMillis(200))));
  public Reply<Kinds> kinds = new Reply.Got<>(allServed());
  public Reply<Set<String>> reportGroups = new Reply.Got<>(Set.of("wgpolicyk8s.io"));
  public Reply<LeaseState> lease = new Reply.Absent<>();
  public Reply<Kyverno> kyverno =
      new Reply.Got<>(
          new Kyverno("kyverno", "kyverno/kyverno-admission-controller", "v1.19.0", 3, 3));
  public Reply<Duration> silence = new Reply.Got<>(Duration.ofSeconds(7));
  public Reply<String> tried =
      new Reply.Got<>("the API server, with its webhooks, would take a new ClusterPolicy");
  public final Map<String, Reply<List<String>>> webhooks = new HashMap<>();
  public final Set<String> forbidden = new HashSet<>();
  public final List<Access> asked = new ArrayList<>();
  public Optional<String> reviewsFail = Optional.empty();

  public FakeCluster() {
    webhooks.put(
        "kyverno-policy-validating-webhook-cfg", new Reply.Got<>(List.of("kyverno/kyverno-svc")));
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
      missing.put(kind, "the cluster does not have the kind " + kind.qualified());
    });
    return new Kinds(versions, missing, Map.of());
  }

  /// Takes a permission away: `patch clusterpolicies.kyverno.io`.
  public FakeCluster forbids(String access) {
    forbidden.add(access);
    return this;
  }

  @Override
  public Reply<Server> server() {
    return server;
  }

  @Override
  public Reply<Kinds> kinds() {
    return kinds;
  }

  @Override
  public Reply<Set<String>> reportGroups() {
    return reportGroups;
  }

  @Override
  public Map<Access, Reply<Boolean>> allowed(List<Access> accesses) {
    asked.addAll(accesses);
    var replies = new LinkedHashMap<Access, Reply<Boolean>>();
    accesses.forEach(access ->
        replies.put(
            access,
            reviewsFail.isPresent()
                ? new Reply.Forbidden<>(reviewsFail.get())
                : new Reply.Got<>(
                    !forbidden.contains(
                        access.verb() + " " + access.resource() + "." + access.group()))));
    return replies;
  }

  @Override
  public Reply<LeaseState> lease() {
    return lease;
  }

  @Override
  public Reply<Kyverno> kyverno() {
    return kyverno;
  }

  @Override
  public Reply<List<String>> webhooks(String configuration) {
    return webhooks.getOrDefault(configuration, new Reply.Absent<>());
  }

  @Override
  public Reply<Duration> kyvernoSilence(String namespace) {
    return silence;
  }

  @Override
  public Reply<String> tryOut(PolicyKind kind, String version) {
    return tried;
  }
}

package dev.policysync.inspect;

import dev.policysync.policy.PolicyKind;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/// What a cluster serves and what is there. Nothing of this changes anything.
public interface ClusterDiagnostics {
  /// What the API server says of itself.
  ProbeResult<Server> server();

  /// Which of our kinds are served.
  ProbeResult<Kinds> kinds();

  /// The agent's Lease.
  ProbeResult<LeaseState> lease();

  /// Kyverno's Deployment, in the first of its usual namespaces that has one.
  ProbeResult<Kyverno> kyverno();

  /// An API server that answered.
  ///
  /// @param url its base URL
  /// @param version `v1.36.3`
  /// @param ahead how far our clock is ahead of its, where it tells the time
  record Server(String url, String version, Optional<Duration> ahead) {}

  /// What discovery says of our kinds.
  ///
  /// @param versions of each kind that is served, in which we would apply it
  /// @param missing why each other kind is not there
  /// @param uncertain what the API server itself does not know at present, and why
  record Kinds(
      Map<PolicyKind, String> versions,
      Map<PolicyKind, String> missing,
      Map<PolicyKind, String> uncertain) {
    public Kinds {
      versions = Map.copyOf(versions);
      missing = Map.copyOf(missing);
      uncertain = Map.copyOf(uncertain);
    }
  }

  /// A Lease that is there.
  ///
  /// @param name `insights-agent/kyverno-policy-sync-lock`
  /// @param holder empty where nobody holds it
  /// @param duration how long it holds after each renewal, where it says so
  /// @param silence how long ago it was renewed, where it says so, by the API server's clock
  /// @param howToFree the command that takes it from a holder that is gone
  record LeaseState(
      String name,
      String holder,
      Optional<Duration> duration,
      Optional<Duration> silence,
      String howToFree) {}

  /// Kyverno as its Deployment describes it.
  ///
  /// @param deployment `kyverno/kyverno-admission-controller`
  /// @param version `v1.19.0`, or what stands in its place
  record Kyverno(String namespace, String deployment, String version, int wanted, int ready) {}
}

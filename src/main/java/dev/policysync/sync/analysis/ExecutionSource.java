package dev.policysync.sync.analysis;

import dev.policysync.policy.PolicyId;
import dev.policysync.policy.kyverno.KyvernoHealth;
import dev.policysync.policy.kyverno.KyvernoVersion;
import dev.policysync.policy.kyverno.NotReady;
import dev.policysync.sync.execution.ClusterUnavailable;
import java.time.Duration;
import java.util.Optional;

/// Reads whether policies are executed, and by which Kyverno.
public interface ExecutionSource {
  /// A source that reports no problem and no release.
  ExecutionSource UNKNOWN =
      new ExecutionSource() {
        @Override
        public Optional<NotReady> notReady(PolicyId id) {
          return Optional.empty();
        }

        @Override
        public Optional<KyvernoVersion> installed() {
          return Optional.empty();
        }

        @Override
        public KyvernoHealth health() {
          return new KyvernoHealth.Running("kyverno", Duration.ZERO);
        }
      };

  /// Returns why Kyverno does not execute the policy, without text from the policy; empty if
  /// Kyverno executes it, or if it was deleted.
  ///
  /// @throws ClusterUnavailable if the status could not be read
  Optional<NotReady> notReady(PolicyId id);

  /// Returns the installed release of Kyverno; empty if unknown.
  ///
  /// @throws ClusterUnavailable if there is no response
  Optional<KyvernoVersion> installed();

  KyvernoHealth health();
}

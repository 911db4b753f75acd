package dev.policysync.sync.analysis;

import dev.policysync.policy.PolicyId;
import dev.policysync.policy.kyverno.KyvernoHealth;
import dev.policysync.policy.kyverno.KyvernoVersion;
import dev.policysync.policy.kyverno.NotReady;
import dev.policysync.sync.execution.ClusterUnavailable;
import java.time.Duration;
import java.util.Optional;

/// Whom to ask if policies are executed, and by what.
public interface ExecutionSource {
  /// Nobody.
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

  /// Why Kyverno does not execute that policy, without quotations from it; empty where it does, or
  /// where the policy is gone.
  ///
  /// @throws ClusterUnavailable if that could not be read
  Optional<NotReady> notReady(PolicyId id);

  /// The release of Kyverno that is installed; empty where that cannot be told.
  ///
  /// @throws ClusterUnavailable if there is no answer
  Optional<KyvernoVersion> installed();

  /// Whether Kyverno runs.
  KyvernoHealth health();
}

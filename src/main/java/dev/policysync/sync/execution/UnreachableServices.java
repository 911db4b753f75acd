package dev.policysync.sync.execution;

import dev.policysync.plan.Action;
import dev.policysync.plan.Failure;
import dev.policysync.policy.PolicyKind;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/// Stops writes that cannot succeed because a service they need cannot be reached: each attempt
/// would only cost its time limit. A single failure may be chance; three in a row count.
///
/// An unreachable API server stops all writes. An unreachable admission webhook stops the kinds
/// whose writes it failed; the other kinds continue (promise 10). Which kinds a webhook handles is
/// learned from the API server's message about each failure. So the first write of a kind that
/// meets the webhook late costs one more attempt, and no extra permission is needed.
///
/// Writes share one connection, and if that breaks, all writes in flight fail together. This counts
/// as one failure of the server: only a write that began after the failure can be the next.
final class UnreachableServices {
  private static final int IN_A_ROW = 3;

  /// The webhooks by name; the name is empty if the API server did not give it.
  private final TreeMap<String, Webhook> webhooks = new TreeMap<>();

  private int servers;

  /// The failures in a row of a webhook.
  ///
  /// @param kinds the kinds whose writes met the webhook
  private record Webhook(int failures, Set<PolicyKind> kinds) {
    private static final Webhook WELL = new Webhook(0, Set.of());

    private Webhook failed(PolicyKind kind) {
      var met = EnumSet.of(kind);
      met.addAll(kinds);
      return new Webhook(failures + 1, met);
    }

    private Webhook answered() {
      return new Webhook(0, kinds);
    }
  }

  /// Records that a write begins.
  ///
  /// @return how often the server had failed by then
  synchronized int begin() {
    return servers;
  }

  synchronized void done(PolicyKind kind) {
    servers = 0;
    webhooks.replaceAll(
        (_, webhook) -> webhook.kinds().contains(kind) ? webhook.answered() : webhook);
  }

  /// Records that a write failed.
  ///
  /// @param begun the result of [#begin]
  synchronized void failed(PolicyKind kind, Failure failure, int begun) {
    switch (failure.cause()) {
      case WEBHOOK_UNREACHABLE -> {
        servers = 0;
        webhooks.merge(
            failure.webhook().orElse(""),
            Webhook.WELL.failed(kind),
            (before, _) -> before.failed(kind));
      }
      case UNREACHABLE -> servers = Math.max(servers, begun + 1);
      case DENIED -> done(kind); // a webhook that denies can be reached
      case NOT_SENT -> {
        // No request was sent.
      }
      case UNREADABLE,
          KIND_ABSENT,
          KIND_EXCLUDED,
          UNAUTHORIZED,
          FORBIDDEN,
          NOT_FOUND,
          INVALID,
          CONFLICT,
          OVERLOADED,
          SERVER_ERROR,
          TERMINATING ->
          servers = 0;
    }
  }

  /// Returns why this action must not be attempted now; empty if it may be.
  synchronized Optional<Outcome.NotAttempted> objection(Action action) {
    if (servers >= IN_A_ROW) {
      return Optional.of(new Outcome.NotAttempted(action, StopReason.SERVER_DOWN));
    }
    return webhooks.entrySet().stream()
        .filter(webhook -> webhook.getValue().failures() >= IN_A_ROW)
        .filter(webhook -> webhook.getValue().kinds().contains(action.id().kind()))
        .findFirst()
        .map(
            webhook -> new Outcome.NotAttempted(action, StopReason.WEBHOOK_DOWN, webhook.getKey()));
  }
}

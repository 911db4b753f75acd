package dev.policysync.sync.execution;

import dev.policysync.plan.Action;
import dev.policysync.plan.Failure;
import dev.policysync.policy.PolicyKind;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/// Notices that something without which a write cannot succeed is gone: then each further one would
/// only cost its time limit. A single failure may be chance; three in a row are believed.
///
/// The API server is gone for all. An admission webhook is gone for the kinds whose writes it
/// failed: the others go on (promise 10). Which kinds it judges is learnt from what the API server
/// says of each failure, so that a kind that meets it late costs one more try and no permission.
///
/// Writes share one connection, so that where it breaks all that are under way fail together. That
/// is one failure of the server: only a write that began after it counts as the next.
final class CircuitBreaker {
  private static final int IN_A_ROW = 3;

  /// By name; one that the API server did not name has the empty one.
  private final TreeMap<String, Webhook> webhooks = new TreeMap<>();

  private int servers;

  /// Failures in a row of a webhook.
  ///
  /// @param kinds of which a write met it
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

  /// A write begins.
  ///
  /// @return how often the server had failed by then
  synchronized int begin() {
    return servers;
  }

  /// A write was done.
  synchronized void done(PolicyKind kind) {
    servers = 0;
    webhooks.replaceAll(
        (_, webhook) -> webhook.kinds().contains(kind) ? webhook.answered() : webhook);
  }

  /// A write failed.
  ///
  /// @param begun what [#begin] said
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
      case DENIED -> done(kind); // a webhook that refuses is there
      case NOT_SENT -> {
        // Nobody was asked.
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

  /// Why that action is not worth a try now, if it is not.
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

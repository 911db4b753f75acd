package dev.policysync.sync;

import dev.policysync.plan.Failure;
import java.util.Optional;

/// Notices that something without which no write can succeed is gone: then each further one would
/// only cost its time limit. A single failure may be chance; three in a row are believed.
///
/// Writes share one connection, so that where it breaks all that are under way fail together. That
/// is one failure of the server: only a write that began after it counts as the next.
final class DownTime {
  private static final int IN_A_ROW = 3;

  private int webhooks;
  private int servers;

  /// A write begins.
  ///
  /// @return how often the server had failed by then
  synchronized int begin() {
    return servers;
  }

  /// A write was done.
  synchronized void done() {
    webhooks = 0;
    servers = 0;
  }

  /// A write failed.
  ///
  /// @param begun what [#begin] said
  synchronized void failed(Failure failure, int begun) {
    switch (failure.cause()) {
      case WEBHOOK_UNREACHABLE -> {
        webhooks++;
        servers = 0;
      }
      case UNREACHABLE -> servers = Math.max(servers, begun + 1);
      case DENIED -> done(); // a webhook that refuses is there
      case UNREADABLE,
          KIND_ABSENT,
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

  /// What is gone, if anything is.
  synchronized Optional<Stop> reason() {
    if (webhooks >= IN_A_ROW) {
      return Optional.of(Stop.WEBHOOK_DOWN);
    }
    return servers >= IN_A_ROW ? Optional.of(Stop.SERVER_DOWN) : Optional.empty();
  }
}

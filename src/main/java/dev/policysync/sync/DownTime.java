package dev.policysync.sync;

import dev.policysync.plan.Failure;
import java.util.Optional;

/// Notices that something without which no write can succeed is gone: then each further one would
/// only cost its time limit. A single failure may be chance; three in a row are believed.
final class DownTime {
  private static final int IN_A_ROW = 3;

  private int webhooks;
  private int servers;

  /// A write was done.
  synchronized void done() {
    webhooks = 0;
    servers = 0;
  }

  /// A write failed.
  synchronized void failed(Failure failure) {
    switch (failure.cause()) {
      case WEBHOOK_UNREACHABLE -> {
        webhooks++;
        servers = 0;
      }
      case UNREACHABLE -> servers++;
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

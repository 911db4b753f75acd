package dev.policysync.statemachine;

import dev.policysync.plan.Adoption;
import dev.policysync.sync.Mode;

/// What a run is started with, and into.
///
/// @param listening whether the remote API takes statuses
record Conditions(
    Mode mode,
    Adoption adoption,
    Allowance allowance,
    int concurrency,
    Answer answer,
    boolean listening,
    Trouble trouble) {

  /// No trouble anywhere.
  static Conditions calm(Adoption adoption, Allowance allowance, int concurrency) {
    return new Conditions(
        Mode.LIVE, adoption, allowance, concurrency, Answer.THE_FEED, true, new Trouble.None());
  }

  Conditions in(Mode other) {
    return new Conditions(other, adoption, allowance, concurrency, answer, listening, trouble);
  }

  Conditions with(Trouble other) {
    return new Conditions(mode, adoption, allowance, concurrency, answer, listening, other);
  }

  @Override
  public String toString() {
    return "%s adopt=%s max=%s concurrency=%d %s%s %s"
        .formatted(
            mode, adoption, allowance, concurrency, answer, listening ? "" : " (deaf)", trouble);
  }
}

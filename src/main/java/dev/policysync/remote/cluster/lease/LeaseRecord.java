package dev.policysync.remote.cluster.lease;

import dev.policysync.base.Value;
import dev.policysync.sync.LeaseHold;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Optional;

/// The `spec` of a Lease, which describes its holder; empty if a person created the Lease. An
/// invalid field counts as missing, so that no record can fail a run.
public record LeaseRecord(Value.Mapping fields) {
  public static LeaseRecord of(Value.Mapping lease) {
    return new LeaseRecord(lease.mapping("spec"));
  }

  Value.Mapping released(Value.Text now) {
    return fields.with("holderIdentity", "").with("renewTime", now);
  }

  /// Returns the holder; empty if the Lease is free.
  public String holder() {
    return fields.text("holderIdentity").orElse("");
  }

  /// Returns the fields that a renewal does not change: the holder, and when it acquired the Lease.
  List<String> holding() {
    return List.of(
        holder(),
        fields.text("acquireTime").orElse(""),
        number("leaseTransitions").map(String::valueOf).orElse(""));
  }

  /// Returns how long the Lease lasts after each renewal, if the record has a duration.
  public Optional<Duration> duration() {
    return number("leaseDurationSeconds").filter(seconds -> seconds > 0).map(Duration::ofSeconds);
  }

  /// Returns whether the duration is so long that no run will see the Lease expire.
  boolean neverExpires() {
    return LeaseHold.neverExpires(duration());
  }

  /// Returns when the holder last renewed the Lease, by the holder's time of day.
  public Optional<Instant> renewTime() {
    return time("renewTime");
  }

  /// Returns when the holder acquired the Lease, by the holder's time of day; a renewal does not
  /// change it.
  public Optional<Instant> acquireTime() {
    return time("acquireTime");
  }

  /// Returns what the Lease says about its holder. A Lease without a duration lasts as long as one
  /// of the agent.
  public LeaseHold hold(Instant now) {
    return LeaseHold.of(
        holder(),
        acquireTime(),
        renewTime(),
        duration().or(() -> Optional.of(LeaseLock.DURATION)),
        now);
  }

  private Optional<Instant> time(String field) {
    try {
      return fields.text(field).map(Instant::parse);
    } catch (DateTimeParseException _) {
      return Optional.empty();
    }
  }

  /// Returns the value of `leaseTransitions` for the next holder. It counts as client-go does:
  /// taking a released Lease is a transition, too.
  int nextTransition() {
    return number("leaseTransitions")
        .filter(count -> count >= 0 && count < Integer.MAX_VALUE)
        .map(count -> Math.toIntExact(count) + 1)
        .orElse(1);
  }

  private Optional<Long> number(String field) {
    try {
      return fields.fields().get(field) instanceof Value.Numeric(var literal)
          ? Optional.of(Long.parseLong(literal))
          : Optional.empty();
    } catch (NumberFormatException _) {
      return Optional.empty();
    }
  }
}

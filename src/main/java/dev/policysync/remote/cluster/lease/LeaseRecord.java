package dev.policysync.remote.cluster.lease;

import dev.policysync.base.Value;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Optional;

/// What a Lease says of its holder (`spec`); nothing where somebody made it by hand. A field that
/// makes no sense is as good as missing, so that no record can break a run.
public record LeaseRecord(Value.Mapping fields) {
  /// What any agent has ever asked for, and far more.
  private static final Duration LONGEST = Duration.ofHours(1);

  /// Whoever has held it for longer is no run at work, however often it is renewed.
  private static final Duration LONGEST_RUN = Duration.ofMinutes(30);

  /// Of a whole Lease.
  public static LeaseRecord of(Value.Mapping lease) {
    return new LeaseRecord(lease.mapping("spec"));
  }

  /// The record as its holder gives it back.
  Value.Mapping released(Value.Text now) {
    return fields.with("holderIdentity", new Value.Text("")).with("renewTime", now);
  }

  /// Whose the Lease is; nobody's where it is empty.
  public String holder() {
    return fields.text("holderIdentity").orElse("");
  }

  /// Who has it, since when: what renewing does not change.
  List<String> holding() {
    return List.of(
        holder(),
        fields.text("acquireTime").orElse(""),
        number("leaseTransitions").map(String::valueOf).orElse(""));
  }

  /// How long it holds after each renewal, where it says so.
  public Optional<Duration> duration() {
    return number("leaseDurationSeconds").filter(seconds -> seconds > 0).map(Duration::ofSeconds);
  }

  /// Whether it holds for so long that nobody will see it expire.
  boolean endless() {
    return duration().filter(duration -> duration.compareTo(LONGEST) > 0).isPresent();
  }

  /// When its holder renewed it last, by the holder's own time of day.
  public Optional<Instant> renewTime() {
    return time("renewTime");
  }

  /// When its holder got it, by the holder's own time of day; renewing does not change it.
  public Optional<Instant> acquireTime() {
    return time("acquireTime");
  }

  /// Whether its holder can be a run at work; nobody can tell where it does not say since when.
  public boolean canBeAtWork(Instant now) {
    return acquireTime()
        .filter(time -> Duration.between(time, now).compareTo(LONGEST_RUN) < 0)
        .isPresent();
  }

  private Optional<Instant> time(String field) {
    try {
      return fields.text(field).map(Instant::parse);
    } catch (DateTimeParseException _) {
      return Optional.empty();
    }
  }

  /// How often it will have changed hands when the next holder has it: counted as client-go does,
  /// by which a Lease that was given back changes hands too.
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

package dev.policysync.testcluster;

import dev.policysync.base.Value;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;

/// Makes a Lease look as if its holder had been silent for some time, in place of waiting for it:
/// the holder's own `renewTime`, and the API server's record of when it was written.
public final class AgedLease {
  private static final DateTimeFormatter MICROS =
      new DateTimeFormatterBuilder().appendInstant(6).toFormatter(Locale.ROOT);

  private AgedLease() {}

  /// Moves both into the past.
  ///
  /// @param path of the Lease
  public static void age(RawApi admin, String path, Duration age) {
    renewed(admin, path, age);
    written(admin, path, age);
  }

  /// Moves only what the holder said.
  public static void renewed(RawApi admin, String path, Duration age) {
    var spec = Value.Mapping.EMPTY.with("renewTime", microTime(Instant.now().minus(age)));
    admin.merge(path + "?fieldManager=past", Value.Mapping.EMPTY.with("spec", spec)).ok();
  }

  /// Moves only what the API server noted, of a Lease or any other object. It takes other times
  /// along with another change alone, and notes that one by the clock.
  public static void written(RawApi admin, String path, Duration age) {
    var lease = admin.get(path).ok();
    var metadata = lease.mapping("metadata");
    var then = new Value.Text(then(age));
    // Not the same one again within a second.
    var change = new Value.Text(Instant.now().toString());
    List<Value> entries =
        metadata.items("managedFields").stream()
            .<Value>map(entry -> ((Value.Mapping) entry).with("time", then))
            .toList();
    var aged =
        metadata
            .with("annotations", metadata.mapping("annotations").with("example.com/aged", change))
            .with("managedFields", new Value.Sequence(entries));
    admin.put(path + "?fieldManager=clock", lease.with("metadata", aged)).ok();
  }

  /// Writes a time of a Lease. The API server requires all six digits: it answers 500 for `.534Z`,
  /// which is what `Instant.toString` makes of one in a thousand times.
  public static String microTime(Instant time) {
    return MICROS.format(time);
  }

  private static String then(Duration age) {
    return Instant.now().minus(age).truncatedTo(ChronoUnit.SECONDS).toString();
  }
}

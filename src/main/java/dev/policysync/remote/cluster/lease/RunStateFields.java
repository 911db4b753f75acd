package dev.policysync.remote.cluster.lease;

import dev.policysync.base.Value;
import dev.policysync.policy.PolicyId;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Function;

/// The fields of a run state's JSON. Each is read on its own. They share formats: policies by kind,
/// so that thousands of them fit, times to the second, and whole numbers.
///
/// An absent field has its default. A field with any value that the agent would not write is
/// unreadable: a count that is a text does not count as zero.
final class RunStateFields {
  private static final int LARGEST = 1_000_000_000;
  private static final Instant EARLIEST = Instant.parse("1970-01-01T00:00:00Z");

  /// A time later than any run, to which a day can still be added.
  private static final Instant LATEST = Instant.parse("9999-12-31T00:00:00Z");

  private final Value.Mapping fields;
  private final List<String> unreadable = new ArrayList<>();

  RunStateFields(Value.Mapping fields) {
    this.fields = fields;
  }

  /// Reads a field; returns its default if the field is absent or unreadable.
  <T> T read(String name, T otherwise, Function<Value, T> reader) {
    try {
      return fields.field(name).map(reader).orElse(otherwise);
    } catch (DateTimeException | IllegalArgumentException e) {
      unreadable.add(name);
      return otherwise;
    }
  }

  List<String> unreadable() {
    return List.copyOf(unreadable);
  }

  static Value required(Value.Mapping entry, String name) {
    return entry.field(name).orElseThrow(() -> new IllegalArgumentException("no " + name));
  }

  static Value.Mapping mapping(Value value) {
    return as(Value.Mapping.class, value);
  }

  static List<Value.Mapping> mappings(Value value) {
    return as(Value.Sequence.class, value).items().stream().map(RunStateFields::mapping).toList();
  }

  static String text(Value value) {
    return as(Value.Text.class, value).text();
  }

  static List<String> texts(Value value) {
    return as(Value.Sequence.class, value).items().stream().map(RunStateFields::text).toList();
  }

  static Value.Sequence texts(Collection<String> texts) {
    return new Value.Sequence(texts.stream().<Value>map(Value.Text::new).toList());
  }

  static boolean truth(Value value) {
    return as(Value.Bool.class, value).value();
  }

  /// Reads a whole number that is not negative.
  static int count(Value value) {
    var count = Integer.parseInt(as(Value.Numeric.class, value).literal());
    if (count < 0 || count > LARGEST) {
      throw new IllegalArgumentException("no count");
    }
    return count;
  }

  static Instant time(Value value) {
    var time = Instant.parse(text(value));
    if (time.isBefore(EARLIEST) || time.isAfter(LATEST)) {
      throw new DateTimeException("no time of a run");
    }
    return time;
  }

  static Value.Text time(Instant time) {
    return new Value.Text(time.truncatedTo(ChronoUnit.SECONDS).toString());
  }

  static List<PolicyId> policies(Value value) {
    var kinds = mapping(value);
    var ids = new ArrayList<PolicyId>();
    for (var kind : kinds.fields().entrySet()) {
      for (var path : texts(kind.getValue())) {
        ids.add(
            PolicyId.ofKey(kind.getKey() + "/" + path)
                .orElseThrow(() -> new IllegalArgumentException("no policy")));
      }
    }
    return ids;
  }

  static Value.Mapping policies(Collection<PolicyId> ids) {
    var kinds = new TreeMap<String, List<String>>();
    for (var id : ids) {
      kinds.computeIfAbsent(id.kind().qualified(), _ -> new ArrayList<>()).add(id.path());
    }
    var fields = new LinkedHashMap<String, Value>();
    kinds.forEach((kind, paths) -> fields.put(kind, texts(paths)));
    return new Value.Mapping(fields);
  }

  private static <T extends Value> T as(Class<T> type, Value value) {
    if (!type.isInstance(value)) {
      throw new IllegalArgumentException("not a " + type.getSimpleName());
    }
    return type.cast(value);
  }
}

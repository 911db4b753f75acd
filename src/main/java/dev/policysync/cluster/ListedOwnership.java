package dev.policysync.cluster;

import dev.policysync.ownership.FieldOwnership;
import dev.policysync.ownership.ManagedFields;
import dev.policysync.ownership.OwnershipRecord;
import dev.policysync.yaml.Json;
import dev.policysync.yaml.Value;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// The managed fields of an object in a list: as JSON text, which takes a tenth of the memory of
/// trees. Status entries, on which no judgement depends, are left out.
record ListedOwnership(List<Entry> entries) implements OwnershipRecord {
  private static final String SPEC = "\"f:spec\"";

  ListedOwnership {
    entries = List.copyOf(entries);
  }

  /// One manager's entry.
  ///
  /// @param fields its `fieldsV1`: `{"f:spec":{"f:rules":{}}}`
  record Entry(String manager, String operation, String apiVersion, String fields) {
    private static Entry of(Value.Mapping entry) {
      return new Entry(
          entry.text("manager").orElse(""),
          entry.text("operation").orElse(""),
          entry.text("apiVersion").orElse(""),
          entry.text(FieldsV1.FIELDS).orElse(""));
    }

    /// What we own, and who is where only we should be. Whatever else others own is theirs alone,
    /// or our entry would lack it.
    private boolean matters() {
      return manager.equals(FieldOwnership.MANAGER) || fields.contains(SPEC);
    }

    private ManagedFields read() {
      return FieldsV1.entry(manager, operation, apiVersion, "", tree());
    }

    /// One that cannot be read owns nothing, which is drift and never in sync.
    private Value.Mapping tree() {
      try {
        return !fields.isEmpty() && Json.parse(fields) instanceof Value.Mapping tree
            ? tree
            : Value.Mapping.EMPTY;
      } catch (IOException _) {
        return Value.Mapping.EMPTY;
      }
    }
  }

  /// @param managedFields of which [FieldsV1#FIELDS] were left as text
  static ListedOwnership of(List<Value> managedFields) {
    var entries = new ArrayList<Entry>();
    for (var value : managedFields) {
      if (value instanceof Value.Mapping entry && entry.text("subresource").isEmpty()) {
        entries.add(Entry.of(entry));
      }
    }
    return new ListedOwnership(entries);
  }

  @Override
  public FieldOwnership read() {
    var read = new ArrayList<ManagedFields>();
    for (var entry : entries) {
      read.add(entry.read());
    }
    return new FieldOwnership(read);
  }

  @Override
  public String text() {
    var text = new StringBuilder();
    for (var entry : entries) {
      if (entry.matters()) {
        text.append(entry.manager)
            .append('\n')
            .append(entry.operation)
            .append('\n')
            .append(entry.apiVersion)
            .append('\n')
            .append(entry.fields)
            .append('\n');
      }
    }
    return text.toString();
  }
}

package dev.policysync.remote.cluster.policy;

import dev.policysync.base.Json;
import dev.policysync.base.Value;
import dev.policysync.plan.managedfields.FieldOwnership;
import dev.policysync.plan.managedfields.ManagedFields;
import dev.policysync.plan.managedfields.OwnershipRecord;
import dev.policysync.policy.KyvernoMetadata;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/// The managed fields of an object in a list, as JSON text, which takes a tenth of the memory of
/// trees. Entries of the status are left out, because no decision depends on them.
record ListedOwnership(List<Entry> entries) implements OwnershipRecord {
  private static final String SPEC = "\"f:spec\"";
  private static final List<String> CONTENT =
      Stream.of(KyvernoMetadata.ANNOTATIONS, KyvernoMetadata.LABELS)
          .flatMap(List::stream)
          .map(name -> "\"f:" + name + '"')
          .toList();

  ListedOwnership {
    entries = List.copyOf(entries);
  }

  /// The entry of one manager.
  ///
  /// @param type the form of its fields: `FieldsV1`
  /// @param fields the fields as text: `{"f:spec":{"f:rules":{}}}`
  record Entry(String manager, String operation, String apiVersion, String type, String fields) {
    private static Entry of(Value.Mapping entry, UnaryOperator<String> shared) {
      return new Entry(
          shared.apply(entry.text("manager").orElse("")),
          shared.apply(entry.text("operation").orElse("")),
          shared.apply(entry.text("apiVersion").orElse("")),
          shared.apply(entry.text("fieldsType").orElse("")),
          shared.apply(entry.text(FieldsV1.FIELDS).orElse("{}")));
    }

    /// Returns whether decisions depend on this entry: it is ours, or it owns a field that only we
    /// should own. All other fields belong to other managers alone, or they would be missing from
    /// our entry.
    private boolean matters() {
      return manager.equals(FieldOwnership.MANAGER)
          || fields.contains(SPEC)
          || CONTENT.stream().anyMatch(fields::contains)
          || read().fields().ownsSpec();
    }

    private ManagedFields read() {
      return new ManagedFields(
          manager, operation, apiVersion, "", FieldsV1.fields(type, Optional.of(tree())));
    }

    private Value tree() {
      try {
        return Json.parse(fields);
      } catch (IOException e) {
        throw new IllegalStateException("what the parser copied cannot be read; a bug", e);
      }
    }
  }

  /// @param managedFields entries whose [FieldsV1#FIELDS] are text
  /// @param shared returns the same instance for equal texts: policies made from one template have
  ///   the same fields
  static ListedOwnership of(List<Value> managedFields, UnaryOperator<String> shared) {
    var entries = new ArrayList<Entry>();
    for (var value : managedFields) {
      var entry = value instanceof Value.Mapping mapping ? mapping : Value.Mapping.EMPTY;
      if (entry.text("subresource").orElse("").isEmpty()) {
        entries.add(Entry.of(entry, shared));
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
            .append(entry.type)
            .append('\n')
            .append(entry.fields)
            .append('\n');
      }
    }
    return text.toString();
  }
}

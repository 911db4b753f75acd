package dev.policysync.ownership;

import dev.policysync.yaml.Value;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;

/// The managed fields of one live object, judged from the side of one manager: us.
///
/// The API server keeps this record for every object. Another writer that changes or removes a
/// field takes it out of our entry; one that adds a field appears with an entry of its own. So
/// metadata alone tells whether an object is still as we applied it, whatever defaults and status
/// writers put into it. All rules here were seen on kube-apiserver 1.36.3;
/// `docs/decisions/0001-drift-by-field-ownership.md` has the evidence.
///
/// One change leaves no trace in it: the same items in another order in a list whose items are
/// named by a key, or in a set.
public record FieldOwnership(List<ManagedFields> entries) {
  /// Our name as a field manager.
  public static final String MANAGER = "kyverno-policy-sync";

  /// What client-side `kubectl apply` leaves behind: the manifest as a JSON text.
  public static final String LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";

  public FieldOwnership {
    entries = List.copyOf(entries);
  }

  /// Whether we own every leaf of that manifest, its identity aside (which nobody owns).
  public boolean covers(Value.Mapping manifest) {
    return own().filter(own -> own.fields().covers(ownable(manifest))).isPresent();
  }

  /// Whether we own exactly what an apply of that manifest makes ours. More than that is left
  /// behind by a take-over whose second apply never came: fields that nobody wants and that are
  /// ours now.
  public boolean matches(Value.Mapping manifest) {
    return covers(manifest)
        && own().filter(own -> own.fields().within(ownable(manifest))).isPresent();
  }

  /// Other managers that own anything under the object's spec, status entries aside; a policy's
  /// spec is wholly ours.
  public List<String> intruders() {
    return entries.stream().filter(this::intrudes).map(ManagedFields::manager).distinct().toList();
  }

  /// The list that gives us what intruders own under spec, and kubectl's annotation: written in
  /// place of the present one, it lets the next apply remove all that the manifest does not name.
  /// Empty where there is nothing to take over, or where we have no entry yet to take it over with.
  public Optional<FieldOwnership> takenOver() {
    var own = own();
    if (own.isEmpty() || entries.stream().noneMatch(this::toTakeOver)) {
      return Optional.empty();
    }
    var fields = own.get().fields();
    var rest = new ArrayList<ManagedFields>();
    for (var entry : entries) {
      if (entry.appliedBy(MANAGER)) {
        continue;
      }
      if (!toTakeOver(entry)) {
        rest.add(entry);
        continue;
      }
      var taken = entry.fields().takenOverBy(LAST_APPLIED);
      fields = fields.union(taken);
      var left = entry.fields().minus(taken).minus(own.get().fields());
      if (!left.isEmpty()) {
        rest.add(entry.withFields(left));
      }
    }
    rest.addFirst(own.get().withFields(fields));
    return Optional.of(new FieldOwnership(rest));
  }

  /// The list with all of spec in one entry of ours, every entry at that version: for an object
  /// whose entries the API server cannot make sense of any more.
  public FieldOwnership reset(String apiVersion) {
    var fields = FieldSet.NONE;
    var rest = new ArrayList<ManagedFields>();
    for (var entry : entries) {
      if (!entry.subresource().isEmpty()) {
        rest.add(entry);
        continue;
      }
      var taken =
          entry.appliedBy(MANAGER) ? entry.fields() : entry.fields().takenOverBy(LAST_APPLIED);
      fields = fields.union(taken);
      var left = entry.fields().minus(taken);
      if (!left.isEmpty()) {
        rest.add(entry.withFields(left).at(apiVersion));
      }
    }
    rest.addFirst(new ManagedFields(MANAGER, "Apply", apiVersion, "", fields));
    return new FieldOwnership(rest);
  }

  /// Whether we ever applied it, and the record of that was not lost.
  public boolean applied() {
    return own().isPresent();
  }

  private Optional<ManagedFields> own() {
    return entries.stream().filter(entry -> entry.appliedBy(MANAGER)).findFirst();
  }

  private boolean intrudes(ManagedFields entry) {
    return !entry.appliedBy(MANAGER) && entry.subresource().isEmpty() && entry.fields().ownsSpec();
  }

  private boolean toTakeOver(ManagedFields entry) {
    return !entry.appliedBy(MANAGER)
        && entry.subresource().isEmpty()
        && !entry.fields().takenOverBy(LAST_APPLIED).children().isEmpty();
  }

  private static Value.Mapping ownable(Value.Mapping manifest) {
    var metadata = manifest.mapping("metadata").without("name").without("namespace");
    var fields = new LinkedHashMap<>(manifest.fields());
    fields.remove("apiVersion");
    fields.remove("kind");
    fields.put("metadata", metadata);
    return new Value.Mapping(fields);
  }
}

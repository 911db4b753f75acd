package dev.policysync.plan.managedfields;

import dev.policysync.base.Value;
import dev.policysync.policy.KyvernoMetadata;
import dev.policysync.policy.ServerFields;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// The managed fields of one live object, seen by one field manager: this agent.
///
/// The API server keeps this record for every object. Another writer that changes or removes a
/// field takes the field out of our entry; a writer that adds a field gets its own entry. So
/// metadata alone shows whether an object is still as we applied it, whatever defaults and status
/// other writers add. All rules here were observed on kube-apiserver 1.36.3;
/// `docs/decisions/0001-drift-by-field-ownership.md` has the evidence.
///
/// One change leaves no trace in the record: a new order of the same items in a set, or in a list
/// whose items are identified by a key.
public record FieldOwnership(List<ManagedFields> entries) implements OwnershipRecord {
  public static final String MANAGER = "kyverno-policy-sync";

  /// The part of the metadata that only this agent may own: the labels and annotations that Kyverno
  /// reads.
  private static final FieldSet CONTENT =
      FieldSet.named(KyvernoMetadata.LABELS, KyvernoMetadata.ANNOTATIONS);

  /// [#CONTENT] and the annotation of client-side apply.
  private static final FieldSet TAKEN_OVER =
      CONTENT.union(FieldSet.named(List.of(), List.of(ServerFields.LAST_APPLIED)));

  public FieldOwnership {
    entries = List.copyOf(entries);
  }

  @Override
  public FieldOwnership read() {
    return this;
  }

  @Override
  public String text() {
    return entries.stream().filter(entry -> entry.subresource().isEmpty()).toList().toString();
  }

  /// Returns whether we own every leaf of the manifest, except for its identity, which no manager
  /// owns.
  public boolean covers(Value.Mapping manifest) {
    var keyed = KeyedLists.in(manifest);
    return own().filter(own -> own.fields().coversObject(ownable(manifest), keyed)).isPresent();
  }

  /// Returns whether we own exactly the fields that an apply of the manifest makes ours. We own
  /// more after a takeover that was interrupted before its second apply: the additional fields are
  /// unwanted.
  public boolean matches(Value.Mapping manifest) {
    return covers(manifest)
        && own().filter(own -> own.fields().within(ownable(manifest))).isPresent();
  }

  /// Returns the other managers that own any field of the object's spec, or a label or annotation
  /// that Kyverno reads and that we do not own. Status entries do not count. We must own the whole
  /// content of a policy.
  public List<String> intruders() {
    var ours = own().map(ManagedFields::fields).orElse(FieldSet.NONE);
    return entries.stream()
        .filter(entry -> isForeign(entry) && ownsContent(entry.fields(), ours))
        .map(ManagedFields::manager)
        .distinct()
        .toList();
  }

  /// Returns the managers that made the object differ from the manifest, as far as the record
  /// shows: every other manager that owns a field of the manifest that we do not own, or owns any
  /// field of the spec. The result is sorted and without duplicates; status entries do not count.
  ///
  /// A removed field has no owner, so the result does not contain the manager that removed it. The
  /// result is also empty if the entries were lost.
  public List<String> takers(Value.Mapping manifest) {
    var named = ownable(manifest);
    var ours = own().map(ManagedFields::fields).orElse(FieldSet.NONE);
    return entries.stream()
        .filter(FieldOwnership::isForeign)
        .filter(
            entry -> ownsContent(entry.fields(), ours) || entry.fields().minus(ours).names(named))
        .map(ManagedFields::manager)
        .distinct()
        .sorted()
        .toList();
  }

  /// Returns whether an apply alone would leave fields that a takeover removes: another manager's
  /// field of the spec, or kubectl's annotation.
  public boolean leavesBehind() {
    return entries.stream()
        .anyMatch(entry -> isForeign(entry) && !takenFrom(entry).children().isEmpty());
  }

  /// Returns the entries that make us the only owner of the fields that we manage. We get the
  /// fields of the spec that intruders own, and kubectl's annotation, so that the next apply
  /// removes every such field that is not in the manifest. Other managers lose the labels and
  /// annotations that we also own, so that these disappear once they are not in the manifest.
  /// Labels and annotations that only other managers own stay theirs.
  ///
  /// Returns empty if nothing has to change, or if we have no entry yet to which the fields could
  /// move.
  ///
  /// @param unwanted labels and annotations that are on the object but not in the manifest, whoever
  ///   owns them
  public Optional<FieldOwnership> takenOver(FieldSet unwanted) {
    return own()
        .flatMap(own -> {
          var fields = own.fields().union(unwanted);
          var others = new ArrayList<ManagedFields>();
          for (var entry : entries) {
            if (isForeign(entry)) {
              var taken = takenFrom(entry);
              fields = fields.union(taken);
              others.add(entry.withFields(entry.fields().minus(taken).minus(own.fields())));
            } else if (!entry.appliedBy(MANAGER)) {
              others.add(entry);
            }
          }
          return entries.containsAll(others) && fields.equals(own.fields())
              ? Optional.empty()
              : Optional.of(with(own.withFields(fields), others));
        });
  }

  /// Returns the entries with the whole spec in one entry of ours, and every entry at this version.
  /// This is for an object whose entries the API server can no longer read.
  public FieldOwnership reset(String apiVersion) {
    var fields = FieldSet.NONE;
    var others = new ArrayList<ManagedFields>();
    for (var entry : entries) {
      if (entry.appliedBy(MANAGER)) {
        fields = fields.union(entry.fields());
      } else if (isForeign(entry)) {
        var taken = takenFrom(entry);
        fields = fields.union(taken);
        others.add(entry.withFields(entry.fields().minus(taken)).at(apiVersion));
      } else {
        others.add(entry);
      }
    }
    return with(new ManagedFields(MANAGER, "Apply", apiVersion, "", fields), others);
  }

  /// Returns the entries with every entry of an unserved version moved to this version and merged
  /// with the entry of the same writer there. This is for an object whose entries the API server
  /// can no longer convert. No manager gains a field.
  ///
  /// Returns empty if every entry is at a served version.
  ///
  /// @param served the served versions: `kyverno.io/v1`
  public Optional<FieldOwnership> moved(Set<String> served, String apiVersion) {
    if (entries.stream().allMatch(entry -> served.contains(entry.apiVersion()))) {
      return Optional.empty();
    }
    var moved = new ArrayList<ManagedFields>();
    for (var entry : entries) {
      var there = served.contains(entry.apiVersion()) ? entry : entry.at(apiVersion);
      var same = moved.stream().filter(there::writtenLike).findFirst();
      same.ifPresent(moved::remove);
      moved.add(
          same.map(other -> other.withFields(other.fields().union(there.fields()))).orElse(there));
    }
    return Optional.of(new FieldOwnership(moved));
  }

  /// Returns the labels and annotations that Kyverno reads, that the object has and that the
  /// manifest does not name.
  public static FieldSet unwanted(Value.Mapping metadata, Value.Mapping manifest) {
    var wanted = manifest.mapping("metadata");
    return FieldSet.named(
            left(KyvernoMetadata.LABELS, "labels", metadata, wanted),
            left(KyvernoMetadata.ANNOTATIONS, "annotations", metadata, wanted))
        .ofObject();
  }

  /// Returns the unwanted labels and annotations, and the fields of the object's spec that differ
  /// from a newly created object. Such a field may have no owner, if a client removed its own entry
  /// from the managed fields.
  ///
  /// @param object the object after an apply of the manifest
  /// @param created the object that a creation from the manifest would give, with the server's
  ///   defaults
  public static FieldSet unwanted(
      Value.Mapping object, Value.Mapping manifest, Value.Mapping created) {
    return unwanted(object.mapping("metadata"), manifest)
        .union(
            FieldSet.differing(
                object.mapping("spec"), created.mapping("spec"), KeyedLists.in(manifest)));
  }

  private static List<String> left(
      List<String> names, String holder, Value.Mapping metadata, Value.Mapping wanted) {
    return names.stream()
        .filter(name -> metadata.mapping(holder).field(name).isPresent())
        .filter(name -> wanted.mapping(holder).field(name).isEmpty())
        .toList();
  }

  /// Returns whether we have applied the object and the record of that still exists.
  public boolean applied() {
    return entries.stream().anyMatch(entry -> entry.appliedBy(MANAGER));
  }

  /// Returns our entry. The API server keeps one entry per applier; if there are several, none is
  /// reliable.
  private Optional<ManagedFields> own() {
    var own = entries.stream().filter(entry -> entry.appliedBy(MANAGER)).toList();
    return own.size() == 1 ? Optional.of(own.getFirst()) : Optional.empty();
  }

  private static FieldOwnership with(ManagedFields own, List<ManagedFields> others) {
    var all = new ArrayList<>(others);
    all.removeIf(entry -> entry.fields().isEmpty());
    all.addFirst(own);
    return new FieldOwnership(all);
  }

  /// Returns whether another writer made this entry, for the object itself and not for its status.
  private static boolean isForeign(ManagedFields entry) {
    return !entry.appliedBy(MANAGER) && entry.subresource().isEmpty();
  }

  private static boolean ownsContent(FieldSet fields, FieldSet ours) {
    return fields.ownsSpec() || !fields.minus(ours).takenOverBy(CONTENT).isEmpty();
  }

  private static FieldSet takenFrom(ManagedFields entry) {
    return entry.fields().takenOverBy(TAKEN_OVER);
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

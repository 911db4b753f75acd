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
/// field takes the field out of our entry; a writer that adds a field gets an entry of its own. So
/// metadata alone tells whether an object is still as we applied it, whatever defaults and status
/// writers put into it. All rules here were observed on kube-apiserver 1.36.3;
/// `docs/decisions/0001-drift-by-field-ownership.md` has the evidence.
///
/// One change leaves no trace in the record: another order of the same items in a list whose items
/// are named by a key, or in a set.
public record FieldOwnership(List<ManagedFields> entries) implements OwnershipRecord {
  public static final String MANAGER = "kyverno-policy-sync";

  /// The part of the metadata that only this agent may own: the labels and annotations that Kyverno
  /// reads.
  private static final FieldSet CONTENT =
      FieldSet.named(KyvernoMetadata.LABELS, KyvernoMetadata.ANNOTATIONS);

  /// [#CONTENT] and the annotation that client-side apply leaves.
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

  /// Returns whether we own every leaf of the manifest, without its identity (which no manager
  /// owns).
  public boolean covers(Value.Mapping manifest) {
    var keyed = KeyedLists.in(manifest);
    return own().filter(own -> own.fields().coversObject(ownable(manifest), keyed)).isPresent();
  }

  /// Returns whether we own exactly the fields that an apply of the manifest makes ours. We own
  /// more after a takeover that was interrupted before its second apply: those fields are unwanted
  /// and now ours.
  public boolean matches(Value.Mapping manifest) {
    return covers(manifest)
        && own().filter(own -> own.fields().within(ownable(manifest))).isPresent();
  }

  /// Returns the other managers that own anything under the object's spec, or a label or annotation
  /// that Kyverno reads and that we do not own. Status entries do not count. The content of a
  /// policy must be wholly ours.
  public List<String> intruders() {
    var ours = own().map(ManagedFields::fields).orElse(FieldSet.NONE);
    return entries.stream()
        .filter(entry -> isForeign(entry) && ownsContent(entry.fields(), ours))
        .map(ManagedFields::manager)
        .distinct()
        .toList();
  }

  /// Returns the managers that made the object differ from the manifest, as far as this can be
  /// told: every other manager that owns a field of the manifest that we do not own, or owns
  /// anything under the spec. The result is sorted and without duplicates; status entries do not
  /// count.
  ///
  /// A removed field has no owner, so the manager that removed a field is not in the result. The
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

  /// Returns whether an apply alone leaves fields that a takeover removes: another manager's field
  /// of the spec, or kubectl's annotation.
  public boolean leavesBehind() {
    return entries.stream()
        .anyMatch(entry -> isForeign(entry) && !takenFrom(entry).children().isEmpty());
  }

  /// Returns the entries that make us the only owner of the fields that we manage. We get what
  /// intruders own under spec, and kubectl's annotation, so that the next apply removes every such
  /// field that the manifest does not name. Other managers lose the labels and annotations that we
  /// own too, so that these disappear once the manifest drops them. Labels and annotations that
  /// only other managers own stay theirs.
  ///
  /// Returns empty if nothing has to change, or if we have no entry yet that could take the fields
  /// over.
  ///
  /// @param unwanted labels and annotations that the object has and the manifest does not, whoever
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

  /// Returns the entries with all of spec in one entry of ours, and every entry at that version.
  /// This serves an object whose entries the API server cannot read any more.
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

  /// Returns the entries with every entry of an unserved version moved to that version, merged with
  /// the entry that the same writer has there. This serves an object whose entries the API server
  /// cannot convert any more. No manager gains a field.
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
  /// from a newly created object. Such a field may have no owner, if somebody removed their entry
  /// from the managed fields.
  ///
  /// @param object as it is after an apply of the manifest
  /// @param created as the manifest alone would be created, with the server's defaults
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

  /// Returns whether we ever applied the object and the record of that was not lost.
  public boolean applied() {
    return entries.stream().anyMatch(entry -> entry.appliedBy(MANAGER));
  }

  /// Returns our entry. The API server keeps one entry per applier; if there are several, none can
  /// be relied on.
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

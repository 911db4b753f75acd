package dev.policysync.plan.managedfields;

import dev.policysync.base.Value;
import dev.policysync.policy.KyvernoMetadata;
import dev.policysync.policy.ServerFields;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;

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
public record FieldOwnership(List<ManagedFields> entries) implements OwnershipRecord {
  /// Our name as a field manager.
  public static final String MANAGER = "kyverno-policy-sync";

  /// What of the metadata only we may own: what Kyverno goes by.
  private static final FieldSet CONTENT =
      FieldSet.named(KyvernoMetadata.LABELS, KyvernoMetadata.ANNOTATIONS);

  /// The same, and what client-side apply leaves.
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

  /// Whether we own every leaf of that manifest, its identity aside (which nobody owns).
  public boolean covers(Value.Mapping manifest) {
    var keyed = KeyedLists.in(manifest);
    return own().filter(own -> own.fields().coversObject(ownable(manifest), keyed)).isPresent();
  }

  /// Whether we own exactly what an apply of that manifest makes ours. More than that is left
  /// behind by a take-over whose second apply never came: fields that nobody wants and that are
  /// ours now.
  public boolean matches(Value.Mapping manifest) {
    return covers(manifest)
        && own().filter(own -> own.fields().within(ownable(manifest))).isPresent();
  }

  /// Other managers that own anything under the object's spec, status entries aside, or a label or
  /// annotation by which Kyverno goes and that we do not own: a policy's content is wholly ours.
  public List<String> intruders() {
    var ours = own().map(ManagedFields::fields).orElse(FieldSet.NONE);
    return entries.stream()
        .filter(entry -> isForeign(entry) && ownsContent(entry.fields(), ours))
        .map(ManagedFields::manager)
        .distinct()
        .toList();
  }

  /// Who made the object other than that manifest, as far as that can be told: every other manager
  /// that owns something of the manifest and we do not, or owns anything at all under the spec.
  /// Sorted, each once, status entries aside.
  ///
  /// A field that was removed is owned by nobody, so whoever removed it is not named; nor is
  /// anybody where the entries were lost.
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

  /// Whether an apply alone leaves what a take-over removes: another's field of the spec, or
  /// kubectl's annotation.
  public boolean leavesBehind() {
    return entries.stream()
        .anyMatch(entry -> isForeign(entry) && !takenFrom(entry).children().isEmpty());
  }

  /// The list that makes us the only owner of what we manage. We get what intruders own under spec,
  /// and kubectl's annotation, so that the next apply removes all of that which the manifest does
  /// not name. A label or annotation that we own others do not own beside us any more, so that it
  /// goes once the manifest drops it; those that are theirs alone stay theirs.
  ///
  /// Empty where nothing is to be changed, or where we have no entry yet to take it over with.
  ///
  /// @param unwanted labels and annotations that are there against the manifest, whoever owns them
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

  /// The list with all of spec in one entry of ours, every entry at that version: for an object
  /// whose entries the API server cannot make sense of any more.
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

  /// The list with every entry at a version that is not served any more moved to that one, joined
  /// with what the same writer owns there already: for an object whose entries the API server
  /// cannot convert any more. Nobody owns anything that he did not own.
  ///
  /// Empty where every entry is at a served version.
  ///
  /// @param served the versions that are: `kyverno.io/v1`
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

  /// Of the labels and annotations by which Kyverno goes those that the object has, and the
  /// manifest does not name.
  public static FieldSet unwanted(Value.Mapping metadata, Value.Mapping manifest) {
    var wanted = manifest.mapping("metadata");
    return FieldSet.named(
            left(KyvernoMetadata.LABELS, "labels", metadata, wanted),
            left(KyvernoMetadata.ANNOTATIONS, "annotations", metadata, wanted))
        .ofObject();
  }

  /// The same, and what of the object's spec differs from the one that an object of its own would
  /// have: nobody may own it, where somebody cut his entry out of the managed fields.
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

  /// Whether we ever applied it, and the record of that was not lost.
  public boolean applied() {
    return entries.stream().anyMatch(entry -> entry.appliedBy(MANAGER));
  }

  /// Our entry. The API server keeps one for each applier; of several, none is to be relied on.
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

  /// Whether somebody else wrote so to the object itself, not to its status.
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

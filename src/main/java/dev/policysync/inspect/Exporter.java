package dev.policysync.inspect;

import dev.policysync.base.Value;
import dev.policysync.inspect.Export.Exported;
import dev.policysync.inspect.FullPolicies.Reading;
import dev.policysync.inspect.FullPolicies.WholePolicy;
import dev.policysync.plan.OwnershipVerdict;
import dev.policysync.plan.SourceName;
import dev.policysync.plan.Successors;
import dev.policysync.policy.OwnershipAnnotations;
import dev.policysync.policy.ServerFields;
import dev.policysync.policy.Succession;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;

/// Turns the cluster's policies into manifests that can be applied again. It removes the status,
/// fields that only the API server may set, and the annotations by which a run recognizes what it
/// applied. It keeps what people wrote: labels and annotations, including the ownership annotation,
/// and every field of the spec, even one that a CRD's default filled in, because the default may
/// change in the next version (`docs/export.md`).
public final class Exporter {
  private final FullPolicies policies;
  private final ExportSelection exportSelection;
  private final SourceName source;

  /// @param source the source whose policies count as owned; [SourceName#LOCAL] accepts any source,
  ///   because for a backup, too much is better than too little
  public Exporter(FullPolicies policies, ExportSelection exportSelection, SourceName source) {
    this.policies = policies;
    this.exportSelection = exportSelection;
    this.source = source;
  }

  /// Reads all policies before it exports any.
  public Export run() {
    return switch (policies.read(this::judge)) {
      case Reading.Complete<Judged>(var judged) -> sorted(judged);
      case Reading.Incomplete<Judged>(var failures) -> new Export.Failed(failures);
    };
  }

  private sealed interface Judged {
    record Wanted(Exported policy) implements Judged {}

    record NotWanted(ExclusionReason why) implements Judged {}
  }

  private static Export sorted(List<Judged> judged) {
    var exported = new ArrayList<Exported>();
    var leftOut = new EnumMap<ExclusionReason, Integer>(ExclusionReason.class);
    for (var one : judged) {
      switch (one) {
        case Judged.Wanted(var policy) -> exported.add(policy);
        case Judged.NotWanted(var why) -> leftOut.merge(why, 1, Integer::sum);
      }
    }
    exported.sort(Comparator.comparing(Exported::id));
    return new Export.Whole(exported, leftOut);
  }

  private Judged judge(WholePolicy policy) {
    if (policy.live().controlled()) {
      return new Judged.NotWanted(ExclusionReason.GENERATED);
    }
    if (policy.live().terminating()) {
      return new Judged.NotWanted(ExclusionReason.TERMINATING);
    }
    var ownershipVerdict = OwnershipVerdict.of(policy.live(), source);
    // On a copy, the rehearsal annotation has no meaning.
    if (Successors.of(policy.live()).filter(Succession::rehearses).isPresent()
        && (ownershipVerdict instanceof OwnershipVerdict.Ours
            || ownershipVerdict instanceof OwnershipVerdict.OtherSource)) {
      return new Judged.NotWanted(ExclusionReason.REHEARSING);
    }
    if (exportSelection == ExportSelection.ALL) {
      return wanted(policy);
    }
    return switch (ownershipVerdict) {
      case OwnershipVerdict.Ours _ -> wanted(policy);
      case OwnershipVerdict.OtherSource _ when source.equals(SourceName.LOCAL) -> wanted(policy);
      case OwnershipVerdict.OtherSource _ -> new Judged.NotWanted(ExclusionReason.OTHER_SOURCE);
      case OwnershipVerdict.Copy _ -> new Judged.NotWanted(ExclusionReason.COPY);
      case OwnershipVerdict.Controlled _ -> new Judged.NotWanted(ExclusionReason.GENERATED);
      case OwnershipVerdict.Unowned _ -> new Judged.NotWanted(ExclusionReason.NOT_OURS);
    };
  }

  private static Judged wanted(WholePolicy policy) {
    return new Judged.Wanted(new Exported(policy.live().id(), manifest(policy)));
  }

  private static Value.Mapping manifest(WholePolicy policy) {
    var kind = policy.live().id().kind();
    var clean =
        OwnershipAnnotations.removeBookkeepingFrom(ServerFields.removeFrom(policy.object()));
    var fields = new LinkedHashMap<String, Value>();
    fields.put("apiVersion", new Value.Text(kind.group() + "/" + policy.version()));
    fields.put("kind", new Value.Text(kind.kind()));
    fields.put("metadata", nameFirst(clean.mapping("metadata")));
    clean.fields().forEach(fields::putIfAbsent);
    return new Value.Mapping(fields);
  }

  /// Puts the name first, as people write it; the API server sorts alphabetically.
  private static Value.Mapping nameFirst(Value.Mapping metadata) {
    var fields = new LinkedHashMap<String, Value>();
    for (var name : List.of("name", "namespace", "labels", "annotations")) {
      metadata.field(name).ifPresent(value -> fields.put(name, value));
    }
    metadata.fields().forEach(fields::putIfAbsent);
    return new Value.Mapping(fields);
  }
}

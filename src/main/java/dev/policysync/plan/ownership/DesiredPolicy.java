package dev.policysync.plan.ownership;

import dev.policysync.json.CompactJson;
import dev.policysync.json.Value;
import dev.policysync.policy.Digest;
import dev.policysync.policy.Policy;
import dev.policysync.policy.PolicyId;

/// A policy exactly as it is to be applied: at the cluster's version, with our marks on it.
///
/// Two of one digest are the same: it is of all that they say. Plans and what is known of their
/// actions are compared and looked up by it, without unpacking anything.
///
/// @param version of its kind: `v1`
/// @param compactJson what the API server is sent
/// @param digest of the manifest without the mark that carries the digest itself
public record DesiredPolicy(PolicyId id, String version, CompactJson compactJson, Digest digest) {
  /// What the API server is sent. It may be made anew each time, as a plan may hold thousands.
  public Value.Mapping manifest() {
    return compactJson.value();
  }

  /// The policy stamped for that source, at that version of its kind.
  public static DesiredPolicy of(Policy policy, String version, SourceName source) {
    var id = policy.id();
    var content = policy.content();
    var metadata = content.mapping("metadata");
    var labels =
        metadata.mapping("labels").with(OwnershipAnnotations.MANAGED_LABEL, new Value.Text("true"));
    var annotations =
        metadata
            .mapping("annotations")
            .without(OwnershipAnnotations.APPLIED)
            .without(OwnershipAnnotations.RECONCILE)
            .without(OwnershipAnnotations.SUCCESSOR_OF)
            .without(OwnershipAnnotations.REHEARSES)
            .with(OwnershipAnnotations.OWNED_BY, new Value.Text(OwnershipAnnotations.OWNER))
            .with(OwnershipAnnotations.SOURCE, new Value.Text(source.text()));
    if (policy.succession().isPresent()) {
      var succession = policy.succession().get();
      annotations =
          annotations.with(
              succession.rehearses()
                  ? OwnershipAnnotations.REHEARSES
                  : OwnershipAnnotations.SUCCESSOR_OF,
              new Value.Text(succession.legacy().key()));
    }
    var marked = metadata.with("labels", labels).with("annotations", annotations);
    var unsigned =
        content
            .with("apiVersion", new Value.Text(id.kind().group() + "/" + version))
            .with("metadata", marked);
    var digest = Digest.of(unsigned);
    var signed =
        annotations.with(OwnershipAnnotations.APPLIED, new Value.Text(signature(id, digest)));
    var manifest = unsigned.with("metadata", marked.with("annotations", signed));
    return new DesiredPolicy(id, version, policy.compactJson().like(manifest), digest);
  }

  /// The same for whoever looks into it several times.
  public DesiredPolicy unpacked() {
    return new DesiredPolicy(id, version, compactJson.unpacked(), digest);
  }

  /// The value of [OwnershipAnnotations#APPLIED].
  public String signature() {
    return signature(id, digest);
  }

  private static String signature(PolicyId id, Digest digest) {
    return id.key() + "@" + digest;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof DesiredPolicy desired
        && digest.equals(desired.digest)
        && version.equals(desired.version)
        && id.equals(desired.id);
  }

  @Override
  public int hashCode() {
    return digest.hashCode();
  }
}

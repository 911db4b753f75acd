package dev.policysync.plan;

import dev.policysync.policy.Digest;
import dev.policysync.policy.Policy;
import dev.policysync.policy.PolicyId;
import dev.policysync.yaml.Packed;
import dev.policysync.yaml.Value;

/// A policy exactly as it is to be applied: at the cluster's version, with our marks on it.
///
/// @param version of its kind: `v1`
/// @param packed what the API server is sent
/// @param digest of the manifest without the mark that carries the digest itself
public record Desired(PolicyId id, String version, Packed packed, Digest digest) {
  /// What the API server is sent, made anew each time: a plan may hold thousands.
  public Value.Mapping manifest() {
    return packed.value();
  }

  /// The policy stamped for that source, at that version of its kind.
  static Desired of(Policy policy, String version, SourceName source) {
    var id = policy.id();
    var content = policy.content();
    var metadata = content.mapping("metadata");
    var labels = metadata.mapping("labels").with(Marks.MANAGED_LABEL, new Value.Text("true"));
    var annotations =
        metadata
            .mapping("annotations")
            .without(Marks.APPLIED)
            .with(Marks.OWNED_BY, new Value.Text(Marks.OWNER))
            .with(Marks.SOURCE, new Value.Text(source.text()));
    var marked = metadata.with("labels", labels).with("annotations", annotations);
    var unsigned =
        content
            .with("apiVersion", new Value.Text(id.kind().group() + "/" + version))
            .with("metadata", marked);
    var digest = Digest.of(unsigned);
    var signed = annotations.with(Marks.APPLIED, new Value.Text(signature(id, digest)));
    var manifest = unsigned.with("metadata", marked.with("annotations", signed));
    return new Desired(id, version, Packed.of(manifest), digest);
  }

  /// The value of [Marks#APPLIED].
  String signature() {
    return signature(id, digest);
  }

  private static String signature(PolicyId id, Digest digest) {
    return id.key() + "@" + digest;
  }
}

package dev.policysync.plan;

import dev.policysync.base.Value;
import dev.policysync.policy.Digest;
import dev.policysync.policy.OwnershipAnnotations;
import dev.policysync.policy.Policy;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.Succession;
import java.util.LinkedHashMap;
import java.util.Optional;
import java.util.Set;

/// A policy exactly as it is to be applied: in the version that the cluster serves, with our
/// ownership annotations.
///
/// Two desired policies with the same digest are equal, as the digest covers their whole content.
/// So plans and actions are compared and looked up without unpacking a manifest.
///
/// @param policy the policy in the feed; the ownership annotations are added at each read, because
///   a plan may contain thousands of policies
/// @param version the version of the kind: `v1`
/// @param source the source in the ownership annotations
/// @param digest the digest of the manifest without the annotation that contains this digest
public record DesiredPolicy(Policy policy, String version, SourceName source, Digest digest) {
  /// Annotations that have an effect only if this agent has set them.
  private static final Set<String> OURS_ALONE =
      Set.of(
          OwnershipAnnotations.APPLIED,
          OwnershipAnnotations.RECONCILE,
          OwnershipAnnotations.SUCCESSOR_OF,
          OwnershipAnnotations.REHEARSES);

  public static DesiredPolicy of(Policy policy, String version, SourceName source) {
    return new DesiredPolicy(
        policy, version, source, Digest.of(marked(policy, version, source, Optional.empty())));
  }

  public PolicyId id() {
    return policy.id();
  }

  /// Returns the manifest that is sent to the API server.
  public Value.Mapping manifest() {
    return marked(policy, version, source, Optional.of(signature()));
  }

  private static Value.Mapping marked(
      Policy policy, String version, SourceName source, Optional<String> signature) {
    var content = policy.content();
    var metadata = content.mapping("metadata");
    var labels = metadata.mapping("labels").with(OwnershipAnnotations.MANAGED_LABEL, "true");
    var annotations = new LinkedHashMap<>(metadata.mapping("annotations").fields());
    annotations.keySet().removeAll(OURS_ALONE);
    annotations.put(OwnershipAnnotations.OWNED_BY, new Value.Text(OwnershipAnnotations.OWNER));
    annotations.put(OwnershipAnnotations.SOURCE, new Value.Text(source.text()));
    policy
        .succession()
        .ifPresent(succession ->
            annotations.put(succession.annotation(), new Value.Text(succession.legacy().key())));
    signature.ifPresent(
        text -> annotations.put(OwnershipAnnotations.APPLIED, new Value.Text(text)));
    return content
        .with("apiVersion", policy.id().kind().group() + "/" + version)
        .with(
            "metadata",
            metadata.with("labels", labels).with("annotations", new Value.Mapping(annotations)));
  }

  /// Returns the value of [OwnershipAnnotations#APPLIED].
  public String signature() {
    return id().key() + "@" + digest + policy.succession().map(Succession::signed).orElse("");
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof DesiredPolicy desired
        && digest.equals(desired.digest)
        && version.equals(desired.version)
        && id().equals(desired.id());
  }

  @Override
  public int hashCode() {
    return digest.hashCode();
  }
}

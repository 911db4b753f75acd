package dev.policysync.convert;

import dev.policysync.base.Value;
import dev.policysync.policy.Digest;
import dev.policysync.policy.ServerFields;
import dev.policysync.policy.feed.LocatedPolicy;
import java.util.LinkedHashMap;
import java.util.List;

/// Makes the metadata of a successor: the labels and annotations of its origin, and an annotation
/// that names the origin.
final class SuccessorMetadata {
  /// The annotation that names the origin of a successor and the digest of its policy:
  /// `ClusterPolicy.kyverno.io/require-labels/check-team@sha256:…`.
  private static final String ORIGIN = "policysync.dev/converted-from";

  /// Prefixes of annotations that are about the origin, and were written by whoever applied it.
  private static final List<String> DROPPED =
      List.of("policysync.dev/", "pod-policies.kyverno.io/", "policies.kyverno.io/autogen");

  private SuccessorMetadata() {}

  /// Returns the metadata of a successor.
  ///
  /// @param part the part of the policy that the successor replaces: `/check-team`
  /// @param name the name of the successor
  static Value.Mapping of(LocatedPolicy policy, String part, String name) {
    var content = ServerFields.removeFrom(policy.content());
    var written = content.mapping("metadata");
    var annotations = new LinkedHashMap<>(written.mapping("annotations").fields());
    annotations.keySet().removeIf(key -> DROPPED.stream().anyMatch(key::startsWith));
    annotations.put(ORIGIN, new Value.Text(policy.id().key() + part + "@" + Digest.of(content)));
    var metadata = policy.id().kind().namespaced() ? written : written.without("namespace");
    return metadata.with("name", name).with("annotations", new Value.Mapping(annotations));
  }
}

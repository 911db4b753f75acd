package dev.policysync.convert;

import dev.policysync.base.Value;
import dev.policysync.policy.Digest;
import dev.policysync.policy.ServerFields;
import dev.policysync.policy.feed.LocatedPolicy;
import java.util.LinkedHashMap;
import java.util.List;

/// The metadata of a successor: its origin's labels and annotations, and where it comes from.
final class SuccessorMetadata {
  /// Names what a successor comes from, and the digest of its policy:
  /// `ClusterPolicy.kyverno.io/require-labels/check-team@sha256:…`.
  private static final String ORIGIN = "policysync.dev/converted-from";

  /// Written by whoever applied the origin, and about the origin.
  private static final List<String> DROPPED =
      List.of("policysync.dev/", "pod-policies.kyverno.io/", "policies.kyverno.io/autogen");

  private SuccessorMetadata() {}

  /// That of one.
  ///
  /// @param part of the policy that it takes the place of: `/check-team`
  /// @param name its own
  static Value.Mapping of(LocatedPolicy policy, String part, String name) {
    var content = ServerFields.removed(policy.content());
    var written = content.mapping("metadata");
    var annotations = new LinkedHashMap<>(written.mapping("annotations").fields());
    annotations.keySet().removeIf(key -> DROPPED.stream().anyMatch(key::startsWith));
    annotations.put(ORIGIN, new Value.Text(policy.id().key() + part + "@" + Digest.of(content)));
    var metadata = policy.id().kind().namespaced() ? written : written.without("namespace");
    return metadata
        .with("name", new Value.Text(name))
        .with("annotations", new Value.Mapping(annotations));
  }
}

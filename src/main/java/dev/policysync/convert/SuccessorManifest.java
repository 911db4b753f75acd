package dev.policysync.convert;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.policysync.base.Value;
import dev.policysync.policy.Digest;
import dev.policysync.policy.PolicyKind;
import dev.policysync.policy.ServerFields;
import dev.policysync.policy.feed.LocatedPolicy;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;

/// Makes the manifests of successors. They have the labels and annotations of their origin, and an
/// annotation that names the origin. They are named like the origin if the origin has one rule,
/// else with the rule's name appended; the name is the same in every run, and is a valid label
/// value, as policy reports need it.
final class SuccessorManifest {
  /// The annotation that names the origin of a successor and the digest of its policy:
  /// `ClusterPolicy.kyverno.io/require-labels/check-team@sha256:…`.
  private static final String ORIGIN = "policysync.dev/converted-from";

  /// Prefixes of annotations that are about the origin, and were written by whoever applied it.
  private static final List<String> DROPPED =
      List.of("policysync.dev/", "pod-policies.kyverno.io/", "policies.kyverno.io/autogen");

  private static final int LONGEST = 63;
  private static final int HASH = 8;

  private SuccessorManifest() {}

  /// Returns the manifest of a successor.
  ///
  /// @param part the part of the policy that the successor replaces: `/check-team`
  /// @param nameParts what the name has beside the name of the policy
  static Value.Mapping of(
      LocatedPolicy policy, String part, List<String> nameParts, PolicyKind kind, Value spec) {
    var content = ServerFields.removeFrom(policy.content());
    var written = content.mapping("metadata");
    var annotations = new LinkedHashMap<>(written.mapping("annotations").fields());
    annotations.keySet().removeIf(key -> DROPPED.stream().anyMatch(key::startsWith));
    annotations.put(ORIGIN, new Value.Text(policy.id().key() + part + "@" + Digest.of(content)));
    var metadata = policy.id().kind().namespaced() ? written : written.without("namespace");
    return Value.Mapping.EMPTY
        .with("apiVersion", "policies.kyverno.io/v1")
        .with("kind", kind.kind())
        .with(
            "metadata",
            metadata
                .with("name", name(policy.id().name(), nameParts))
                .with("annotations", new Value.Mapping(annotations)))
        .with("spec", spec);
  }

  /// Joins the parts to a name. A name that had to be changed or cut ends with a hash of all parts.
  private static String name(String policy, List<String> parts) {
    var whole = String.join("-", parts);
    var written = parts.isEmpty() ? policy : policy + "-" + whole;
    var clean = (parts.isEmpty() ? policy : policy + "-" + cleaned(whole)).replaceAll("[-.]+$", "");
    if (clean.equals(written) && clean.length() <= LONGEST) {
      return clean;
    }
    var hash = Digest.of((policy + "\n" + whole).getBytes(UTF_8)).text().substring(7, 7 + HASH);
    var longest = LONGEST - HASH - 1;
    var cut = clean.length() <= longest ? clean : clean.substring(0, longest);
    return cut.replaceAll("[-.]+$", "") + "-" + hash;
  }

  private static String cleaned(String text) {
    return text.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-").replaceAll("^-|-$", "");
  }
}

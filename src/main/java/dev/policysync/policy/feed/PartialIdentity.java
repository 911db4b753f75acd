package dev.policysync.policy.feed;

import dev.policysync.base.Value;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.PolicyKind;
import java.util.Optional;

/// The valid parts of the identity of an object of the feed, which may have other problems.
record PartialIdentity(
    Optional<PolicyKind> kind, Optional<String> namespace, Optional<String> name) {

  /// Reads the identity from apiVersion, kind, name and namespace, and leaves out invalid parts.
  static PartialIdentity of(Value.Mapping object) {
    var metadata = object.mapping("metadata");
    var kind =
        object
            .text("apiVersion")
            .flatMap(version -> object.text("kind").flatMap(k -> PolicyKind.of(group(version), k)));
    return new PartialIdentity(
        kind,
        metadata.text("namespace").filter(ObjectNames::isLabel),
        metadata.text("name").filter(PartialIdentity::canBeShown));
  }

  /// Returns the group in an apiVersion: `kyverno.io` in `kyverno.io/v1`, an empty text in `v1`.
  static String group(String apiVersion) {
    return apiVersion.substring(0, Math.max(0, apiVersion.lastIndexOf('/')));
  }

  /// Returns whether a text of the feed may appear in a message: short, on one line, without
  /// spaces.
  static boolean canBeShown(String text) {
    return !text.isEmpty()
        && text.length() <= 253
        && text.chars().allMatch(c -> c > ' ' && c < 0x7F);
  }

  /// Returns the policy's identity, if all parts that its kind needs are valid.
  Optional<PolicyId> id() {
    return id(Optional.empty());
  }

  /// Returns the policy's identity, with the namespace `assumed` if the object has none.
  Optional<PolicyId> id(Optional<String> assumed) {
    var namespace = this.namespace.or(() -> assumed);
    return kind.flatMap(k ->
        name.filter(ObjectNames::isSubdomain)
            .filter(_ -> !k.namespaced() || namespace.isPresent())
            .map(n -> new PolicyId(k, k.namespaced() ? namespace : Optional.empty(), n)));
  }
}

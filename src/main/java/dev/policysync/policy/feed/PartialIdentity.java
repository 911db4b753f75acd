package dev.policysync.policy.feed;

import dev.policysync.base.Value;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.PolicyKind;
import java.util.Optional;

/// How far an object of the feed can be named, whatever else is wrong with it.
record PartialIdentity(
    Optional<PolicyKind> kind, Optional<String> namespace, Optional<String> name) {

  /// What its apiVersion, kind, name and namespace say, as far as they make sense.
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

  /// The group in an apiVersion: `kyverno.io` in `kyverno.io/v1`, nothing in `v1`.
  static String group(String apiVersion) {
    return apiVersion.substring(0, Math.max(0, apiVersion.lastIndexOf('/')));
  }

  /// Whether a text of the feed may stand in a message: short, on one line, without spaces.
  static boolean canBeShown(String text) {
    return !text.isEmpty()
        && text.length() <= 253
        && text.chars().allMatch(c -> c > ' ' && c < 0x7F);
  }

  /// The policy that it would be, if that much is certain.
  Optional<PolicyId> id() {
    return id(Optional.empty());
  }

  /// The same where what says no namespace is in that one.
  Optional<PolicyId> id(Optional<String> assumed) {
    var namespace = this.namespace.or(() -> assumed);
    return kind.flatMap(k ->
        name.filter(ObjectNames::isSubdomain)
            .filter(_ -> !k.namespaced() || namespace.isPresent())
            .map(n -> new PolicyId(k, k.namespaced() ? namespace : Optional.empty(), n)));
  }
}

package dev.policysync.lint.rules;

import dev.policysync.lint.Node;
import java.util.List;
import java.util.Optional;

/// Where a rule is told to block, not only to report.
///
/// @param node where `Enforce` is written
/// @param namespaces where it applies, if an override is all that says so; empty means everywhere
record Enforcement(Node node, List<String> namespaces) {
  /// Kyverno's effective action (kyverno 1.19, read in its source): for `validate` the rule's
  /// overrides, then its own action; for `verifyImages` Enforce if any entry says so, else what the
  /// first says; a rule that says nothing follows the policy's overrides, then the policy's action.
  /// The policy's `Audit` that the CRD adds beside a rule's `Enforce` counts for nothing.
  static Optional<Enforcement> of(LegacyRule rule) {
    var validate = rule.node().at("validate");
    var images = rule.node().items("verifyImages");
    if (validate.isEmpty() && images.isEmpty()) {
      return Optional.empty();
    }
    var own = Optional.<Node>empty();
    var overridden = Optional.<Enforcement>empty();
    var says = false;
    if (validate.isPresent()) {
      own = validate.get().at("failureAction");
      overridden = override(validate.get().items("failureActionOverrides"));
      says = own.isPresent();
    } else {
      var actions = images.stream().flatMap(image -> image.at("failureAction").stream()).toList();
      own = actions.stream().filter(Enforcement::isEnforce).findFirst();
      says = !actions.isEmpty();
    }
    if (own.filter(Enforcement::isEnforce).isPresent()) {
      return own.map(node -> new Enforcement(node, List.of()));
    }
    return overridden.or(says ? Optional::empty : () -> ofPolicy(rule.policy().spec()));
  }

  private static Optional<Enforcement> ofPolicy(Node spec) {
    return spec.at("validationFailureAction")
        .filter(Enforcement::isEnforce)
        .map(node -> new Enforcement(node, List.of()))
        .or(() -> override(spec.items("validationFailureActionOverrides")));
  }

  private static Optional<Enforcement> override(List<Node> overrides) {
    return overrides.stream()
        .flatMap(override ->
            override.at("action").filter(Enforcement::isEnforce).stream()
                .map(action -> new Enforcement(action, override.texts("namespaces"))))
        .findFirst();
  }

  private static boolean isEnforce(Node action) {
    return action.text().filter("enforce"::equalsIgnoreCase).isPresent();
  }
}

package dev.policysync.policy.kyverno;

import dev.policysync.base.Value;
import dev.policysync.policy.PolicyKind;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Collectors;

/// The reason why Kyverno does not execute a policy, as Kyverno's controllers write it to the
/// policy's status (Kyverno 1.19): `conditions` for policies of kyverno.io (`updatePolicyStatuses`
/// of the webhook controller), `conditionStatus` for those of policies.kyverno.io (the policystatus
/// controller).
///
/// @param reason in Kyverno's words
/// @param since when the state began, by Kyverno's clock
public record NotReady(String reason, Optional<Instant> since) {
  private static final String NO_STATUS = "Kyverno has not reported on it";

  /// Returns why Kyverno does not execute this object; empty if it does.
  public static Optional<NotReady> of(PolicyKind kind, Value.Mapping object) {
    var status = object.mapping("status");
    return switch (kind.type()) {
      case RULES -> ofRules(object.mapping("spec"), status);
      case VALIDATING, IMAGE_VALIDATING, MUTATING, GENERATING ->
          ofCel(status.mapping("conditionStatus"));
      case CLEANUP,
          DELETING,
          VALIDATING_ADMISSION,
          MUTATING_ADMISSION,
          VALIDATING_BINDING,
          MUTATING_BINDING,
          RULE_EXCEPTION,
          CEL_POLICY_EXCEPTION,
          CONTEXT_ENTRY ->
          Optional.empty();
    };
  }

  /// Reads the condition unless Kyverno does not maintain it: a policy only for background scans is
  /// in no webhook, and the API server executes a policy that was turned into a
  /// ValidatingAdmissionPolicy.
  private static Optional<NotReady> ofRules(Value.Mapping spec, Value.Mapping status) {
    var generated = status.mapping("validatingadmissionpolicy").field("generated");
    if (is(spec.field("admission"), false) || is(generated, true)) {
      return Optional.empty();
    }
    var ready =
        status.mappings("conditions").stream()
            .filter(condition -> condition.text("type").orElse("").equals("Ready"))
            .findFirst();
    if (ready.isEmpty()) {
      return is(status.field("ready"), true)
          ? Optional.empty()
          : Optional.of(new NotReady(NO_STATUS, Optional.empty()));
    }
    return ready
        .filter(condition -> !condition.text("status").orElse("").equals("True"))
        .map(condition -> new NotReady(message(condition), transition(condition)));
  }

  private static Optional<NotReady> ofCel(Value.Mapping status) {
    if (is(status.field("ready"), true)) {
      return Optional.empty();
    }
    var failing =
        status.mappings("conditions").stream()
            .filter(condition -> !condition.text("status").orElse("").equals("True"))
            .toList();
    if (failing.isEmpty()) {
      return Optional.of(new NotReady(NO_STATUS, Optional.empty()));
    }
    return Optional.of(
        new NotReady(
            failing.stream().map(NotReady::message).collect(Collectors.joining(" ")),
            failing.stream()
                .map(NotReady::transition)
                .flatMap(Optional::stream)
                .max(Instant::compareTo)));
  }

  private static String message(Value.Mapping condition) {
    return "Kyverno reports: "
        + condition
            .text("message")
            .filter(text -> !text.isBlank())
            .or(() -> condition.text("reason"))
            .orElse("not ready");
  }

  private static Optional<Instant> transition(Value.Mapping condition) {
    try {
      return condition.text("lastTransitionTime").map(Instant::parse);
    } catch (DateTimeException _) {
      return Optional.empty();
    }
  }

  private static boolean is(Optional<Value> field, boolean wanted) {
    return field.filter(new Value.Bool(wanted)::equals).isPresent();
  }
}

package dev.policysync.convert.podsecurity;

import dev.policysync.base.Value;
import dev.policysync.convert.expression.Cel;
import dev.policysync.convert.expression.Untranslatable;
import java.util.ArrayList;
import java.util.List;

/// The requirements of a rule with `podSecurity`: a level of the Pod Security Standards as of some
/// release, without what the rule excludes.
///
/// Source: Kyverno 1.19, `EvaluatePod`. The rule fails unless all requirements hold.
public final class PodSecurityStandard {
  private final String name;
  private final List<Check> checks;
  private final Exclusions exclusions;

  private PodSecurityStandard(String name, List<Check> checks, Exclusions exclusions) {
    this.name = name;
    this.checks = checks;
    this.exclusions = exclusions;
  }

  /// One requirement.
  ///
  /// @param control the control's name in exclusions: `Host Ports`
  /// @param asks the requirement in words
  /// @param holds tests whether the Pod meets the requirement
  public record Requirement(String control, String asks, Cel holds) {}

  /// Reads `validate.podSecurity`.
  ///
  /// @throws Untranslatable if there is no exact translation
  public static PodSecurityStandard of(Value.Mapping podSecurity) {
    for (var field : podSecurity.fields().keySet()) {
      if (!List.of("exclude", "level", "version").contains(field)) {
        throw Untranslatable.field(
            podSecurity,
            field,
            "podSecurity." + Untranslatable.shown(field),
            "Kyverno has no such field; remove it");
      }
    }
    var release = Release.of(podSecurity);
    var level = podSecurity.text("level").orElse("");
    var checks = new ArrayList<>(BaselineChecks.of(release));
    switch (level) {
      case "baseline" -> {}
      case "restricted" -> checks.addAll(RestrictedChecks.of(release));
      case "privileged" ->
          throw Untranslatable.field(
              podSecurity,
              "level",
              "podSecurity of level privileged",
              "Kyverno judges it like restricted; write restricted, or remove the rule");
      default ->
          throw Untranslatable.field(
              podSecurity,
              "level",
              "an unknown level of podSecurity",
              "write baseline or restricted");
    }
    return new PodSecurityStandard(
        level + ":" + podSecurity.text("version").filter(text -> !text.isEmpty()).orElse("latest"),
        List.copyOf(checks),
        Exclusions.of(podSecurity, checks));
  }

  /// Returns level and release: `baseline:v1.29`.
  public String name() {
    return name;
  }

  /// Returns all requirements on a Pod, without controls that are excluded altogether.
  public List<Requirement> requirements(PodPlaces pod) {
    return checks.stream()
        .map(check ->
            new Requirement(
                check.control().title(),
                check.asks(),
                exclusions.of(check.control()).isWhole()
                    ? Cel.TRUE
                    : check.holds(pod, exclusions.of(check.control()))))
        .filter(requirement -> !requirement.holds().equals(Cel.TRUE))
        .toList();
  }
}

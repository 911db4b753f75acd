package dev.policysync.convert;

import dev.policysync.base.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/// The requirements of a rule with `podSecurity`: a level of the Pod Security Standards as of some
/// release, without what the rule excludes.
///
/// Source: Kyverno 1.19, `EvaluatePod`. The rule fails unless all requirements hold.
final class PodSecurityStandard {
  private static final Pattern RELEASE = Pattern.compile("v1\\.(19|2\\d|3[0-2])");

  private final String name;
  private final List<PodCheck> checks;
  private final PodExclusions exclusions;

  private PodSecurityStandard(String name, List<PodCheck> checks, PodExclusions exclusions) {
    this.name = name;
    this.checks = checks;
    this.exclusions = exclusions;
  }

  /// One requirement.
  ///
  /// @param control the control's name in exclusions: `Host Ports`
  /// @param asks the requirement in words
  /// @param holds tests whether the Pod meets the requirement
  record Requirement(String control, String asks, Cel holds) {}

  /// Reads `validate.podSecurity`.
  ///
  /// @throws Untranslatable if there is no exact translation
  static PodSecurityStandard of(Value.Mapping podSecurity) {
    Untranslatable.checkFields(
        podSecurity,
        Set.of("exclude", "level", "version"),
        field -> "podSecurity." + field,
        "Kyverno has no such field; remove it");
    var release = release(podSecurity);
    var level = podSecurity.text("level").orElse("");
    var checks = new ArrayList<>(PodCheck.ofBaseline(release));
    switch (level) {
      case "baseline" -> {}
      case "restricted" -> checks.addAll(PodCheck.ofRestricted(release));
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
        PodExclusions.of(podSecurity, checks));
  }

  /// Returns the minor version of the release of Kubernetes whose Pod Security Standards a rule
  /// asks for: 29 for `v1.29`.
  ///
  /// Kyverno uses the newest version of each check that is not newer than this release, or the
  /// oldest one if all are newer. So a check that is newer than the release applies, too.
  ///
  /// Source: Kyverno 1.19, `evaluatePSS`, and the versions that its API admits.
  private static int release(Value.Mapping podSecurity) {
    var written = podSecurity.text("version").orElse("");
    if (podSecurity.field("version").isEmpty() || written.equals("latest")) {
      return Integer.MAX_VALUE;
    }
    var matcher = RELEASE.matcher(written);
    if (!matcher.matches()) {
      throw Untranslatable.field(
          podSecurity,
          "version",
          "an unknown version of podSecurity",
          "write latest, or one of v1.19 to v1.32");
    }
    return Integer.parseInt(matcher.group(1));
  }

  /// Returns level and release: `baseline:v1.29`.
  String name() {
    return name;
  }

  /// Returns all requirements on a Pod, without controls that are excluded altogether.
  List<Requirement> requirements(PodVariables pod) {
    return checks.stream()
        .map(check ->
            new Requirement(
                check.control().title(),
                check.asks(),
                exclusions.of(check.control()).isWhole()
                    ? Cel.TRUE
                    : check.test().holds(pod, exclusions.of(check.control()))))
        .filter(requirement -> !requirement.holds().equals(Cel.TRUE))
        .toList();
  }
}

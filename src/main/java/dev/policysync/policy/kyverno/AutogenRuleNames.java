package dev.policysync.policy.kyverno;

import java.util.List;

/// The names of rules that Kyverno generates. From a rule for Pods, Kyverno generates
/// `autogen-<rule>` for Pod controllers and `autogen-cronjob-<rule>` for CronJobs, and cuts these
/// names to 63 characters.
public final class AutogenRuleNames {
  private static final String CRON_JOB = "autogen-cronjob-";
  private static final String CONTROLLER = "autogen-";
  private static final int LONGEST = 63;

  private AutogenRuleNames() {}

  /// Returns the names under which results of a rule are reported: its own, for controllers, for
  /// CronJobs.
  public static List<String> reported(String rule) {
    return List.of(rule, cut(CONTROLLER + rule), cut(CRON_JOB + rule));
  }

  private static String cut(String name) {
    return name.length() <= LONGEST ? name : name.substring(0, LONGEST);
  }

  /// Returns the rule from which a rule was generated, or the rule itself.
  public static String base(String rule) {
    var base = withoutPrefix(rule);
    // CEL policies have no rules: their generated variants are `autogen-defaults` and
    // `autogen-cronjobs`.
    return base.length() < rule.length() && (base.equals("defaults") || base.equals("cronjobs"))
        ? ""
        : base;
  }

  public static String withoutPrefix(String rule) {
    return rule.startsWith(CRON_JOB)
        ? rule.substring(CRON_JOB.length())
        : rule.startsWith(CONTROLLER) ? rule.substring(CONTROLLER.length()) : rule;
  }

  /// Returns whether both names belong to the same rule of a policy, as its own or as a generated
  /// name.
  public static boolean same(String one, String other) {
    if (one.equals(other)) {
      return true;
    }
    var base = base(one);
    var otherBase = base(other);
    return base.equals(otherBase)
        || (cut(one, base) && otherBase.startsWith(base))
        || (cut(other, otherBase) && base.startsWith(otherBase));
  }

  private static boolean cut(String rule, String base) {
    return rule.length() == LONGEST && base.length() < LONGEST;
  }
}

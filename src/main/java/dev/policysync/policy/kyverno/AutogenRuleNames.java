package dev.policysync.policy.kyverno;

import java.util.List;

/// Names of rules. What Kyverno derives from a rule on Pods for their controllers it names
/// `autogen-<rule>`, for CronJobs `autogen-cronjob-<rule>`, and cuts that to 63 characters.
public final class AutogenRuleNames {
  private static final String CRON_JOB = "autogen-cronjob-";
  private static final String CONTROLLER = "autogen-";
  private static final int LONGEST = 63;

  private AutogenRuleNames() {}

  /// The names under which results of a rule are reported: its own, for controllers, for CronJobs.
  public static List<String> reported(String rule) {
    return List.of(rule, cut(CONTROLLER + rule), cut(CRON_JOB + rule));
  }

  private static String cut(String name) {
    return name.length() <= LONGEST ? name : name.substring(0, LONGEST);
  }

  /// The rule that it is derived from, or itself.
  public static String base(String rule) {
    var base = withoutPrefix(rule);
    // Policies in CEL have no rules, and what is derived from them is named for what it is.
    return base.length() < rule.length() && (base.equals("defaults") || base.equals("cronjobs"))
        ? ""
        : base;
  }

  /// The name without what autogen puts before it.
  public static String withoutPrefix(String rule) {
    return rule.startsWith(CRON_JOB)
        ? rule.substring(CRON_JOB.length())
        : rule.startsWith(CONTROLLER) ? rule.substring(CONTROLLER.length()) : rule;
  }

  /// Whether both are, or are derived from, the same rule of a policy.
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

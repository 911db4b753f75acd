package dev.policysync.cli;

/// The options of single commands, beside the settings: what they ask for is no property of an
/// installation, so the environment does not have them.
public enum CommandOption {
  EXIT_CODE("--exit-code", "", "in a dry run: exit with 4 if changes are pending"),
  ALL("--all", "", "also policies that are not ours, but none that another object made"),
  STORAGE("--storage", "", "how much room the reports take in etcd, instead of findings"),
  PODS("--pods", "N", "with --storage: estimate for that many Pods"),
  POLICIES("--policies", "N", "with --pods: and that many policies for each"),
  SINCE("--since", "FILE", "show what is new and what is gone since an earlier report (-o json)"),
  OWNER_LABEL(
      "--owner-label",
      "KEY",
      "show whose findings are: the value of that label of their namespace"),
  FAIL_ON("--fail-on", "SEVERITY", "exit with 1 from here on: error (the default) or warning"),
  KYVERNO_VERSION(
      "--kyverno-version", "VERSION", "find only what concerns this release, such as 1.18.2"),
  FROM_INSIGHTS(
      "--from-insights", "", "judge what the API expects; the settings are those of sync");

  private final String flag;
  private final String argument;
  private final String meaning;

  CommandOption(String flag, String argument, String meaning) {
    this.flag = flag;
    this.argument = argument;
    this.meaning = meaning;
  }

  public String flag() {
    return flag;
  }

  /// What its argument is called; empty where it stands alone.
  String argument() {
    return argument;
  }

  String meaning() {
    return meaning;
  }
}

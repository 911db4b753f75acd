package dev.policysync.cli;

/// The options of single commands. They are not settings: they belong to one call and not to an
/// installation, so no environment variable sets them.
public enum CommandOption {
  EXIT_CODE("--exit-code", "", "exit with code 4 if changes are pending (dry run only)"),
  FULL("--full", "", "show the manifests of new policies, too (with -o diff)"),
  ALL(
      "--all",
      "",
      "include policies not managed by policy-sync, except those generated from another object"),
  UPLOAD("--upload", "", "upload the findings to the API, also at a terminal"),
  STORAGE("--storage", "", "show how much etcd storage the reports use, instead of findings"),
  PODS("--pods", "N", "estimate the storage for this number of Pods (with --storage)"),
  POLICIES("--policies", "N", "number of policies per Pod in the estimate (with --pods)"),
  SINCE("--since", "FILE", "show new and fixed findings since an earlier report (-o json)"),
  OWNER_LABEL("--owner-label", "KEY", "show the owner: the value of this label of the namespace"),
  FAIL_ON(
      "--fail-on",
      "SEVERITY",
      "lowest severity that results in exit code 1: error (the default) or warning"),
  KYVERNO_VERSION(
      "--kyverno-version",
      "VERSION",
      "report only findings that concern this release of Kyverno, e.g. 1.18.2"),
  EXCLUDE(
      "--exclude",
      "GLOBS",
      "do not lint these files or directories, comma-separated, e.g. templates,*.tmpl.yaml"),
  FROM_INSIGHTS(
      "--from-insights", "", "lint the policies that the API expects, with the settings of sync"),
  VERIFY(
      "--verify", "", "have Kyverno's command line compare both forms, and withhold what differs"),
  RESOURCES(
      "--resources",
      "FILE|DIR",
      "compare these resources too, beside generated ones (with --verify)"),
  KYVERNO(
      "--kyverno",
      "PROGRAM",
      "Kyverno's command line 1.19 (with --verify; default: kyverno on the PATH)");

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

  /// The name of the argument in the help; empty if the option takes none.
  String argument() {
    return argument;
  }

  String meaning() {
    return meaning;
  }
}

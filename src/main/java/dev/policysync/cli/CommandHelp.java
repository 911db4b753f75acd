package dev.policysync.cli;

import java.util.List;
import java.util.Optional;

/// The help text of a command, without its flags.
///
/// @param details the lines of the description, after the short description
/// @param examples a comment and a command line each
record CommandHelp(List<String> details, List<Example> examples) {
  record Example(String comment, String line) {}

  /// The examples in the help of the program itself.
  static final List<Example> OVERVIEW =
      List.of(
          new Example("Preview the changes in the current kubeconfig context", "policy-sync diff"),
          new Example(
              "Preview policy files in CI: exit code 4 if changes are pending",
              "policy-sync diff --from policies/ --exit-code"),
          new Example("Check policy files without a cluster", "policy-sync lint policies/"),
          new Example(
              "Save the findings of the policy reports as an HTML page",
              "policy-sync report -o html > findings.html"),
          new Example(
              "Run the scheduled job now",
              "kubectl create job --from=cronjob/kyverno-policy-sync now"));

  /// The help of `policy-sync completion`.
  static final CommandHelp COMPLETION =
      new CommandHelp(
          List.of(),
          List.of(
              new Example("bash, in ~/.bashrc", "source <(policy-sync completion bash)"),
              new Example("zsh, in ~/.zshrc", "source <(policy-sync completion zsh)")));

  /// Returns the help of a command; an empty `command` stands for the program.
  static CommandHelp of(Optional<Command> command) {
    return command
        .map(CommandHelp::of)
        .orElseGet(() ->
            new CommandHelp(
                List.of(
                    "policy-sync keeps a cluster's Kyverno policies in sync with a remote API."),
                OVERVIEW));
  }

  private static CommandHelp of(Command command) {
    return switch (command) {
      case SYNC ->
          new CommandHelp(
              List.of(
                  "Only policies managed by policy-sync are changed or removed. Guards withhold"
                      + " mass removals",
                  "and, if configured, enforcement changes; exit code 3 reports that.",
                  "",
                  "All runs in a cluster share one Lease. With a kubeconfig it is that of the"
                      + " agent's CronJob, in a",
                  "cluster without an agent that of insights-agent or of the context's namespace."
                      + " If the agent's",
                  "namespace cannot be told, a run that writes is refused (exit code 2): add -n."),
              List.of(
                  new Example("Sync with the API", "policy-sync sync"),
                  new Example(
                      "Send every write as a server-side dry run, print one line of JSON",
                      "policy-sync sync --dry-run -o json"),
                  new Example(
                      "Sync from files instead of the API", "policy-sync sync --from policies/")));
      case DIFF ->
          new CommandHelp(
              List.of(
                  "The API server and its admission webhooks validate each write as a dry run. The"
                      + " same as",
                  "sync --dry-run -o diff."),
              List.of(
                  new Example(
                      "Preview the changes in the current kubeconfig context", "policy-sync diff"),
                  new Example(
                      "Preview policy files in CI: exit code 4 if changes are pending",
                      "policy-sync diff --from policies/ --exit-code")));
      case STATUS ->
          new CommandHelp(
              List.of(
                  "Shows the last run, the Lease, what is pending, withheld, ignored or not in"
                      + " force, approvals,",
                  "and exceptions that expire soon. Exit code 0 if all is well, 1 if something is"
                      + " not."),
              List.of(
                  new Example("Show the status of the current context", "policy-sync status"),
                  new Example("Print it as JSON", "policy-sync status -o json")));
      case REPORT ->
          new CommandHelp(
              List.of(
                  "Reads PolicyReports, ClusterPolicyReports, Reports and ClusterReports and counts"
                      + " each result",
                  "once: Pods with their controller, and only the newest result per rule and"
                      + " resource. Results",
                  "of fail, error and warn are findings.",
                  "",
                  "In a pod the report is uploaded to the API. Elsewhere it prints totals, the worst",
                  "policies and the worst namespaces; --upload uploads there, too.",
                  "",
                  "Output formats:",
                  "  text  totals, the ten worst policies, the ten worst namespaces",
                  "  json  one document with totals and all findings",
                  "  csv   one row per finding; cells that look like a formula start with an"
                      + " apostrophe",
                  "  html  a self-contained page to search, filter and print"),
              List.of(
                  new Example("Show the worst findings", "policy-sync report"),
                  new Example(
                      "Save all findings as a page for a browser",
                      "policy-sync report -o html > findings.html"),
                  new Example(
                      "List the critical findings",
                      "policy-sync report -o json | jq '.findings[] | select(.severity =="
                          + " \"critical\")'"),
                  new Example(
                      "Show how much etcd storage the reports use", "policy-sync report --storage"),
                  new Example(
                      "Estimate the storage for another cluster",
                      "policy-sync report --storage --pods 5000 --policies 20")));
      case LINT ->
          new CommandHelp(
              List.of(
                  "Reads policies from files, directories or standard input (-) and reports what"
                      + " Kyverno",
                  "rejects and what is known to cause outages, with a fix for each finding."),
              List.of(
                  new Example("Lint policy files", "policy-sync lint policies/"),
                  new Example(
                      "Fail CI on warnings too, for one release of Kyverno",
                      "policy-sync lint policies/ --fail-on=warning --kyverno-version=1.18.2"),
                  new Example(
                      "Write SARIF for a code host",
                      "policy-sync lint policies/ -o sarif > lint.sarif"),
                  new Example(
                      "Lint the policies that the API expects",
                      "policy-sync lint --from-insights")));
      case CONVERT ->
          new CommandHelp(
              List.of(
                  "Needs no cluster. Prints a ValidatingPolicy for each rule that has one with the"
                      + " same verdicts,",
                  "and on stderr what was refused and why. A policy is converted whole or not at"
                      + " all.",
                  "",
                  "With --verify Kyverno's command line evaluates both forms on resources made of"
                      + " each policy. A",
                  "policy of which a verdict differs is not printed; the resource is, on stderr.",
                  "",
                  "Exit code: 0 all converted, 1 some refused or different, 2 invalid input."),
              List.of(
                  new Example(
                      "Convert a directory", "policy-sync convert policies/ > converted.yaml"),
                  new Example(
                      "Compare both forms, also on resources of yours",
                      "policy-sync convert policies/ --verify --resources=manifests/ >"
                          + " converted.yaml"),
                  new Example(
                      "For scripts: what became of each policy", "policy-sync convert - -o json")));
      case CHECK ->
          new CommandHelp(
              List.of(
                  "Checks settings, permissions, the API, the API server, Kyverno and the Lease,"
                      + " and prints a",
                  "fix for each failure. Nothing is written."),
              List.of(
                  new Example("Check the current kubeconfig context", "policy-sync check"),
                  new Example(
                      "Check what the agent's ServiceAccount may do",
                      "policy-sync check -n insights-agent"
                          + " --as=system:serviceaccount:insights-agent:kyverno-policy-sync"),
                  new Example("Print the results as JSON", "policy-sync check -o json")));
      case EXPORT ->
          new CommandHelp(
              List.of(
                  "The manifests contain no status and no server-set metadata, so that kubectl can"
                      + " apply them",
                  "again. Nothing is printed unless every policy could be read."),
              List.of(
                  new Example("Back up the managed policies", "policy-sync export > backup.yaml"),
                  new Example(
                      "Include policies that are not managed by policy-sync",
                      "policy-sync export --all > all.yaml")));
    };
  }
}

package dev.policysync.cli;

import java.util.List;

/// What `report --help` teaches beside its options.
final class ReportHelp {
  static final List<String> LINES =
      List.of(
          "It reads PolicyReports, ClusterPolicyReports, Reports and ClusterReports, whichever there are,",
          "and counts each thing once: Pods with their controller, the newest result of a rule and",
          "resource only. A finding is a result of fail, error or warn.",
          "",
          "Without -o it sends the report to the API; in a dry run, and at a terminal where nothing of",
          "the API is set, it shows totals, the worst policies and the worst namespaces instead.",
          "",
          "Formats:",
          "  text  totals, the ten worst policies, the ten worst namespaces",
          "  json  one document with totals and all findings",
          "  csv   a finding a row; what looks like a formula begins with an apostrophe",
          "  html  one page for a browser, to search, filter and print; it needs no network",
          "",
          "Examples:",
          "  policy-sync report --dry-run                     the worst, at a glance",
          "  policy-sync report -o html > findings.html       all of it, for a browser",
          "  policy-sync report -o json | jq '.findings[] | select(.severity == \"critical\")'",
          "  policy-sync report -o json > today.json          to compare the next one with",
          "  policy-sync report --since yesterday.json -o html > findings.html    and what is new",
          "  policy-sync report --storage                     how much etcd the reports take",
          "  policy-sync report --storage --pods 5000 --policies 20    and would take in another cluster");

  private ReportHelp() {}
}

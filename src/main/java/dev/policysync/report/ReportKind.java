package dev.policysync.report;

import java.util.List;

/// The kinds of objects that hold results. Kyverno's ephemeral reports, its own scratch paper, are
/// none of them.
public enum ReportKind {
  POLICY_REPORT("wgpolicyk8s.io", "PolicyReport", "policyreports"),
  CLUSTER_POLICY_REPORT("wgpolicyk8s.io", "ClusterPolicyReport", "clusterpolicyreports"),
  REPORT("openreports.io", "Report", "reports"),
  CLUSTER_REPORT("openreports.io", "ClusterReport", "clusterreports");

  /// Versions whose form is known, best first; of a kind that is served in none of them, what it is
  /// served in is read, for the form has not changed since the first.
  @SuppressWarnings("ImmutableEnumChecker") // List.of never changes, though its type hides that
  private static final List<String> VERSIONS =
      List.of("v1", "v1beta2", "v1beta1", "v1alpha2", "v1alpha1");

  private final String group;
  private final String kind;
  private final String plural;

  ReportKind(String group, String kind, String plural) {
    this.group = group;
    this.kind = kind;
    this.plural = plural;
  }

  /// API group: `wgpolicyk8s.io`.
  public String group() {
    return group;
  }

  /// Kind: `PolicyReport`.
  public String kind() {
    return kind;
  }

  /// Resource name in URLs: `policyreports`.
  public String plural() {
    return plural;
  }

  /// Kind and group: `PolicyReport.wgpolicyk8s.io`.
  public String qualified() {
    return kind + "." + group;
  }

  /// Versions to read it in, best first.
  public List<String> versions() {
    return VERSIONS;
  }

  /// Whether it is of the group that Kyverno moves to.
  public boolean open() {
    return this == REPORT || this == CLUSTER_REPORT;
  }

  /// Whether its objects live in no namespace.
  public boolean ofCluster() {
    return this == CLUSTER_POLICY_REPORT || this == CLUSTER_REPORT;
  }

  @Override
  public String toString() {
    return kind;
  }
}

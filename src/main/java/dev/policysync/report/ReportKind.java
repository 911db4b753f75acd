package dev.policysync.report;

import java.util.List;

/// The kinds of policy reports, without Kyverno's internal ephemeral reports.
public enum ReportKind {
  POLICY_REPORT("wgpolicyk8s.io", "PolicyReport", "policyreports"),
  CLUSTER_POLICY_REPORT("wgpolicyk8s.io", "ClusterPolicyReport", "clusterpolicyreports"),
  REPORT("openreports.io", "Report", "reports"),
  CLUSTER_REPORT("openreports.io", "ClusterReport", "clusterreports");

  /// Versions with a known schema, the best first. A kind that is served in none of them is read in
  /// its served version, because the schema has not changed since the first version.
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

  public String group() {
    return group;
  }

  public String kind() {
    return kind;
  }

  /// Returns the resource name in URLs: `policyreports`.
  public String plural() {
    return plural;
  }

  /// Returns kind and group: `PolicyReport.wgpolicyk8s.io`.
  public String qualified() {
    return kind + "." + group;
  }

  public List<String> versions() {
    return VERSIONS;
  }

  /// Returns whether the kind belongs to openreports.io, the group that Kyverno is moving to.
  public boolean isOpenReports() {
    return this == REPORT || this == CLUSTER_REPORT;
  }

  /// Returns whether the kind is cluster-scoped.
  public boolean isClusterScoped() {
    return this == CLUSTER_POLICY_REPORT || this == CLUSTER_REPORT;
  }

  @Override
  public String toString() {
    return kind;
  }
}

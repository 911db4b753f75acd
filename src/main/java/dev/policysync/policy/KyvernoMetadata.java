package dev.policysync.policy;

import java.util.List;

/// The annotations and labels of a policy that change what Kyverno does, by which they are as much
/// the policy's content as its spec. All others are left to whoever sets them.
///
/// Source: Kyverno 1.19.0, `api/kyverno/constants.go` and where those names are read on policies
/// and exceptions.
public final class KyvernoMetadata {
  /// - `autogen-controllers`: for which controllers of Pods there are rules, `none` for Pods alone
  ///   (`pkg/autogen`);
  /// - `scored`: `false` makes failures in reports warnings; `severity`, `category`: what reports
  ///   and their readers go by (`pkg/utils/report/results.go`);
  /// - `propagation-policy`: how the object of a `ttl` is deleted (`pkg/controllers/ttl`).
  public static final List<String> ANNOTATIONS =
      List.of(
          "pod-policies.kyverno.io/autogen-controllers",
          "policies.kyverno.io/scored",
          "policies.kyverno.io/severity",
          "policies.kyverno.io/category",
          "cleanup.kyverno.io/propagation-policy");

  /// - `ttl`: when Kyverno deletes the object (`pkg/controllers/ttl`);
  /// - `disabled`, `enabled`: whether there are reports of an admission policy
  ///   (`pkg/controllers/report/utils`, `pkg/admissionpolicy`);
  /// - `priority`: which of several exceptions counts (`pkg/cel/policies`).
  public static final List<String> LABELS =
      List.of(
          "cleanup.kyverno.io/ttl",
          "reports.kyverno.io/disabled",
          "reports.kyverno.io/enabled",
          "polex.kyverno.io/priority");

  private KyvernoMetadata() {}
}

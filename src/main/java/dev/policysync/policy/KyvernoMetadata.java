package dev.policysync.policy;

import java.util.List;

/// The annotations and labels of a policy that change what Kyverno does. They are part of the
/// policy's content, like its spec. All other annotations and labels belong to the clients that set
/// them.
///
/// Source: Kyverno 1.19.0, `api/kyverno/constants.go` and the code that reads these names on
/// policies and exceptions.
public final class KyvernoMetadata {
  /// The annotations that Kyverno reads:
  ///
  /// - `autogen-controllers`: the Pod controllers for which rules are generated, `none` for Pods
  ///   alone (`pkg/autogen`);
  /// - `scored`: `false` turns failures in reports into warnings; `severity`, `category`: used by
  ///   reports and their readers (`pkg/utils/report/results.go`);
  /// - `propagation-policy`: how an object with a `ttl` is deleted (`pkg/controllers/ttl`).
  public static final List<String> ANNOTATIONS =
      List.of(
          "pod-policies.kyverno.io/autogen-controllers",
          "policies.kyverno.io/scored",
          "policies.kyverno.io/severity",
          "policies.kyverno.io/category",
          "cleanup.kyverno.io/propagation-policy");

  /// The labels that Kyverno reads:
  ///
  /// - `ttl`: when Kyverno deletes the object (`pkg/controllers/ttl`);
  /// - `disabled`, `enabled`: whether reports are written for an admission policy
  ///   (`pkg/controllers/report/utils`, `pkg/admissionpolicy`);
  /// - `priority`: which of several exceptions takes effect (`pkg/cel/policies`).
  public static final List<String> LABELS =
      List.of(
          "cleanup.kyverno.io/ttl",
          "reports.kyverno.io/disabled",
          "reports.kyverno.io/enabled",
          "polex.kyverno.io/priority");

  private KyvernoMetadata() {}
}

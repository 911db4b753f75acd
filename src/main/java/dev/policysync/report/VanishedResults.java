package dev.policysync.report;

import dev.policysync.policy.PolicyId;
import dev.policysync.policy.kyverno.KyvernoVersion;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// Detects results that disappeared because their producer did, and not because a violation was
/// fixed. Kyverno 1.20 will not execute the policies of kyverno.io (kyverno/kyverno#17701), and
/// reports-server leaves empty CRDs behind when it is uninstalled.
///
/// @param kyvernoVersion the installed release: `v1.20.0`; empty if unknown
/// @param installed whether Kyverno is installed, or may be
/// @param judging policies of kyverno.io that Kyverno up to 1.19 evaluates in background scans
/// @param successors policies of policies.kyverno.io that validate resources or verify images
/// @param reported policies with a result in any report
/// @param legacyResults whether any report has a result of a policy of kyverno.io
/// @param reports the number of reports
record VanishedResults(
    Optional<KyvernoVersion> kyvernoVersion,
    boolean installed,
    Collection<PolicyId> judging,
    Collection<PolicyId> successors,
    Set<PolicyId> reported,
    boolean legacyResults,
    long reports) {
  /// The maximum number of policies that a message names; the rest is a count.
  private static final int NAMED = 5;

  private static final String GRANT =
      "let the agent read Kyverno's Deployment (chart: rbac.kyvernoNamespace)";

  /// Returns why the report must not be uploaded; empty if it may be uploaded.
  Optional<String> objection() {
    var silent = judging.stream().filter(id -> !reported.contains(id)).sorted().toList();
    if (kyvernoVersion.isPresent()) {
      return kyvernoVersion
          .filter(version -> !version.executesLegacyKinds() && !silent.isEmpty())
          .map(version ->
              "no report contains a result of "
                  + named(silent)
                  + ", because Kyverno "
                  + version
                  + " does not execute the policies of kyverno.io; without their results their"
                  + " findings would read as fixed, so nothing was sent: remove these policies, or"
                  + " replace them with policies of policies.kyverno.io");
    }
    if (!silent.isEmpty() && !legacyResults && (installed || reports > 0)) {
      return Optional.of(
          "no report contains a result of "
              + named(silent)
              + ", and Kyverno's version is unknown: 1.20 and later do not execute the policies of"
              + " kyverno.io; without their results their findings would read as fixed, so nothing"
              + " was sent: "
              + GRANT);
    }
    return installed && reports == 0 && hasPolicies()
        ? Optional.of(
            "the cluster has policies and no policy report, and Kyverno's version is unknown; all"
                + " findings would read as fixed, so nothing was sent: "
                + GRANT)
        : Optional.empty();
  }

  /// Returns what a person should check although the report may be uploaded.
  List<String> warnings() {
    var warnings = new ArrayList<String>();
    if (!hasPolicies()) {
      return warnings;
    }
    if (kyvernoVersion.isEmpty()) {
      warnings.add(
          "Kyverno's version is unknown, so findings of policies of kyverno.io, which Kyverno 1.20"
              + " and later do not execute, may read as fixed; "
              + GRANT);
    }
    if (reports == 0) {
      warnings.add(
          "the cluster has policies with background scans (%d) and no policy report, so earlier"
                  .formatted(judging.size() + successors.size())
              + " findings read as fixed; check Kyverno's reports controller and, where it is used,"
              + " reports-server");
    }
    return warnings;
  }

  private boolean hasPolicies() {
    return !judging.isEmpty() || !successors.isEmpty();
  }

  private static String named(List<PolicyId> silent) {
    var names =
        silent.stream().limit(NAMED).map(PolicyId::toString).collect(Collectors.joining(", "));
    return silent.size() > NAMED ? names + " and " + (silent.size() - NAMED) + " more" : names;
  }
}

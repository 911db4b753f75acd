package dev.policysync.report;

import dev.policysync.kyverno.KyvernoVersion;
import dev.policysync.policy.PolicyId;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// Results that are gone because nobody produces them any more. Kyverno 1.20 is to execute none of
/// kyverno.io's policies (kyverno/kyverno#17701); their findings would read as fixed.
final class VanishedResults {
  /// As many are named; the rest are a number.
  private static final int NAMED = 5;

  private VanishedResults() {}

  /// Why a report must not be sent; empty where it may.
  ///
  /// @param kyvernoVersion the installed release: `v1.20.0`
  /// @param judging policies of kyverno.io that Kyverno up to 1.19 judges what is there by
  /// @param reported policies that reports have a result of
  static Optional<String> objection(
      Optional<String> kyvernoVersion, Collection<PolicyId> judging, Set<PolicyId> reported) {
    var silent = judging.stream().filter(id -> !reported.contains(id)).sorted().toList();
    return kyvernoVersion
        .flatMap(KyvernoVersion::parse)
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

  private static String named(List<PolicyId> silent) {
    var names =
        silent.stream().limit(NAMED).map(PolicyId::toString).collect(Collectors.joining(", "));
    return silent.size() > NAMED ? names + " and " + (silent.size() - NAMED) + " more" : names;
  }
}

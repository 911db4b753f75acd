package dev.policysync.view;

import dev.policysync.report.finding.ReportedPolicy;
import dev.policysync.report.finding.Totals;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Numbers for policies, so that each is written once and not with each of its findings.
final class PolicyIndex {
  private final Map<Key, Integer> numbers = new HashMap<>();
  private final Map<String, Integer> bearers = new HashMap<>();
  private final List<ReportedPolicy> policies = new ArrayList<>();

  private record Key(String source, String name) {}

  PolicyIndex(Totals totals) {
    totals.policies().forEach(of -> number(of.policy()));
  }

  /// The number of that policy; a new one for one that has none yet.
  int number(ReportedPolicy policy) {
    return numbers.computeIfAbsent(
        new Key(policy.source(), policy.name()),
        _ -> {
          policies.add(policy);
          bearers.merge(policy.name(), 1, Integer::sum);
          return policies.size() - 1;
        });
  }

  /// By their numbers.
  List<ReportedPolicy> policies() {
    return policies;
  }

  /// What tells that policy from the others: its name, with the source where two share the name.
  String label(ReportedPolicy policy) {
    return bearers.getOrDefault(policy.name(), 0) > 1
        ? policy.name() + " (" + policy.source() + ")"
        : policy.name();
  }
}

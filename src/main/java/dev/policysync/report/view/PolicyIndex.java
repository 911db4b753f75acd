package dev.policysync.report.view;

import dev.policysync.report.ReportedPolicy;
import dev.policysync.report.Totals;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Assigns numbers to policies, so that a policy is written once and not with each of its findings,
/// and labels that distinguish policies.
public final class PolicyIndex {
  private final Map<Key, Integer> numbers = new HashMap<>();
  private final Map<String, Integer> bearers = new HashMap<>();
  private final Map<String, Integer> bearersOfKind = new HashMap<>();
  private final List<ReportedPolicy> policies = new ArrayList<>();

  private record Key(String source, String name) {}

  public PolicyIndex(Totals totals) {
    totals.policies().forEach(of -> number(of.policy()));
  }

  /// Returns the policy's number; a new policy gets the next number.
  int number(ReportedPolicy policy) {
    return numbers.computeIfAbsent(
        new Key(policy.source(), policy.name()),
        _ -> {
          policies.add(policy);
          bearers.merge(policy.name(), 1, Integer::sum);
          bearersOfKind.merge(withKind(policy), 1, Integer::sum);
          return policies.size() - 1;
        });
  }

  List<ReportedPolicy> policies() {
    return policies;
  }

  /// Returns a unique label for the policy: its name, which includes the namespace of a namespaced
  /// policy. The kind is added if policies share the name, and the source if they share the kind,
  /// too.
  public String label(ReportedPolicy policy) {
    if (bearers.getOrDefault(policy.name(), 0) <= 1) {
      return policy.name();
    }
    return policy.id().isPresent() && bearersOfKind.getOrDefault(withKind(policy), 0) <= 1
        ? withKind(policy)
        : withSource(policy.source(), policy.name());
  }

  /// Returns the label of a policy in an earlier report; the policy may be gone.
  String label(String source, String name) {
    var number = numbers.get(new Key(source, name));
    if (number != null) {
      return label(policies.get(number));
    }
    return bearers.containsKey(name) ? withSource(source, name) : name;
  }

  private static String withSource(String source, String name) {
    return name + " (" + (source.isEmpty() ? "no source" : source) + ")";
  }

  private static String withKind(ReportedPolicy policy) {
    return policy.name() + policy.id().map(id -> " (" + id.kind().label() + ")").orElse("");
  }
}

package dev.policysync.report;

import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/// The verdicts of a policy and its successors on one resource, by rule.
final class ResourceVerdicts {
  private final Map<String, Pair> rules = new TreeMap<>();

  /// Rules with a result of the policy from before its last change; `current` has the rules with a
  /// newer one.
  private final Set<String> outdated = new HashSet<>();

  private final Set<String> current = new HashSet<>();

  private record Pair(Verdict policy, Verdict successor) {
    Pair and(Pair other) {
      return new Pair(policy.and(other.policy), successor.and(other.successor));
    }

    /// Returns whether the policy has a verdict and its successor has none.
    boolean isIncomplete() {
      return policy != Verdict.NONE && successor == Verdict.NONE;
    }

    /// Returns whether the verdicts differ. If the policy has none, its successor may pass the
    /// resource but not fail it.
    boolean differs() {
      return policy == Verdict.NONE
          ? successor == Verdict.FAIL
          : successor != Verdict.NONE && successor != policy;
    }

    @Override
    public String toString() {
      return policy + ", its successor: " + successor;
    }
  }

  void policySays(String rule, Verdict verdict) {
    current.add(rule);
    rules.merge(rule, new Pair(verdict, Verdict.NONE), Pair::and);
  }

  void successorSays(String rule, Verdict verdict) {
    rules.merge(rule, new Pair(Verdict.NONE, verdict), Pair::and);
  }

  /// Records that the policy has a result for this rule from before its last change. Without a
  /// newer result, the policy's current verdict on the rule is unknown.
  void policyIsOutdated(String rule) {
    outdated.add(rule);
  }

  /// Returns whether the policy passes or fails the resource.
  boolean judged() {
    return rules.values().stream().anyMatch(pair -> pair.policy() != Verdict.NONE);
  }

  /// Returns whether a required result is missing.
  boolean missing() {
    return !current.containsAll(outdated)
        || rules.values().stream().anyMatch(pair -> pair.isIncomplete() || isUnsure(pair));
  }

  /// Returns the rules with different verdicts: `Deployment/shop/cart (rule team: fail, its
  /// successor: pass)`; empty if there are none.
  Optional<String> difference(Resource resource) {
    return rules.entrySet().stream()
        .filter(rule -> rule.getValue().differs() && !isUnsure(rule.getValue()))
        .map(rule -> "rule " + rule.getKey() + ": " + rule.getValue())
        .reduce((one, other) -> one + "; " + other)
        .map(differences -> resource.label() + " (" + differences + ")");
  }

  private boolean isUnsure(Pair pair) {
    return !outdated.isEmpty() && pair.policy() == Verdict.NONE && pair.successor() == Verdict.FAIL;
  }
}

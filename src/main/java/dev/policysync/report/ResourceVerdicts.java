package dev.policysync.report;

import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/// What a policy and its successors say of one resource, rule by rule.
final class ResourceVerdicts {
  private final Map<String, Pair> rules = new TreeMap<>();

  /// Rules of which the policy's results are from before its last change, and from after.
  private final Set<String> outdated = new HashSet<>();

  private final Set<String> current = new HashSet<>();

  private record Pair(Verdict policy, Verdict successor) {
    Pair and(Pair other) {
      return new Pair(policy.and(other.policy), successor.and(other.successor));
    }

    /// What the policy judges, its successor is to judge, too.
    boolean isIncomplete() {
      return policy != Verdict.NONE && successor == Verdict.NONE;
    }

    /// Of what the policy does not judge, a successor may say that all is well, but no more.
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

  /// Notes a result of the policy from before its last change: what it says now is not known of a
  /// rule that has no newer one.
  void policyIsOutdated(String rule) {
    outdated.add(rule);
  }

  /// Whether the policy passes or fails it.
  boolean judged() {
    return rules.values().stream().anyMatch(pair -> pair.policy() != Verdict.NONE);
  }

  /// Whether a result that is needed is not there.
  boolean missing() {
    return !current.containsAll(outdated)
        || rules.values().stream().anyMatch(pair -> pair.isIncomplete() || isUnsure(pair));
  }

  /// `Deployment/shop/cart (rule team: fail, its successor: pass)`, if a rule differs.
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

package dev.policysync.sync.execution;

import dev.policysync.policy.PolicyId;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.SequencedSet;
import java.util.stream.Collectors;

/// Remarks on policies, a line for each text however many policies it is said of: `ClusterPolicy/a,
/// ClusterPolicy/b and 31 more: kyverno.io/v1 ClusterPolicy is deprecated`.
///
/// A feed of a deprecated kind gets one warning from the API server for each of its policies, and
/// an agent that is pointed at the wrong cluster finds nothing but policies of another one.
public final class WarningGroups {
  /// Enough to find out what they have in common.
  private static final int NAMED = 2;

  private final String ofOne;
  private final String ofSeveral;
  private final Map<String, SequencedSet<PolicyId>> policies = new LinkedHashMap<>();

  /// @param ofOne what stands between a policy and the text: `: `, or ` stays: `
  /// @param ofSeveral the same behind more than one: `: `, or ` stay: `
  public WarningGroups(String ofOne, String ofSeveral) {
    this.ofOne = ofOne;
    this.ofSeveral = ofSeveral;
  }

  public void add(PolicyId policy, String text) {
    policies.computeIfAbsent(text, _ -> new LinkedHashSet<>()).add(policy);
  }

  /// The lines, in the order in which their texts came up.
  public List<String> lines() {
    return policies.entrySet().stream()
        .map(remark -> line(remark.getValue(), remark.getKey()))
        .toList();
  }

  private String line(SequencedSet<PolicyId> of, String text) {
    var first = of.stream().limit(NAMED).map(PolicyId::toString).collect(Collectors.joining(", "));
    var more = of.size() > NAMED ? " and " + (of.size() - NAMED) + " more" : "";
    return first + more + (of.size() == 1 ? ofOne : ofSeveral) + text;
  }
}

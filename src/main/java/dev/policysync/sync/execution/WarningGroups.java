package dev.policysync.sync.execution;

import dev.policysync.policy.PolicyId;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.SequencedSet;
import java.util.stream.Collectors;

/// Groups warnings about policies, one line for each text even if many policies have it:
/// `ClusterPolicy/a, ClusterPolicy/b and 31 more: kyverno.io/v1 ClusterPolicy is deprecated`.
///
/// For a feed of a deprecated kind, the API server sends one warning per policy, and an agent that
/// is connected to the wrong cluster finds only policies of another source.
public final class WarningGroups {
  /// How many policies a line names: enough to show what they have in common.
  private static final int NAMED = 2;

  private final String ofOne;
  private final String ofSeveral;
  private final Map<String, SequencedSet<PolicyId>> policies = new LinkedHashMap<>();

  /// @param ofOne the text between one policy and the warning: `: `, or ` stays: `
  /// @param ofSeveral the text between several policies and the warning: `: `, or ` stay: `
  public WarningGroups(String ofOne, String ofSeveral) {
    this.ofOne = ofOne;
    this.ofSeveral = ofSeveral;
  }

  public void add(PolicyId policy, String text) {
    policies.computeIfAbsent(text, _ -> new LinkedHashSet<>()).add(policy);
  }

  /// Returns the lines, in the order in which their texts were first added.
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

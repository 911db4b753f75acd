package dev.policysync.policy;

import java.time.Instant;
import java.util.List;

/// A policy in the cluster, and beside it the successors of some of its rules, whose verdicts are
/// compared with the policy's. Results of its other rules are ignored.
///
/// @param since when the content of the policy changed last, by the API server's clock; older
///   results do not count. Times are compared by the second, the precision of reports
public record Rehearsal(PolicyId policy, Instant since, List<Successor> successors) {
  public Rehearsal {
    successors = List.copyOf(successors);
  }

  /// A policy that takes the place of one rule, alone or together with other successors.
  ///
  /// @param rule the name of the rule in the legacy policy
  public record Successor(PolicyId policy, Instant since, String rule) {}

  /// A comparison of the verdicts on one policy's rules.
  ///
  /// @param judged how many resources the policy passes or fails
  /// @param missing resources on which a required result is missing, or is from before a change of
  ///   the policy or of a successor
  /// @param differing resources with different verdicts, with the rules that differ and the
  ///   verdicts (`fail`, `pass` or `no result`): `Deployment/shop/cart (rule team: fail, its
  ///   successor: pass; rule owner: no result, its successor: fail)`
  public record Comparison(long judged, Found missing, Found differing) {
    /// Returns whether nothing is missing and nothing differs, as no resource was judged.
    public boolean isEmpty() {
      return judged == 0 && missing.resources == 0 && differing.resources == 0;
    }
  }

  /// A number of resources.
  ///
  /// @param names the first resources in alphabetical order
  public record Found(long resources, List<String> names) {
    public static final Found NONE = new Found(0, List.of());

    public Found {
      names = List.copyOf(names);
    }
  }
}

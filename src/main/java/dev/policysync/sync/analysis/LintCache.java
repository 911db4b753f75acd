package dev.policysync.sync.analysis;

import dev.policysync.plan.Action;
import dev.policysync.plan.Guard;
import dev.policysync.plan.Plan;
import dev.policysync.plan.Plan.Withheld;
import dev.policysync.policy.Digest;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.feed.ExpectedPolicies;
import dev.policysync.sync.analysis.PolicyLinter.PolicyHazard;
import dev.policysync.sync.analysis.PolicyLinter.Weight;
import dev.policysync.sync.execution.WarningGroups;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Runs lint on the policies that a plan writes and keeps the findings, because the plan is made
/// again under the Lease.
public final class LintCache {
  private final PolicyLinter policyLinter;
  private final Map<PolicyId, List<PolicyHazard>> known = new HashMap<>();
  private @Nullable Digest judged;

  public LintCache(PolicyLinter policyLinter) {
    this.policyLinter = policyLinter;
  }

  /// Returns the findings about policies that are new or have changed. A repaired policy is not
  /// checked, because it is in force already.
  ///
  /// @param feed the digest of the expected policies; another feed clears the cache
  public List<PolicyHazard> of(Digest feed, ExpectedPolicies expectedPolicies, Plan plan) {
    if (!feed.equals(judged)) {
      known.clear();
      judged = feed;
    }
    var written = written(plan);
    var unknown = new LinkedHashSet<>(written);
    unknown.removeAll(known.keySet());
    if (!unknown.isEmpty()) {
      unknown.forEach(id -> known.put(id, new ArrayList<>()));
      policyLinter
          .of(expectedPolicies.policies(), unknown)
          .forEach(policyHazard ->
              known
                  .computeIfAbsent(policyHazard.policy(), _ -> new ArrayList<>())
                  .add(policyHazard));
    }
    return written.stream().flatMap(id -> known.getOrDefault(id, List.of()).stream()).toList();
  }

  public static List<Withheld> withheld(List<PolicyHazard> hazards) {
    var reasons = new TreeMap<PolicyId, String>();
    for (var policyHazard : hazards) {
      if (policyHazard.weight() == Weight.WITHHOLDS) {
        reasons.merge(
            policyHazard.policy(), policyHazard.text(), (one, other) -> one + "; " + other);
      }
    }
    return reasons.entrySet().stream()
        .map(reason -> new Withheld(reason.getKey(), Guard.HAZARD, reason.getValue()))
        .toList();
  }

  /// Returns one line per finding, even if many policies have it.
  public static List<String> warnings(List<PolicyHazard> hazards) {
    var warningGroups = new WarningGroups(": ", ": ");
    hazards.stream()
        .filter(policyHazard -> policyHazard.weight() == Weight.WARNING)
        .forEach(policyHazard -> warningGroups.add(policyHazard.policy(), policyHazard.text()));
    return warningGroups.lines();
  }

  private static Set<PolicyId> written(Plan plan) {
    var written = new LinkedHashSet<PolicyId>();
    for (var action : plan.actions()) {
      if (action instanceof Action.Write && action.cause() != Action.Cause.DRIFTED) {
        written.add(action.id());
      }
    }
    return written;
  }
}

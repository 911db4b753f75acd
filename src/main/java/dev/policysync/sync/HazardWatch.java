package dev.policysync.sync;

import dev.policysync.plan.Action;
import dev.policysync.plan.Plan;
import dev.policysync.plan.Plan.Guard;
import dev.policysync.plan.Plan.Withheld;
import dev.policysync.policy.Digest;
import dev.policysync.policy.Expected;
import dev.policysync.policy.PolicyId;
import dev.policysync.sync.Hazards.Hazard;
import dev.policysync.sync.Hazards.Weight;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Judges what a plan writes and remembers it, as a plan is made again under the Lease.
final class HazardWatch {
  private final Hazards hazards;
  private final Map<PolicyId, List<Hazard>> known = new HashMap<>();
  private @Nullable Digest judged;

  HazardWatch(Hazards hazards) {
    this.hazards = hazards;
  }

  /// The hazards of policies that are new or have changed. What is only put right is in force
  /// already.
  ///
  /// @param feed the digest of what is expected: another feed is judged anew
  List<Hazard> of(Digest feed, Expected expected, Plan plan) {
    if (!feed.equals(judged)) {
      known.clear();
      judged = feed;
    }
    var written = written(plan);
    var unknown = new LinkedHashSet<>(written);
    unknown.removeAll(known.keySet());
    if (!unknown.isEmpty()) {
      unknown.forEach(id -> known.put(id, new ArrayList<>()));
      hazards
          .of(expected.policies(), unknown)
          .forEach(
              hazard -> known.computeIfAbsent(hazard.policy(), _ -> new ArrayList<>()).add(hazard));
    }
    return written.stream().flatMap(id -> known.getOrDefault(id, List.of()).stream()).toList();
  }

  /// What is not to be written, and why.
  static List<Withheld> withheld(List<Hazard> hazards) {
    var reasons = new TreeMap<PolicyId, String>();
    for (var hazard : hazards) {
      if (hazard.weight() == Weight.WITHHOLDS) {
        reasons.merge(hazard.policy(), hazard.text(), (one, other) -> one + "; " + other);
      }
    }
    return reasons.entrySet().stream()
        .map(reason -> new Withheld(reason.getKey(), Guard.HAZARD, reason.getValue()))
        .toList();
  }

  /// A line for each hazard, however many policies have it.
  static List<String> warnings(List<Hazard> hazards) {
    var remarks = new Remarks(": ", ": ");
    hazards.stream()
        .filter(hazard -> hazard.weight() == Weight.WARNING)
        .forEach(hazard -> remarks.add(hazard.policy(), hazard.text()));
    return remarks.lines();
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

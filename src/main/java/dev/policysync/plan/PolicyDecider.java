package dev.policysync.plan;

import dev.policysync.plan.Plan.Conflict;
import dev.policysync.plan.managedfields.FieldOwnership;
import dev.policysync.policy.OwnershipAnnotations;
import dev.policysync.policy.PolicyId;
import java.util.Optional;
import java.util.Set;

/// Decides what to do about a single policy, given the live object of that name: who owns the
/// object (promise 2), and whether it is in sync (promises 7 and 8). Pure and total.
public final class PolicyDecider {
  private final PlannerOptions plannerOptions;

  public PolicyDecider(PlannerOptions plannerOptions) {
    this.plannerOptions = plannerOptions;
  }

  /// Decides about one policy, given the live object of its name. An object that is not ours counts
  /// as different: it may have changed since it was found identical.
  public PolicyDecision decide(DesiredPolicy desiredPolicy, Optional<LivePolicy> live) {
    return decide(desiredPolicy, live, Set.of());
  }

  /// @param identical policies that an apply would not change; for policies that are not ours,
  ///   apart from our ownership annotations
  PolicyDecision decide(
      DesiredPolicy desiredPolicy, Optional<LivePolicy> found, Set<PolicyId> identical) {
    if (found.isEmpty()) {
      return new PolicyDecision.Act(new Action.Create(desiredPolicy));
    }
    var live = found.get();
    var policyDecision = decideOn(live, desiredPolicy, identical);
    var inSync = policyDecision instanceof PolicyDecision.InSync;
    return Plan.Ignored.of(live, inSync ? Plan.Ignored.Feed.AGREES : Plan.Ignored.Feed.DIFFERS)
        .<PolicyDecision>map(PolicyDecision.Ignore::new)
        .orElse(policyDecision);
  }

  private PolicyDecision decideOn(
      LivePolicy live, DesiredPolicy desiredPolicy, Set<PolicyId> identical) {
    var id = desiredPolicy.id();
    if (live.terminating()) {
      return new PolicyDecision.Reject(
          desiredPolicy.policy(),
          new Failure(
              Failure.Cause.TERMINATING,
              "the object is being deleted and waits for a finalizer; it is applied again after"
                  + " the deletion"));
    }
    // An object that another object owns is never taken over, whatever its annotations say.
    var ownershipVerdict =
        live.controlled()
            ? new OwnershipVerdict.Controlled()
            : OwnershipVerdict.of(live, plannerOptions.source());
    return switch (ownershipVerdict) {
      case OwnershipVerdict.Ours() -> decideOnOurs(desiredPolicy, live, identical);
      case OwnershipVerdict.Unowned() ->
          adopt(
              desiredPolicy,
              live,
              identical,
              "an object of this name exists and is not managed by policy-sync; "
                  + withIdentical());
      case OwnershipVerdict.Copy(var original) ->
          adopt(
              desiredPolicy,
              live,
              identical,
              "the object of this name is a copy of " + original + "; " + withIdentical());
      // The policies of two clusters may be identical, and still each belongs to its own source.
      case OwnershipVerdict.OtherSource(var source) ->
          adopt(
              desiredPolicy,
              live,
              Set.of(),
              "it was applied by another source, " + source + "; set ADOPT=always to take it over");
      case OwnershipVerdict.Controlled() ->
          new PolicyDecision.Clash(
              new Conflict(
                  id, "the object of this name is owned by another object (ownerReferences)"));
    };
  }

  private static PolicyDecision decideOnOurs(
      DesiredPolicy desiredPolicy, LivePolicy live, Set<PolicyId> identical) {
    var ownership = live.ownership();
    var signed = live.annotation(OwnershipAnnotations.APPLIED);
    if (signed.isEmpty() && !ownership.applied()) {
      return new PolicyDecision.Act(
          new Action.Update(desiredPolicy, live.objectVersion(), Action.Cause.ADOPTED));
    }
    if (signed.isPresent() && !signed.get().equals(desiredPolicy.signature())) {
      return new PolicyDecision.Act(
          new Action.Update(desiredPolicy, live.objectVersion(), Action.Cause.CHANGED));
    }
    if (signed.isPresent() && inForce(live, ownership, desiredPolicy)) {
      return new PolicyDecision.InSync(desiredPolicy.id());
    }
    var by = Set.copyOf(ownership.takers(desiredPolicy.manifest()));
    // No manager owns the fields that are missing from our entry, and an apply would not change
    // them.
    if (signed.isPresent() && by.isEmpty() && identical.contains(live.id())) {
      return new PolicyDecision.InSync(desiredPolicy.id());
    }
    return new PolicyDecision.Act(
        new Action.Update(desiredPolicy, live.objectVersion(), Action.Cause.DRIFTED, by));
  }

  private static boolean inForce(
      LivePolicy live, FieldOwnership ownership, DesiredPolicy desiredPolicy) {
    var manifest = desiredPolicy.manifest();
    return live.content().equals(OwnershipAnnotations.content(manifest.mapping("metadata")))
        && ownership.matches(manifest)
        && ownership.intruders().isEmpty();
  }

  private PolicyDecision adopt(
      DesiredPolicy desiredPolicy, LivePolicy live, Set<PolicyId> identical, String reason) {
    var adopted =
        switch (plannerOptions.adoption()) {
          case ALWAYS -> true;
          case IDENTICAL -> identical.contains(live.id());
          case NEVER -> false;
        };
    return adopted
        ? new PolicyDecision.Act(
            new Action.Update(desiredPolicy, live.objectVersion(), Action.Cause.ADOPTED))
        : new PolicyDecision.Clash(new Conflict(desiredPolicy.id(), reason));
  }

  private String withIdentical() {
    return plannerOptions.adoption() == Adoption.IDENTICAL
        ? "it is not known to be identical; set ADOPT=always to take it over"
        : "set ADOPT=always to take it over, or ADOPT=identical if only the policy-sync"
            + " annotations would change";
  }

  /// Returns whether a live policy that is not expected may still be removed.
  public boolean removable(LivePolicy live) {
    return RemovalCandidates.removable(live, plannerOptions.source());
  }
}

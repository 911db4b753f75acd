package dev.policysync.plan;

import dev.policysync.plan.LiveStatus.Readiness;
import dev.policysync.plan.Plan.Conflict;
import dev.policysync.plan.Plan.Ignored;
import dev.policysync.plan.Plan.Waiting;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.Succession;
import dev.policysync.policy.Succession.Stage;
import dev.policysync.policy.feed.ExpectedPolicies;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/// Decides what takes the place of a live policy that the feed no longer expects as it is: another
/// form of the same policy (as written in the feed, or the successors that the agent made from it),
/// or policies of its name and another kind. The policy is removed or overwritten once these were
/// found in force. This is never in the run that writes them: Kyverno needs a moment to learn of a
/// new policy, and so gets the time until the next run.
public final class Replacements {
  private final Map<PolicyId, Set<PolicyId>> forms = new HashMap<>();
  private final Map<String, Set<PolicyId>> named = new HashMap<>();
  private final Set<PolicyId> inSync;
  private final Map<PolicyId, LivePolicy> live;

  /// @param writes the plan of writes
  Replacements(ExpectedPolicies expectedPolicies, Plan writes, Map<PolicyId, LivePolicy> live) {
    this.inSync = new HashSet<>(writes.unchanged());
    this.live = live;
    for (var policy : expectedPolicies.policies()) {
      if (policy.succession().filter(it -> it.stage() != Stage.REPLACEMENT).isEmpty()) {
        add(policy.ofFeed(), policy.id());
      }
    }
    expectedPolicies.unreadable().forEach(it -> it.id().ifPresent(id -> add(id, id)));
  }

  private void add(PolicyId ofFeed, PolicyId id) {
    forms.computeIfAbsent(ofFeed, _ -> new TreeSet<>()).add(id);
    named.computeIfAbsent(ofFeed.name(), _ -> new TreeSet<>()).add(ofFeed);
  }

  private static PolicyId ofFeed(LivePolicy there) {
    return Successors.of(there).map(Succession::legacy).orElse(there.id());
  }

  /// Returns whether the feed has the policy, in another form.
  boolean isOtherForm(LivePolicy there) {
    return forms.containsKey(ofFeed(there));
  }

  /// Returns the expected policies that take the place of a live one that is not expected.
  Set<PolicyId> of(LivePolicy there) {
    var ofFeed = ofFeed(there);
    var otherForms = forms.get(ofFeed);
    if (otherForms != null) {
      return otherForms;
    }
    return named.getOrDefault(ofFeed.name(), Set.of()).stream()
        .filter(id -> id.kind() != ofFeed.kind())
        .flatMap(id -> forms.getOrDefault(id, Set.of()).stream())
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /// Returns why a live policy has to stay although its replacements are expected. A policy of
  /// another kind that is not written yet is no reason here: the removal waits for its write. Nor
  /// is one of which Kyverno says nothing: it has had the time between two runs.
  Optional<String> objection(LivePolicy there) {
    var isOtherForm = isOtherForm(there);
    for (var id : of(there)) {
      var replacement = Optional.ofNullable(live.get(id));
      if (!isOtherForm && replacement.flatMap(it -> it.liveStatus().pause()).isPresent()) {
        return Optional.of(id + " of the same name is left alone");
      }
      if (isOtherForm ? !isInForce(id) : replacement.filter(it -> isRefused(id, it)).isPresent()) {
        return Optional.of("stays until " + id + " is in force");
      }
    }
    return Optional.empty();
  }

  private boolean isRefused(PolicyId id, LivePolicy there) {
    return inSync.contains(id) && there.liveStatus().readiness() == Readiness.NOT_READY;
  }

  private boolean isInForce(PolicyId id) {
    var there = live.get(id);
    return inSync.contains(id) && there != null && there.isReady();
  }

  /// Returns the writes without those that would overwrite a successor with a policy of the feed
  /// that has its name, before the policy that the successor was made from is in force in another
  /// form.
  Plan postponing(Plan writes) {
    var waiting = new ArrayList<Waiting>();
    for (var action : writes.actions()) {
      var there = live.get(action.id());
      if (there != null && overwrites(action, there)) {
        var missing = new ArrayList<>(of(there));
        missing.removeIf(id -> id.equals(action.id()) || isInForce(id));
        if (!missing.isEmpty()) {
          waiting.add(new Waiting(action, missing));
        }
      }
    }
    return PlanDraft.of(writes).postpone(waiting).plan();
  }

  /// Returns whether the write makes another policy of a live successor that may block.
  public static boolean overwrites(Action action, LivePolicy there) {
    return action instanceof Action.Update update
        && Successors.of(there)
            .filter(succession -> !succession.rehearses())
            .filter(succession -> !succession.legacy().equals(update.desired().policy().ofFeed()))
            .isPresent();
  }

  /// Decides about a policy of the feed that is missing while a form of it exists that a person
  /// paused or detached, or that another source applied: beside that form, it is not applied.
  static Optional<PolicyDecision> beside(
      PolicyId missing, List<LivePolicy> forms, PlannerOptions plannerOptions) {
    return forms.stream()
        .filter(form -> Successors.of(form).filter(Succession::rehearses).isEmpty())
        .sorted(Comparator.comparing(LivePolicy::id))
        .flatMap(form -> beside(missing, form, plannerOptions).stream())
        .findFirst();
  }

  private static Optional<PolicyDecision> beside(
      PolicyId missing, LivePolicy form, PlannerOptions plannerOptions) {
    if (Successors.isOurs(form, plannerOptions)) {
      return Ignored.of(form, Ignored.Feed.OTHER_FORM).map(PolicyDecision.Ignore::new);
    }
    return switch (OwnershipVerdict.of(form, plannerOptions.source())) {
      case OwnershipVerdict.OtherSource(var source) ->
          clash(
              missing,
              form,
              "was applied by another source, " + source + "; set ADOPT=always to take it over");
      case OwnershipVerdict.Unowned() when form.isSigned() ->
          clash(
              missing, form, "is no longer managed by policy-sync; remove it to apply the policy");
      case OwnershipVerdict.Unowned _,
          OwnershipVerdict.Controlled _,
          OwnershipVerdict.Copy _,
          OwnershipVerdict.Ours _ ->
          Optional.empty();
    };
  }

  private static Optional<PolicyDecision> clash(PolicyId missing, LivePolicy form, String reason) {
    return Optional.of(
        new PolicyDecision.Clash(
            new Conflict(missing, form.id() + ", which was made from it, " + reason)));
  }
}

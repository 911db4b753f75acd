package dev.policysync.plan;

import dev.policysync.plan.Plan.Ignored;
import dev.policysync.plan.Plan.Kept;
import dev.policysync.plan.Plan.Terminating;
import dev.policysync.plan.Plan.Withheld;
import dev.policysync.policy.OwnershipAnnotations;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.feed.ExpectedPolicies;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The live policies that are no longer expected, by owner (promise 2).
///
/// @param requested removals that the feed requests
/// @param replaced removals of policies whose other form is in force
/// @param withheld removals that the feed requests and that a guard withholds even if all are
///   approved
/// @param kept policies with our ownership annotations that stay for another reason
/// @param ignored policies that stay because they are annotated as ignored
/// @param terminating policies of ours that are being deleted
/// @param owned the number of our policies of the feed, expected or not, in any form, without those
///   that are being deleted
record RemovalCandidates(
    List<Action.Remove> requested,
    List<Action.Remove> replaced,
    List<Withheld> withheld,
    List<Kept> kept,
    List<Ignored> ignored,
    List<Terminating> terminating,
    int owned) {
  RemovalCandidates {
    requested = List.copyOf(requested);
    replaced = List.copyOf(replaced);
    withheld = List.copyOf(withheld);
    kept = List.copyOf(kept);
    ignored = List.copyOf(ignored);
    terminating = List.copyOf(terminating);
  }

  static RemovalCandidates of(
      ExpectedPolicies expectedPolicies,
      ActualPolicies actualPolicies,
      Plan writes,
      Replacements replacements,
      PlannerOptions plannerOptions) {
    var wanted = wantedIds(expectedPolicies);
    var asked = new ArrayList<Action.Remove>();
    var replaced = new ArrayList<Action.Remove>();
    var kept = new ArrayList<Kept>();
    var ignored = new ArrayList<Ignored>();
    var terminating = new ArrayList<Terminating>();
    var owned = new HashSet<PolicyId>();
    var live = actualPolicies.byId();
    var unchanged = Set.copyOf(writes.unchanged());
    var known = new HashSet<PolicyId>();
    writes.retained().ignored().forEach(policy -> known.add(policy.id()));
    for (var there : live.values()) {
      var takenOver =
          Successors.of(there).isPresent()
              && replacements.isOtherForm(there)
              && Successors.isOurs(there, plannerOptions);
      var verdict =
          takenOver
              ? new OwnershipVerdict.Ours()
              : OwnershipVerdict.of(there, plannerOptions.source());
      var isOurs = verdict instanceof OwnershipVerdict.Ours;
      if (isOurs && !there.terminating()) {
        owned.add(writes.ofFeed(there.id()));
      }
      if (wanted.contains(there.id())) {
        continue;
      }
      if (there.terminating()) {
        if (isOurs) {
          terminating.add(new Terminating(there.id(), there.liveStatus().deleted()));
        }
        continue;
      }
      var left = Ignored.of(there, Ignored.Feed.LACKS_IT).filter(_ -> isOurs);
      if (left.isPresent()) {
        if (known.add(there.id())) {
          ignored.add(left.get());
        }
        continue;
      }
      switch (reasonToKeep(there, verdict)) {
        case Keep.Foreign() -> {}
        case Keep.Because(var reason) -> kept.add(new Kept(there.id(), reason));
        case Keep.No() when isNamedWithoutNamespace(there.id(), expectedPolicies) ->
            kept.add(
                new Kept(
                    there.id(),
                    "the feed has a policy of this kind and name without metadata.namespace, which"
                        + " may be this one; set the namespace in the feed, or delete this policy"));
        case Keep.No() -> {
          var reason = replacements.objection(there);
          if (reason.isPresent()) {
            kept.add(new Kept(there.id(), reason.get()));
          } else if (replacements.isOtherForm(there)) {
            replaced.add(removal(there, replacements, Action.Cause.REPLACED, unchanged, live));
          } else {
            asked.add(removal(there, replacements, Action.Cause.GONE_FROM_FEED, unchanged, live));
          }
        }
      }
    }
    return new RemovalCandidates(
        asked, replaced, List.of(), kept, ignored, terminating, owned.size());
  }

  /// Returns whether the feed has a policy of this kind and name whose document forgot the
  /// namespace: it was applied to the agent's namespace, and may have been meant for another one.
  private static boolean isNamedWithoutNamespace(
      PolicyId there, ExpectedPolicies expectedPolicies) {
    return expectedPolicies.inDefaultNamespace().stream()
        .anyMatch(id -> id.kind() == there.kind() && id.name().equals(there.name()));
  }

  private static Action.Remove removal(
      LivePolicy there,
      Replacements replacements,
      Action.Cause cause,
      Set<PolicyId> unchanged,
      Map<PolicyId, LivePolicy> live) {
    var successors = replacements.of(there);
    return new Action.Remove(
        there.id(),
        there.objectVersion(),
        successors,
        cause,
        successors.stream()
            .filter(unchanged::contains)
            .map(live::get)
            .filter(Objects::nonNull)
            .map(Action.Remove.Generation::of)
            .collect(Collectors.toSet()));
  }

  /// Returns the candidates with every removal counted as requested by the feed, including those of
  /// replaced policies.
  RemovalCandidates countingReplaced() {
    return new RemovalCandidates(
        Stream.concat(requested.stream(), replaced.stream()).toList(),
        List.of(),
        withheld,
        kept,
        ignored,
        terminating,
        owned);
  }

  /// Returns the candidates without the removals that the plan withholds or keeps even if a person
  /// approves everything: such removals are not counted, and cannot be approved.
  RemovalCandidates without(Plan ifApproved) {
    var ids = requested.stream().map(Action::id).collect(Collectors.toSet());
    var held =
        ifApproved.pending().withheld().stream()
            .filter(removal -> ids.contains(removal.id()))
            .toList();
    var stay =
        ifApproved.retained().kept().stream()
            .filter(removal -> ids.contains(removal.id()))
            .toList();
    held.forEach(removal -> ids.remove(removal.id()));
    stay.forEach(removal -> ids.remove(removal.id()));
    return new RemovalCandidates(
        requested.stream().filter(removal -> ids.contains(removal.id())).toList(),
        replaced,
        held,
        Stream.concat(kept.stream(), stay.stream()).toList(),
        ignored,
        terminating,
        owned);
  }

  /// Returns whether a live policy that is not expected may be removed.
  static boolean removable(LivePolicy live, SourceName ours) {
    return live.liveStatus().pause().isEmpty()
        && reasonToKeep(live, OwnershipVerdict.of(live, ours)) instanceof Keep.No;
  }

  private static Keep reasonToKeep(LivePolicy live, OwnershipVerdict ownershipVerdict) {
    return switch (ownershipVerdict) {
      case OwnershipVerdict.Unowned() -> new Keep.Foreign();
      case OwnershipVerdict.Controlled() ->
          new Keep.Because("owned by another object (ownerReferences)");
      case OwnershipVerdict.Copy(var original) -> new Keep.Because("a copy of " + original);
      case OwnershipVerdict.OtherSource(var source) ->
          new Keep.Because("applied by another source, " + source);
      case OwnershipVerdict.Ours() ->
          live.annotation(OwnershipAnnotations.PRUNE)
                  .filter(OwnershipAnnotations.DISABLED::equals)
                  .isPresent()
              ? new Keep.Because("annotated with " + OwnershipAnnotations.PRUNE + ": disabled")
              : new Keep.No();
    };
  }

  /// Returns the ids of the expected policies. A policy named by an unreadable document is
  /// expected, too.
  private static Set<PolicyId> wantedIds(ExpectedPolicies expectedPolicies) {
    var wanted = new HashSet<PolicyId>();
    expectedPolicies.policies().forEach(policy -> wanted.add(policy.id()));
    expectedPolicies.unreadable().forEach(document -> document.id().ifPresent(wanted::add));
    return wanted;
  }

  private sealed interface Keep {
    record No() implements Keep {}

    record Foreign() implements Keep {}

    record Because(String reason) implements Keep {}
  }
}

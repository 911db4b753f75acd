package dev.policysync.plan;

import dev.policysync.policy.OwnershipAnnotations;
import dev.policysync.policy.Policy;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.PolicyKind;
import dev.policysync.policy.Succession;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// A plan lists what a run would do, what it would leave alone, and why. It is data: a dry run
/// prints the same object that a real run executes.
///
/// @param actions in the safe order (promise 6), at most one per policy
/// @param unchanged expected policies that are in sync
/// @param note the facts about removals to record for the budget of later runs
/// @param dependencies which actions depend on which
/// @param successions the successors, expected or live, that the agent made from a policy of the
///   feed
public record Plan(
    List<Action> actions,
    List<PolicyId> unchanged,
    Problems problems,
    Pending pending,
    Retained retained,
    Approvals approvals,
    RemovalHistory.Note note,
    DependencyOrder dependencies,
    Map<PolicyId, Succession> successions) {

  private static final int NAMED = 3;

  /// The problems that a person has to solve.
  ///
  /// @param rejected expected policies that cannot be applied
  /// @param conflicts expected policies whose name is taken by a policy that is not ours
  /// @param unlistable kinds that could not be listed
  /// @param managerConflicts policies that another client changes again after every repair
  public record Problems(
      List<Rejected> rejected,
      List<Conflict> conflicts,
      List<Unlistable> unlistable,
      List<ManagerConflict> managerConflicts) {
    public Problems {
      rejected = rejected.stream().sorted(Plan::knownFirst).toList();
      conflicts = sorted(conflicts, Conflict::id);
      unlistable = List.copyOf(unlistable);
      managerConflicts = sorted(managerConflicts, ManagerConflict::id);
    }
  }

  /// The actions that this run does not do.
  ///
  /// @param withheld removals and other writes that a guard withholds
  /// @param waiting actions for a later run, because Kyverno must first learn of other writes
  public record Pending(List<Withheld> withheld, List<Waiting> waiting) {
    public Pending {
      withheld = sorted(withheld, Withheld::id);
      waiting = sorted(waiting, Waiting::id);
    }
  }

  /// The live policies that the run leaves unchanged.
  ///
  /// @param kept policies with our annotation that are not expected, and stay for another reason
  /// @param ignored policies annotated with `policysync.dev/reconcile: disabled`
  /// @param terminating policies of ours that are not expected and wait for a finalizer
  public record Retained(List<Kept> kept, List<Ignored> ignored, List<Terminating> terminating) {
    public Retained {
      kept = sorted(kept, Kept::id);
      ignored = sorted(ignored, Ignored::id);
      terminating = sorted(terminating, Terminating::id);
    }
  }

  /// Whether the plan needs approvals, and has them.
  ///
  /// @param enforcement the approval of stricter policies
  public record Approvals(ApprovalState removals, EnforcementApproval enforcement) {}

  public Plan {
    successions = Map.copyOf(successions);
    actions = actions.stream().sorted(ActionOrder.SAFE).toList();
    unchanged = unchanged.stream().sorted().toList();
    var ids = new HashSet<PolicyId>();
    for (var action : actions) {
      if (!ids.add(action.id())) {
        throw new IllegalStateException("two actions for one policy: " + action.id());
      }
    }
  }

  /// Returns the plan without these writes, which a guard withholds. Removals of policies that one
  /// of them should replace are withheld, too.
  public Plan withholding(List<Withheld> more) {
    if (more.isEmpty()) {
      return this;
    }
    var ids = more.stream().map(Withheld::id).collect(Collectors.toSet());
    var all = new ArrayList<>(more);
    for (var action : actions) {
      if (action instanceof Action.Remove removal
          && !ids.contains(removal.id())
          && !Collections.disjoint(removal.successors(), ids)) {
        all.add(new Withheld(removal.id(), Guard.SUCCESSOR_STUCK));
      }
    }
    return PlanDraft.of(this).withhold(all).plan();
  }

  /// Returns the plan with these policies recorded as not replaced by their successors.
  public Plan withholdingReplacement(List<Withheld> more) {
    return more.isEmpty() ? this : PlanDraft.of(this).withholdReplacement(more).plan();
  }

  /// Returns the plan without these removals; each policy stays for the given reason.
  public Plan keeping(List<Kept> more) {
    return more.isEmpty() ? this : PlanDraft.of(this).keep(more).plan();
  }

  /// Returns the plan with every write withheld by this guard, which no approval overrides.
  public Plan withholdingAll(Guard guard) {
    var all =
        Stream.concat(actions.stream().map(Action::id), pending.withheld.stream().map(Withheld::id))
            .distinct()
            .map(id -> new Withheld(id, guard))
            .toList();
    return new PlanDraft()
        .unchanged(unchanged)
        .rejected(problems.rejected)
        .conflicts(problems.conflicts)
        .withhold(all)
        .keep(retained.kept)
        .ignored(retained.ignored)
        .terminating(retained.terminating)
        .unlistable(problems.unlistable)
        .successions(successions)
        .plan();
  }

  /// Returns the plan with these approvals ended, because it requests nothing that they approved.
  public Plan ending(Optional<Approval> ofRemovals, Optional<Approval> ofEnforcement) {
    var draft = PlanDraft.of(this);
    ofRemovals.map(ApprovalState.Ended::new).ifPresent(draft::removalApproval);
    ofEnforcement
        .map(ApprovalState.Ended::new)
        .map(ended -> new EnforcementApproval(ended, Set.of()))
        .ifPresent(draft::enforcementApproval);
    return draft.plan();
  }

  /// Returns the approvals that end with this plan.
  public List<Approval> endedApprovals() {
    return Stream.of(approvals().removals, approvals().enforcement.approvalState())
        .flatMap(state -> state.ended().stream())
        .toList();
  }

  /// Returns whether the policy is the rehearsal of a policy of the feed; a rehearsal is not
  /// reported.
  public boolean rehearses(PolicyId id) {
    return Optional.ofNullable(successions.get(id)).filter(Succession::rehearses).isPresent();
  }

  /// Returns the policy under which the feed and the API know this one: the original of a
  /// successor, else the policy itself.
  public PolicyId ofFeed(PolicyId id) {
    return Optional.ofNullable(successions.get(id)).map(Succession::legacy).orElse(id);
  }

  /// Returns the rejected policies, without those whose kind could not be listed for a temporary
  /// reason: these have no problem of their own.
  public List<Rejected> rejectedOnTheirOwn() {
    var kinds =
        problems.unlistable.stream()
            .filter(kind -> kind.failure().retryable())
            .map(Unlistable::kind)
            .collect(Collectors.toSet());
    var known = new HashSet<String>();
    return problems.rejected.stream()
        .filter(policy ->
            policy.id().filter(successions::containsKey).isEmpty() || known.add(policy.label()))
        .filter(policy ->
            policy.failure().cause() == Failure.Cause.UNREADABLE
                || policy.id().filter(id -> kinds.contains(id.kind())).isEmpty())
        .toList();
  }

  /// Returns the removals that wait for a later run.
  public List<Action.Remove> waitingRemovals() {
    return pending.waiting.stream()
        .map(Waiting::action)
        .filter(Action.Remove.class::isInstance)
        .map(Action.Remove.class::cast)
        .toList();
  }

  /// Returns the removals that a guard withholds.
  public List<Withheld> withheldRemovals() {
    return pending.withheld.stream().filter(held -> held.guard().onRemovals()).toList();
  }

  /// An expected policy that cannot be applied.
  ///
  /// @param label the name in messages: the policy, else its position in the feed
  /// @param name the policy's name, if it has one
  /// @param id the policy, if its document identifies it
  public record Rejected(
      String label, Optional<String> name, Optional<PolicyId> id, Failure failure) {
    static Rejected of(Policy policy, Failure failure) {
      var name = policy.ofFeed();
      return new Rejected(
          name.toString(), Optional.of(name.name()), Optional.of(policy.id()), failure);
    }
  }

  /// An expected policy whose name is taken by a policy that is not ours.
  public record Conflict(PolicyId id, String reason) {}

  /// A removal or another write that a guard withholds.
  ///
  /// @param detail the guard's reason in this case; empty if the guard's text is enough
  public record Withheld(PolicyId id, Guard guard, String detail) {
    public Withheld(PolicyId id, Guard guard) {
      this(id, guard, "");
    }

    /// Returns for example `it would block more requests: 3 workloads fail it now`.
    public String reason() {
      return detail.isEmpty() ? guard.toString() : guard + ": " + detail;
    }
  }

  /// An action for a later run. It depends on writes that Kyverno may not know yet. No status of
  /// Kyverno shows this, so Kyverno gets the time until the later run.
  ///
  /// @param after the policies whose writes it depends on; empty if an earlier run wrote them
  public record Waiting(Action action, List<PolicyId> after) {
    public Waiting {
      after = after.stream().sorted().toList();
    }

    public PolicyId id() {
      return action.id();
    }

    /// Returns for example `to be applied by a later run, when Kyverno knows
    /// PolicyException.kyverno.io/shop/e`.
    public String reason() {
      var verb =
          switch (action) {
            case Action.Create _ -> "applied";
            case Action.Update _ -> "updated";
            case Action.Remove _ -> "removed";
          };
      return "to be " + verb + " by a later run, when Kyverno knows " + what();
    }

    private String what() {
      if (after.isEmpty()) {
        return "what the last run wrote and removed";
      }
      return (action instanceof Action.Remove ? "what became of " : "") + names(after);
    }
  }

  /// A policy that is not removed although it has our ownership annotations.
  public record Kept(PolicyId id, String reason) {}

  /// A policy that is neither updated nor removed, because it is annotated with
  /// `policysync.dev/reconcile: disabled`.
  ///
  /// @param pause who set the annotation, and when
  /// @param feed how the policy compares with the feed
  public record Ignored(PolicyId id, LiveStatus.Pause pause, Feed feed) {
    /// How an ignored policy compares with the feed.
    public enum Feed {
      AGREES("; it is as the feed wants it"),
      DIFFERS("; the feed wants it otherwise"),
      LACKS_IT("; the feed does not have it"),
      OTHER_FORM("; the policy of the feed that it was made from is not applied meanwhile");

      private final String text;

      Feed(String text) {
        this.text = text;
      }
    }

    static Optional<Ignored> of(LivePolicy live, Feed feed) {
      return live.liveStatus().pause().map(pause -> new Ignored(live.id(), pause, feed));
    }

    /// Returns for example `left alone since 2026-11-20T09:30:00Z, by kubectl-annotate
    /// (policysync.dev/reconcile: disabled); the feed wants it otherwise`.
    public String reason() {
      return "left alone"
          + pause.since().map(time -> " since " + time).orElse("")
          + pause.by().map(manager -> ", by " + manager).orElse("")
          + " ("
          + OwnershipAnnotations.RECONCILE
          + ": "
          + OwnershipAnnotations.DISABLED
          + ")"
          + feed.text;
    }
  }

  /// A policy that is being deleted and is still in force.
  ///
  /// @param since the time of the deletion request, by the API server's clock
  public record Terminating(PolicyId id, Optional<Instant> since) {
    private static final Duration PATIENCE = Duration.ofMinutes(10);

    /// Returns whether the finalizer has taken too long.
    public boolean overdue(Instant now) {
      return since.filter(time -> Duration.between(time, now).compareTo(PATIENCE) >= 0).isPresent();
    }
  }

  /// A kind that could not be listed.
  ///
  /// @param policies the number of expected policies of this kind; none is applied
  public record Unlistable(PolicyKind kind, int policies, Failure failure) {
    /// Returns for example `this kind is not synced: list ValidatingPolicy.policies.kyverno.io:
    /// HTTP 410, Expired; its 12 policies in the feed were not compared`.
    public String reason() {
      var untried =
          switch (policies) {
            case 0 -> "";
            case 1 -> "; its policy in the feed was not compared";
            default -> "; its " + policies + " policies in the feed were not compared";
          };
      return "this kind is not synced: " + failure.reason() + untried;
    }
  }

  /// A policy that is repaired again because other clients keep changing it.
  ///
  /// @param by their field managers; empty if they only remove fields, which leaves no trace
  /// @param times the number of repairs in a row, including this one
  public record ManagerConflict(PolicyId id, Set<String> by, int times) {}

  /// Returns the first three policies and the number of the others.
  public static String names(List<PolicyId> policies) {
    var few =
        policies.stream().limit(NAMED).map(PolicyId::toString).collect(Collectors.joining(", "));
    var more = policies.size() - NAMED;
    return more > 0 ? few + " and " + more + " more" : few;
  }

  private static <T> List<T> sorted(List<T> items, Function<T, PolicyId> id) {
    return items.stream().sorted((one, other) -> id.apply(one).compareTo(id.apply(other))).toList();
  }

  /// Sorts by policy; documents without a policy come last, in the order of the feed.
  private static int knownFirst(Rejected one, Rejected other) {
    var byKnowing = Boolean.compare(one.id().isEmpty(), other.id().isEmpty());
    return byKnowing != 0 ? byKnowing : key(one).compareTo(key(other));
  }

  private static String key(Rejected rejected) {
    return rejected.id().map(PolicyId::key).orElse("");
  }
}

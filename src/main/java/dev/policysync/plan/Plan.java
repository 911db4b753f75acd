package dev.policysync.plan;

import dev.policysync.policy.OwnershipAnnotations;
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

/// What a run would do, and what it would leave alone and why. A plan is data: a dry run prints the
/// very object that a real run executes.
///
/// @param actions in the safe order (promise 6), no two for one policy
/// @param unchanged expected policies that are in sync
/// @param rejected expected policies that cannot be applied, whatever we try
/// @param conflicts expected policies whose name is taken by one that is not ours
/// @param withheld removals and other writes that a guard holds back
/// @param waiting actions that a later run does, when Kyverno knows what they depend on
/// @param kept policies with our mark that are not expected, and stay for a reason of their own
/// @param ignored policies that somebody asked us to leave alone, ours or wanted by the feed
/// @param terminating policies of ours that nobody expects and whose removal waits for a finalizer
/// @param unlistable kinds that could not be listed
/// @param removalApproval whether its removals need a person's consent, and have it
/// @param note what to remember of its removals for the budget of later runs
/// @param managerConflicts policies that somebody else changes again after every repair
/// @param enforcementApproval whether some of its writes need a person's consent because of what
///   they block
/// @param dependencies which of its actions depend on which
/// @param successions of the policies, expected or there, that the agent made of one of the feed
public record Plan(
    List<Action> actions,
    List<PolicyId> unchanged,
    List<Rejected> rejected,
    List<Conflict> conflicts,
    List<Withheld> withheld,
    List<Waiting> waiting,
    List<Kept> kept,
    List<Ignored> ignored,
    List<Terminating> terminating,
    List<Unlistable> unlistable,
    ApprovalState removalApproval,
    RemovalHistory.Note note,
    List<ManagerConflict> managerConflicts,
    EnforcementApproval enforcementApproval,
    DependencyOrder dependencies,
    Map<PolicyId, Succession> successions) {

  private static final int NAMED = 3;

  public Plan {
    successions = Map.copyOf(successions);
    actions = actions.stream().sorted(ActionOrder.SAFE).toList();
    unchanged = unchanged.stream().sorted().toList();
    rejected = rejected.stream().sorted(Plan::knownFirst).toList();
    conflicts = sorted(conflicts, Conflict::id);
    withheld = sorted(withheld, Withheld::id);
    waiting = sorted(waiting, Waiting::id);
    kept = sorted(kept, Kept::id);
    ignored = sorted(ignored, Ignored::id);
    terminating = sorted(terminating, Terminating::id);
    unlistable = List.copyOf(unlistable);
    managerConflicts = sorted(managerConflicts, ManagerConflict::id);
    var ids = new HashSet<PolicyId>();
    for (var action : actions) {
      if (!ids.add(action.id())) {
        throw new IllegalStateException("two actions for one policy: " + action.id());
      }
    }
  }

  /// The same plan without these writes, which a guard holds back. With them goes the removal of
  /// what one of them is to take the place of.
  public Plan withholding(List<Withheld> held) {
    if (held.isEmpty()) {
      return this;
    }
    var ids = held.stream().map(Withheld::id).collect(Collectors.toSet());
    var all = new ArrayList<>(held);
    for (var action : actions) {
      if (action instanceof Action.Remove removal
          && !ids.contains(removal.id())
          && !Collections.disjoint(removal.successors(), ids)) {
        all.add(new Withheld(removal.id(), Guard.SUCCESSOR_STUCK));
      }
    }
    return PlanDraft.of(this).withhold(all).plan();
  }

  /// The same plan, which also says which policies cannot be replaced by their successors.
  public Plan withholdingReplacement(List<Withheld> held) {
    return held.isEmpty() ? this : PlanDraft.of(this).withholdReplacement(held).plan();
  }

  /// The same plan without these removals, which are not done for a reason of their own.
  public Plan keeping(List<Kept> more) {
    return more.isEmpty() ? this : PlanDraft.of(this).keep(more).plan();
  }

  /// The same plan with every write held back by that guard, which nobody can approve away.
  public Plan withholdingAll(Guard guard) {
    var held =
        Stream.concat(actions.stream().map(Action::id), withheld.stream().map(Withheld::id))
            .distinct()
            .map(id -> new Withheld(id, guard))
            .toList();
    return new PlanDraft()
        .unchanged(unchanged)
        .rejected(rejected)
        .conflicts(conflicts)
        .withhold(held)
        .keep(kept)
        .ignored(ignored)
        .terminating(terminating)
        .unlistable(unlistable)
        .successions(successions)
        .plan();
  }

  /// The same plan, which asks for nothing that anybody approved.
  public Plan ending(Optional<Approval> ofRemovals, Optional<Approval> ofEnforcement) {
    var draft = PlanDraft.of(this);
    ofRemovals.map(ApprovalState.Ended::new).ifPresent(draft::removalApproval);
    ofEnforcement
        .map(ApprovalState.Ended::new)
        .map(ended -> new EnforcementApproval(ended, Set.of()))
        .ifPresent(draft::enforcementApproval);
    return draft.plan();
  }

  /// The approvals that end with this plan.
  public List<Approval> endedApprovals() {
    return Stream.of(removalApproval, enforcementApproval.approvalState())
        .flatMap(state -> state.ended().stream())
        .toList();
  }

  /// Whether it only rehearses what one of the feed does, which nobody is told of.
  public boolean rehearses(PolicyId id) {
    return Optional.ofNullable(successions.get(id)).filter(Succession::rehearses).isPresent();
  }

  /// The policy as the feed and the remote API know it: for a successor that it was made of, else
  /// itself.
  public PolicyId ofFeed(PolicyId id) {
    return Optional.ofNullable(successions.get(id)).map(Succession::legacy).orElse(id);
  }

  /// Expected policies that cannot be applied for a reason of their own, or one that lasts. Where
  /// the list of their kind failed in a way that may pass, nothing is wrong with any of them.
  public List<Rejected> rejectedOnTheirOwn() {
    var kinds =
        unlistable.stream()
            .filter(kind -> kind.failure().retryable())
            .map(Unlistable::kind)
            .collect(Collectors.toSet());
    return rejected.stream()
        .filter(policy ->
            policy.failure().cause() == Failure.Cause.UNREADABLE
                || policy.id().filter(id -> kinds.contains(id.kind())).isEmpty())
        .toList();
  }

  /// The removals that a later run does.
  public List<Action.Remove> waitingRemovals() {
    return waiting.stream()
        .map(Waiting::action)
        .filter(Action.Remove.class::isInstance)
        .map(Action.Remove.class::cast)
        .toList();
  }

  /// What a guard on removals holds back.
  public List<Withheld> withheldRemovals() {
    return withheld.stream().filter(held -> held.guard().onRemovals()).toList();
  }

  /// An expected policy that cannot be applied.
  ///
  /// @param label how messages name it: the policy, else its place in the feed
  /// @param name the policy's name, if it has one
  /// @param id the policy, where that much can be told
  public record Rejected(
      String label, Optional<String> name, Optional<PolicyId> id, Failure failure) {
    /// One that can be told.
    static Rejected of(PolicyId id, Failure failure) {
      return new Rejected(id.toString(), Optional.of(id.name()), Optional.of(id), failure);
    }
  }

  /// An expected policy whose name is taken.
  public record Conflict(PolicyId id, String reason) {}

  /// A removal or another write that a guard holds back.
  ///
  /// @param detail what the guard has against this one; empty where its name says it all
  public record Withheld(PolicyId id, Guard guard, String detail) {
    /// One of which the guard's name says it all.
    public Withheld(PolicyId id, Guard guard) {
      this(id, guard, "");
    }

    /// In words: `it would begin to block: 3 workloads fail it now`.
    public String reason() {
      return detail.isEmpty() ? guard.toString() : guard + ": " + detail;
    }
  }

  /// An action that a later run does: Kyverno has no status that says what it knows of the writes
  /// that the action depends on, so it gets the time until then to learn of them.
  ///
  /// @param after whose writes it depends on; none where they were an earlier run's
  public record Waiting(Action action, List<PolicyId> after) {
    public Waiting {
      after = after.stream().sorted().toList();
    }

    public PolicyId id() {
      return action.id();
    }

    /// In words: `to be applied by a later run, when Kyverno knows
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

  /// A policy that is left alone although it carries our mark.
  public record Kept(PolicyId id, String reason) {}

  /// A policy that is neither updated nor removed because its annotation says so.
  ///
  /// @param pause who set the annotation, and when
  /// @param feed what the feed says of it
  public record Ignored(PolicyId id, LiveStatus.Pause pause, Feed feed) {
    /// How a policy stands to the feed that would otherwise decide about it.
    public enum Feed {
      AGREES("; it is as the feed wants it"),
      DIFFERS("; the feed wants it otherwise"),
      LACKS_IT("; the feed does not have it");

      private final String text;

      Feed(String text) {
        this.text = text;
      }
    }

    /// That policy, if its annotation says so.
    static Optional<Ignored> of(LivePolicy live, Feed feed) {
      return live.liveStatus().pause().map(pause -> new Ignored(live.id(), pause, feed));
    }

    /// In words: `left alone since 2026-11-20T09:30:00Z, by kubectl-annotate
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

  /// A policy that is still in force although its removal was asked for.
  ///
  /// @param since when it was, by the API server's clock
  public record Terminating(PolicyId id, Optional<Instant> since) {
    private static final Duration PATIENCE = Duration.ofMinutes(10);

    /// Whether whoever owns its finalizer takes too long.
    public boolean overdue(Instant now) {
      return since.filter(time -> Duration.between(time, now).compareTo(PATIENCE) >= 0).isPresent();
    }
  }

  /// A kind that could not be listed.
  ///
  /// @param policies how many of it are expected, none of which is applied
  public record Unlistable(PolicyKind kind, int policies, Failure failure) {
    /// In words: `this kind is not synced: list ValidatingPolicy.policies.kyverno.io: HTTP 410,
    /// Expired; its 12 policies in the feed were not compared`.
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

  /// A policy that is repaired in this run as in those before it, because the same others keep
  /// changing it.
  ///
  /// @param by their names as field managers; none where they only remove fields, which leaves no
  ///   trace
  /// @param times how often in a row, this time included
  public record ManagerConflict(PolicyId id, Set<String> by, int times) {}

  /// Names three of them, and counts the rest.
  public static String names(List<PolicyId> policies) {
    var few =
        policies.stream().limit(NAMED).map(PolicyId::toString).collect(Collectors.joining(", "));
    var more = policies.size() - NAMED;
    return more > 0 ? few + " and " + more + " more" : few;
  }

  private static <T> List<T> sorted(List<T> items, Function<T, PolicyId> id) {
    return items.stream().sorted((one, other) -> id.apply(one).compareTo(id.apply(other))).toList();
  }

  /// By policy; documents that could not be told apart stay in the order of the feed.
  private static int knownFirst(Rejected one, Rejected other) {
    var byKnowing = Boolean.compare(one.id().isEmpty(), other.id().isEmpty());
    return byKnowing != 0 ? byKnowing : key(one).compareTo(key(other));
  }

  private static String key(Rejected rejected) {
    return rejected.id().map(PolicyId::key).orElse("");
  }
}

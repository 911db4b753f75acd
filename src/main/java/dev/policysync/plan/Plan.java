package dev.policysync.plan;

import dev.policysync.plan.history.RemovalHistory;
import dev.policysync.plan.live.Failure;
import dev.policysync.policy.PolicyId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
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
/// @param kept policies with our mark that are not expected, and stay for a reason of their own
/// @param unlistable kinds that could not be listed
/// @param removalApproval whether its removals need a person's consent, and have it
/// @param note what to remember of its removals for the budget of later runs
/// @param managerConflicts policies that somebody else changes again after every repair
/// @param enforcementApproval whether some of its writes need a person's consent because of what
///   they block
/// @param dependencies which of its actions depend on which
public record Plan(
    List<Action> actions,
    List<PolicyId> unchanged,
    List<Rejected> rejected,
    List<Conflict> conflicts,
    List<Withheld> withheld,
    List<Kept> kept,
    List<Unlistable> unlistable,
    ApprovalState removalApproval,
    RemovalHistory.Note note,
    List<ManagerConflict> managerConflicts,
    EnforcementApproval enforcementApproval,
    DependencyOrder dependencies) {

  /// Beyond every step of applying, counted backwards from here.
  private static final int REMOVALS = 100;

  public Plan {
    actions = actions.stream().sorted(Plan::inSafeOrder).toList();
    unchanged = unchanged.stream().sorted().toList();
    rejected = rejected.stream().sorted(Plan::knownFirst).toList();
    conflicts = sorted(conflicts, Conflict::id);
    withheld = sorted(withheld, Withheld::id);
    kept = sorted(kept, Kept::id);
    unlistable = List.copyOf(unlistable);
    managerConflicts = sorted(managerConflicts, ManagerConflict::id);
    var ids = new HashSet<PolicyId>();
    for (var action : actions) {
      if (!ids.add(action.id())) {
        throw new IllegalStateException("two actions for one policy: " + action.id());
      }
    }
  }

  /// A plan of which nobody has looked what it begins to block.
  public Plan(
      List<Action> actions,
      List<PolicyId> unchanged,
      List<Rejected> rejected,
      List<Conflict> conflicts,
      List<Withheld> withheld,
      List<Kept> kept,
      List<Unlistable> unlistable,
      ApprovalState approvalState,
      RemovalHistory.Note note,
      List<ManagerConflict> fights) {
    this(
        actions,
        unchanged,
        rejected,
        conflicts,
        withheld,
        kept,
        unlistable,
        approvalState,
        note,
        fights,
        EnforcementApproval.NONE,
        DependencyOrder.NONE);
  }

  /// The same plan, with that said about what begins to block.
  Plan with(EnforcementApproval said) {
    return new Plan(
        actions,
        unchanged,
        rejected,
        conflicts,
        withheld,
        kept,
        unlistable,
        removalApproval,
        note,
        managerConflicts,
        said,
        dependencies);
  }

  /// The same plan without these writes, which a guard holds back. With them goes the removal of
  /// what one of them is to take the place of.
  public Plan withholding(List<Withheld> held) {
    if (held.isEmpty()) {
      return this;
    }
    var ids = held.stream().map(Withheld::id).collect(Collectors.toSet());
    var left = new ArrayList<Action>();
    var all = new ArrayList<>(withheld);
    all.addAll(held);
    for (var action : actions) {
      if (action instanceof Action.Remove removal
          && !ids.contains(removal.id())
          && !Collections.disjoint(removal.successors(), ids)) {
        all.add(new Withheld(removal.id(), Guard.SUCCESSOR_STUCK));
      } else if (!ids.contains(action.id())) {
        left.add(action);
      }
    }
    return new Plan(
        left,
        unchanged,
        rejected,
        conflicts,
        all,
        kept,
        unlistable,
        removalApproval,
        note,
        managerConflicts.stream()
            .filter(managerConflict -> !ids.contains(managerConflict.id()))
            .toList(),
        enforcementApproval,
        dependencies);
  }

  /// The same plan without the removals of those shields, knowing what of the rest depends on what.
  Plan dependencies(List<Withheld> held, List<Kept> stay, DependencyOrder known) {
    var ids = new HashSet<PolicyId>();
    held.forEach(shield -> ids.add(shield.id()));
    stay.forEach(shield -> ids.add(shield.id()));
    return new Plan(
        actions.stream().filter(action -> !ids.contains(action.id())).toList(),
        unchanged,
        rejected,
        conflicts,
        Stream.concat(withheld.stream(), held.stream()).toList(),
        Stream.concat(kept.stream(), stay.stream()).toList(),
        unlistable,
        removalApproval,
        note,
        managerConflicts,
        enforcementApproval,
        known);
  }

  /// The same plan with every write held back by that guard, which nobody can approve away.
  public Plan withholdingAll(Guard guard) {
    var held = new TreeSet<PolicyId>();
    actions.forEach(action -> held.add(action.id()));
    withheld.forEach(already -> held.add(already.id()));
    return new Plan(
        List.of(),
        unchanged,
        rejected,
        conflicts,
        held.stream().map(id -> new Withheld(id, guard)).toList(),
        kept,
        unlistable,
        new ApprovalState.NotNeeded(),
        RemovalHistory.Note.NONE,
        List.of());
  }

  /// What a guard on removals holds back.
  public List<Withheld> withheldRemovals() {
    return withheld.stream().filter(held -> held.guard().onRemovals()).toList();
  }

  /// A plan that finds everything as it should be.
  static Plan unchanged(List<PolicyId> policies) {
    return new Plan(
        List.of(),
        policies,
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        new ApprovalState.NotNeeded(),
        RemovalHistory.Note.NONE,
        List.of());
  }

  /// An expected policy that cannot be applied.
  ///
  /// @param label how messages name it: the policy, else its place in the feed
  /// @param name the policy's name, if it has one
  /// @param id the policy, where that much can be told
  public record Rejected(
      String label, Optional<String> name, Optional<PolicyId> id, Failure failure) {}

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

  /// A policy that is left alone although it carries our mark.
  public record Kept(PolicyId id, String reason) {}

  /// A kind that could not be listed.
  public record Unlistable(String kind, Failure failure) {}

  /// A policy that is repaired in this run as in those before it, because the same others keep
  /// changing it.
  ///
  /// @param by their names as field managers; none where they only remove fields, which leaves no
  ///   trace
  /// @param times how often in a row, this time included
  public record ManagerConflict(PolicyId id, Set<String> by, int times) {}

  /// What holds a removal or another write back.
  public enum Guard {
    /// The feed was empty.
    EMPTY_FEED("the feed is empty", true, true),
    /// More removals than a day's runs may do.
    OVER_BUDGET("more removals than MAX_REMOVALS allows", true, true),
    /// A document of the feed could not be read.
    FEED_INCOMPLETE("a document of the feed could not be read", true, false),
    /// A kind could not be listed.
    CLUSTER_INCOMPLETE("a kind could not be listed", true, false),
    /// What is to take its place, a policy of its name and another kind, cannot be applied.
    SUCCESSOR_STUCK("the policy of that name and another kind cannot be applied", true, false),
    /// A policy that an exception or a context entry serves does not become what the feed says.
    STILL_SERVES("a policy that it serves stays as it is", true, false),
    /// Nobody knows whom an exception or a context entry serves.
    SERVES_UNKNOWN("it cannot be told which policies it serves", true, false),
    /// The write would block workloads that are there, or nobody knows whether it would.
    ENFORCEMENT("it would block more than before", false, true),
    /// Lint finds an error in the policy.
    HAZARD("lint finds an error in it", false, false),
    /// The write would block more than before, and what is to shield from that cannot be applied.
    UNSHIELDED(
        "it would block more without an exception or a context entry that cannot be applied",
        false,
        false),
    /// The feed is older than one that was written.
    OLDER_FEED("the feed is older than one that was written before", false, false);

    private final String text;
    private final boolean onRemovals;
    private final boolean approvable;

    Guard(String text, boolean onRemovals, boolean approvable) {
      this.text = text;
      this.onRemovals = onRemovals;
      this.approvable = approvable;
    }

    /// Whether a person may let it through all the same. Not where nobody can know what is
    /// expected, or what is there.
    boolean approvable() {
      return approvable;
    }

    /// Whether it holds back removals alone, for what the feed and the cluster are.
    public boolean onRemovals() {
      return onRemovals;
    }

    @Override
    public String toString() {
      return text;
    }
  }

  private static <T> List<T> sorted(List<T> items, Function<T, PolicyId> id) {
    return items.stream().sorted((one, other) -> id.apply(one).compareTo(id.apply(other))).toList();
  }

  private static int inSafeOrder(Action one, Action other) {
    var byStage = Integer.compare(stage(one), stage(other));
    return byStage != 0 ? byStage : one.id().compareTo(other.id());
  }

  /// By policy; documents that could not be told apart stay in the order of the feed.
  private static int knownFirst(Rejected one, Rejected other) {
    var byKnowing = Boolean.compare(one.id().isEmpty(), other.id().isEmpty());
    return byKnowing != 0 ? byKnowing : key(one).compareTo(key(other));
  }

  private static String key(Rejected rejected) {
    return rejected.id().map(PolicyId::key).orElse("");
  }

  /// Steps of the order: what is applied first stands lower. Policies of one stage may be written
  /// at the same time; a stage begins when the one before has ended.
  public static int stage(Action action) {
    var step = action.id().kind().role().step();
    return switch (action) {
      case Action.Write _ -> step;
      case Action.Remove _ -> REMOVALS - step;
    };
  }
}

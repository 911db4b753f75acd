package dev.policysync.inspect;

import dev.policysync.inspect.StatusProblem.Severity;
import dev.policysync.plan.Action;
import dev.policysync.plan.Action.Cause;
import dev.policysync.plan.ApprovalState;
import dev.policysync.plan.Guard;
import dev.policysync.plan.Plan;
import dev.policysync.plan.Plan.Withheld;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.Succession.Stage;
import dev.policysync.policy.kyverno.KyvernoHealth;
import dev.policysync.sync.AgentNamespace;
import dev.policysync.sync.ApprovalInstructions;
import dev.policysync.sync.Inspection;
import dev.policysync.sync.LeaseHold;
import dev.policysync.sync.RecentErrors;
import dev.policysync.sync.Summary.Note;
import dev.policysync.sync.SyncResult;
import dev.policysync.sync.analysis.NotInForce;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/// Groups what is wrong by its cause, the worst cause first. A cause is named once, however many
/// policies it concerns.
public final class StatusProblems {
  private static final String CHECK = "policy-sync check";

  private final List<StatusProblem> problems = new ArrayList<>();
  private final ClusterFacts facts;
  private final Instant now;

  private StatusProblems(ClusterFacts facts, Instant now) {
    this.facts = facts;
    this.now = now;
  }

  static List<StatusProblem> find(
      Inspection inspection, Optional<AgentNamespace> namespace, ClusterFacts facts, Instant now) {
    var found = new StatusProblems(facts, now);
    switch (inspection) {
      case Inspection.NoCluster(var reason) -> found.addUnreadableCluster(reason);
      case Inspection.NoFeed(var reason) -> {
        found.addWebhookBreakers(Set.of());
        found.addUnreadableSource(reason);
        found.addLeaseAndSchedule(namespace);
      }
      case Inspection.Compared compared -> {
        found.addWebhookBreakers(
            compared.run().notInForce().stream()
                .filter(policy -> policy.cause() == NotInForce.Cause.BREAKS_WEBHOOKS)
                .map(NotInForce::id)
                .collect(Collectors.toSet()));
        found.addPolicies(compared);
        found.addLeaseAndSchedule(namespace);
      }
    }
    return found.problems.stream().sorted(Comparator.comparing(StatusProblem::severity)).toList();
  }

  private void addUnreadableCluster(String reason) {
    add(
        Severity.ERROR,
        "The cluster could not be read, so the state of its policies is unknown",
        reason,
        List.of(),
        CHECK);
  }

  private void addUnreadableSource(String reason) {
    add(
        Severity.ERROR,
        "The expected policies could not be read, so the state of the cluster's is unknown",
        reason,
        List.of(),
        CHECK);
  }

  /// @param named the policies that the comparison with the feed names already
  private void addWebhookBreakers(Set<PolicyId> named) {
    addGroups(
        Severity.ERROR,
        facts.webhookBreakers().stream()
            .filter(breaker -> !named.contains(breaker.policy()))
            .map(breaker -> note(breaker.policy(), breaker.reason()))
            .toList(),
        same ->
            policies(same.size())
                + (same.size() == 1 ? " breaks" : " break")
                + " Kyverno's webhook configuration: no change of any policy has an effect",
        "policy-sync lint");
  }

  private void addPolicies(Inspection.Compared compared) {
    var run = compared.run();
    var plan = run.plan();
    addHealth(compared.health(), run);
    addNotInForce(run.notInForce());
    addUnlistable(plan);
    addRejected(plan);
    addPending(plan, compared.recentErrors());
    problems.addAll(
        withheld(plan.pending().withheld(), run.removalApproval(), run.enforcementApproval()));
    addGroups(
        Severity.WARNING,
        plan.problems().conflicts().stream().map(c -> note(c.id(), c.reason())).toList(),
        same -> policiesAre(same.size()) + " not applied: the name is taken",
        "policy-sync diff");
    addEach(
        Severity.WARNING,
        plan.problems().managerConflicts().stream().map(StatusProblems::note).toList(),
        n -> policiesAre(n) + " changed again after each repair");
    addTerminating(plan);
    addEach(
        Severity.PENDING,
        plan.pending().waiting().stream().map(w -> note(w.id(), w.reason())).toList(),
        n -> n == 1 ? "1 change is left to a later run" : n + " changes are left to a later run");
    addEach(
        Severity.NOTE,
        plan.retained().ignored().stream().map(i -> note(i.id(), i.reason())).toList(),
        n -> policiesAre(n) + " left alone, as annotated");
    addEach(
        Severity.NOTE,
        plan.retained().kept().stream().map(kept -> note(kept.id(), kept.reason())).toList(),
        n -> policiesAre(n) + " kept, though no longer expected");
    addSuccessors(plan);
    addApprovals(plan);
    run.remarks().forEach(this::addNote);
  }

  /// Adds the policies that are being deleted. A finalizer usually takes seconds, so only one that
  /// takes too long is an error, as in a run.
  private void addTerminating(Plan plan) {
    var overdue = terminating(plan, true);
    if (!overdue.isEmpty()) {
      problems.add(
          new StatusProblem(
              Severity.ERROR,
              (overdue.size() == 1 ? "1 removal has" : overdue.size() + " removals have")
                  + " waited for a finalizer for too long",
              "The policy stays in force. Restore the controller that owns the finalizer, or remove"
                  + " the finalizer.",
              overdue,
              Optional.empty(),
              Optional.empty()));
    }
    addEach(
        Severity.NOTE,
        terminating(plan, false),
        n -> n == 1 ? "1 removal waits for a finalizer" : n + " removals wait for finalizers");
  }

  private List<Note> terminating(Plan plan, boolean overdue) {
    return plan.retained().terminating().stream()
        .filter(policy -> policy.overdue(now) == overdue)
        .map(policy -> note(policy.id(), policy.since().map(since -> "since " + since).orElse("")))
        .toList();
  }

  private void addApprovals(Plan plan) {
    for (var state :
        List.of(plan.approvals().removals(), plan.approvals().enforcement().approvalState())) {
      switch (state) {
        case ApprovalState.Missing missing -> missing.objection().ifPresent(this::addNote);
        case ApprovalState.Ended(var approval) ->
            addNote(
                "The approval of "
                    + approval.of()
                    + " has ended: the changes it was given for are not requested");
        case ApprovalState.Given _, ApprovalState.GivenToFeed _, ApprovalState.NotNeeded _ -> {
          // Nothing is wrong.
        }
      }
    }
  }

  private void addNote(String text) {
    problems.add(
        new StatusProblem(Severity.NOTE, text, "", List.of(), Optional.empty(), Optional.empty()));
  }

  private void addHealth(KyvernoHealth health, SyncResult.Finished run) {
    switch (health) {
      case KyvernoHealth.NotRunning(var reason) -> {
        // If a policy of the cluster depends on Kyverno, it is named as not in force.
        if (run.notInForce().isEmpty()) {
          add(Severity.NOTE, "Kyverno is not running", reason, List.of(), CHECK);
        }
      }
      case KyvernoHealth.Unknown(var reason) ->
          add(
              Severity.NOTE,
              "It is unknown whether Kyverno executes the policies",
              reason,
              List.of(),
              CHECK);
      case KyvernoHealth.Running _ -> {
        // Nothing is wrong.
      }
    }
  }

  private void addNotInForce(List<NotInForce> notInForce) {
    var byCause =
        notInForce.stream()
            .collect(
                Collectors.groupingBy(NotInForce::cause, LinkedHashMap::new, Collectors.toList()));
    byCause.forEach((cause, policies) ->
        addGroups(
            Severity.ERROR,
            policies.stream().map(policy -> note(policy.id(), policy.reason())).toList(),
            same -> policiesAre(same.size()) + notInForce(cause),
            next(cause)));
  }

  private String notInForce(NotInForce.Cause cause) {
    return switch (cause) {
      case NO_KYVERNO ->
          facts.kyverno().filter(kyverno -> kyverno.ready() == 0).isPresent()
              ? " not in force: Kyverno has no ready replica"
              : " not in force: Kyverno is not running";
      case NOT_READY -> " not in force: Kyverno reports not ready";
      case RELEASE -> " not in force: this release of Kyverno does not execute the kind";
      case BREAKS_WEBHOOKS -> " not in force";
    };
  }

  private String next(NotInForce.Cause cause) {
    return switch (cause) {
      case NO_KYVERNO ->
          facts
              .kyverno()
              .map(kyverno -> "kubectl describe deployment --namespace=" + kyverno.namespace())
              .orElse(CHECK);
      case NOT_READY ->
          "kubectl logs deployment/kyverno-admission-controller --namespace="
              + facts.kyverno().map(ClusterFacts.Kyverno::namespace).orElse("kyverno");
      case RELEASE -> "policy-sync convert --help";
      case BREAKS_WEBHOOKS -> "policy-sync lint";
    };
  }

  private void addUnlistable(Plan plan) {
    var unlistable = plan.problems().unlistable();
    if (unlistable.isEmpty()) {
      return;
    }
    var policies = unlistable.stream().mapToInt(Plan.Unlistable::policies).sum();
    var kinds = unlistable.size() == 1 ? "1 kind" : unlistable.size() + " kinds";
    add(
        Severity.ERROR,
        kinds
            + " could not be listed"
            + switch (policies) {
              case 0 -> "";
              case 1 -> ", so 1 policy is not compared";
              default -> ", so " + policies + " policies are not compared";
            },
        unlistable.getFirst().failure().reason(),
        unlistable.stream().map(kind -> new Note(kind.kind().label(), "")).toList(),
        CHECK);
  }

  /// Adds the expected policies that cannot be applied, except those of a kind that could not be
  /// listed.
  private void addRejected(Plan plan) {
    var unlistable =
        plan.problems().unlistable().stream()
            .map(Plan.Unlistable::kind)
            .collect(Collectors.toSet());
    addGroups(
        Severity.ERROR,
        plan.rejectedOnTheirOwn().stream()
            .filter(policy -> policy.id().filter(id -> unlistable.contains(id.kind())).isEmpty())
            .map(policy -> new Note(policy.label(), policy.failure().reason()))
            .toList(),
        same -> policies(same.size()) + " cannot be applied",
        "policy-sync lint");
  }

  /// Adds what the next run would do: again, if the last run failed to.
  private void addPending(Plan plan, RecentErrors recentErrors) {
    var failed =
        plan.actions().stream()
            .flatMap(action ->
                Optional.ofNullable(recentErrors.byPolicy().get(action.id()))
                    .map(error -> note(action.id(), error.reason(action.id())))
                    .stream())
            .toList();
    addGroups(
        Severity.ERROR,
        failed,
        same ->
            policies(same.size())
                + " could not be written, in each run since "
                + since(same, recentErrors),
        "policy-sync diff");
    for (var cause : Cause.values()) {
      addEach(
          Severity.PENDING,
          plan.actions().stream()
              .filter(action ->
                  action.cause() == cause && !recentErrors.byPolicy().containsKey(action.id()))
              .map(action -> note(action.id(), by(action)))
              .toList(),
          n -> policies(n) + " " + pending(cause, n == 1));
    }
  }

  private static Instant since(List<Note> same, RecentErrors recentErrors) {
    var policies = same.stream().map(Note::policy).collect(Collectors.toSet());
    return recentErrors.byPolicy().entrySet().stream()
        .filter(error -> policies.contains(error.getKey().toString()))
        .map(error -> error.getValue().since())
        .min(Comparator.naturalOrder())
        .orElseThrow();
  }

  private static String by(Action action) {
    return action instanceof Action.Update update && !update.by().isEmpty()
        ? "by " + update.by().stream().sorted().collect(Collectors.joining(", "))
        : "";
  }

  private static String pending(Cause cause, boolean one) {
    var is = one ? "is" : "are";
    var them = one ? "it" : "them";
    return switch (cause) {
      case NEW -> is + " missing; the next run applies " + them;
      case CHANGED -> is + " outdated; the next run updates " + them;
      case DRIFTED -> (one ? "was" : "were") + " changed; the next run repairs " + them;
      case ADOPTED -> is + " of another tool; the next run takes " + them + " over";
      case GONE_FROM_FEED -> is + " not expected any more; the next run removes " + them;
      case REPLACED -> is + " replaced by a successor; the next run removes " + them;
    };
  }

  /// Returns the problems of withheld changes, one for each guard.
  ///
  /// @param removals how to approve withheld removals, if a person may
  /// @param enforcing how to approve withheld writes that begin to block
  public static List<StatusProblem> withheld(
      List<Withheld> withheld,
      Optional<ApprovalInstructions> removals,
      Optional<ApprovalInstructions> enforcing) {
    var byGuard =
        withheld.stream()
            .collect(
                Collectors.groupingBy(Withheld::guard, LinkedHashMap::new, Collectors.toList()));
    return byGuard.entrySet().stream()
        .map(entry -> {
          var guard = entry.getKey();
          var details = entry.getValue().stream().map(Withheld::detail).distinct().toList();
          return new StatusProblem(
              Severity.WARNING,
              withheld(guard, entry.getValue().size()),
              guard == Guard.EMPTY_FEED
                  ? "If that is a mistake, fix the feed."
                  : details.size() == 1 ? details.getFirst() : "",
              entry.getValue().stream()
                  .map(held -> note(held.id(), details.size() == 1 ? "" : held.detail()))
                  .toList(),
              (guard.onRemovals() ? removals : enforcing)
                  .filter(_ -> guard.approvable())
                  .map(ApprovalInstructions::command),
              Optional.of("policy-sync diff"));
        })
        .toList();
  }

  private static String withheld(Guard guard, int n) {
    if (guard.onRemovals()) {
      return policies(n) + (n == 1 ? " stays" : " stay") + " in force: " + guard;
    }
    return (n == 1 ? "1 change is" : n + " changes are") + " withheld: " + guard;
  }

  private void addSuccessors(Plan plan) {
    addEach(
        Severity.NOTE,
        successors(plan, Stage.REHEARSAL),
        n ->
            (n == 1 ? "1 successor only audits" : n + " successors only audit")
                + " until reports show the same results as the legacy policy");
    addEach(
        Severity.NOTE,
        successors(plan, Stage.SIDE_BY_SIDE),
        n ->
            (n == 1 ? "1 successor is" : n + " successors are")
                + " in force beside the legacy policy");
  }

  private static List<Note> successors(Plan plan, Stage stage) {
    return plan.unchanged().stream()
        .filter(id ->
            Optional.ofNullable(plan.successions().get(id))
                .filter(succession -> succession.stage() == stage)
                .isPresent())
        .map(id -> note(id, "for " + plan.ofFeed(id)))
        .toList();
  }

  private void addLeaseAndSchedule(Optional<AgentNamespace> namespace) {
    facts
        .lease()
        .filter(lease -> lease.hold() == LeaseHold.STUCK)
        .ifPresent(lease ->
            add(
                Severity.ERROR,
                "No run can write: the Lease is held by "
                    + lease.holder().orElse("another holder")
                    + ", which cannot be a run",
                "It has held the Lease for longer than any run takes. If it is gone, release it.",
                List.of(),
                lease.howToFree()));
    var explained =
        problems.stream().anyMatch(problem -> problem.severity().compareTo(Severity.WARNING) <= 0);
    facts
        .schedule()
        .objection(now)
        .filter(objection -> !(explained && objection.lastRunFailed()))
        .ifPresent(objection ->
            add(Severity.WARNING, objection.what(), objection.how(), List.of(), objection.next()));
    namespace
        .flatMap(AgentNamespace::objection)
        .ifPresent(objection ->
            add(
                Severity.WARNING,
                "A sync from here is refused: it is unclear which namespace is the agent's",
                objection.reason(),
                List.of(),
                "policy-sync status --namespace=NAMESPACE"));
    addEach(
        Severity.NOTE,
        facts.expiring().stream()
            .filter(exception -> exception.at().isBefore(now.plus(SyncStatus.SOON)))
            .map(exception ->
                new Note(
                    exception.exception(),
                    (exception.at().isBefore(now) ? "ended at " : "ends at ") + exception.at()))
            .toList(),
        n -> n == 1 ? "1 exception ends soon or has ended" : n + " exceptions end soon or ended");
    if (!facts.unread().isEmpty()) {
      add(
          Severity.NOTE,
          "Some facts are unknown, because they could not be read",
          "",
          facts.unread().stream().distinct().map(why -> new Note(why, "")).toList(),
          CHECK);
    }
  }

  /// Adds a problem for each reason.
  private void addGroups(
      Severity severity, List<Note> notes, Function<List<Note>, String> title, String next) {
    for (var same : Note.byReason(notes)) {
      add(
          severity,
          title.apply(same),
          same.getFirst().reason(),
          same.stream().map(note -> new Note(note.policy(), "")).toList(),
          next);
    }
  }

  private void addEach(Severity severity, List<Note> notes, Function<Integer, String> title) {
    if (!notes.isEmpty()) {
      problems.add(
          new StatusProblem(
              severity, title.apply(notes.size()), "", notes, Optional.empty(), Optional.empty()));
    }
  }

  private void add(Severity severity, String title, String reason, List<Note> notes, String next) {
    problems.add(
        new StatusProblem(severity, title, reason, notes, Optional.empty(), Optional.of(next)));
  }

  private static String policies(int n) {
    return n == 1 ? "1 policy" : n + " policies";
  }

  private static String policiesAre(int n) {
    return n == 1 ? "1 policy is" : n + " policies are";
  }

  private static Note note(PolicyId id, String reason) {
    return new Note(id.toString(), reason);
  }

  static Note note(Plan.ManagerConflict conflict) {
    var who =
        conflict.by().isEmpty()
            ? "an unknown manager"
            : conflict.by().stream().sorted().collect(Collectors.joining(", "));
    return note(conflict.id(), "by " + who + ", after " + (conflict.times() - 1) + " repairs");
  }
}

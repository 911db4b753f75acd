package dev.policysync.inspect;

import dev.policysync.inspect.StatusProblem.Severity;
import dev.policysync.plan.Action;
import dev.policysync.plan.Plan;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.kyverno.KyvernoHealth;
import dev.policysync.policy.kyverno.KyvernoVersion;
import dev.policysync.sync.AgentNamespace;
import dev.policysync.sync.Inspection;
import dev.policysync.sync.Summary;
import dev.policysync.sync.Summary.Note;
import dev.policysync.sync.SyncResult;
import dev.policysync.sync.analysis.NotInForce;
import dev.policysync.sync.execution.WriteMode;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The state of a cluster compared with its source.
///
/// @param target what was compared
/// @param policies the policies; empty if source or cluster could not be read
/// @param summary the summary of a run now
/// @param facts the cluster's state apart from its policies
/// @param problems what is wrong, the worst first
/// @param now the time of this status
public record SyncStatus(
    Target target,
    Optional<Policies> policies,
    Summary summary,
    ClusterFacts facts,
    List<StatusProblem> problems,
    Instant now) {
  /// Exceptions that end within this time are listed.
  static final Duration SOON = Duration.ofDays(14);

  /// The cluster and the source that were compared.
  ///
  /// @param cluster `kind-prod at https://127.0.0.1:6443`
  /// @param namespace the agent's; empty if the cluster could not be asked
  /// @param source `acme/prod-1`, or the files
  /// @param metrics where runs send metrics; empty if nowhere
  public record Target(
      String cluster,
      Optional<AgentNamespace> namespace,
      String source,
      Optional<String> metrics) {}

  /// The policies of source and cluster.
  ///
  /// @param expected the number of policies in the source
  /// @param inForce how many of them are in sync and in force; empty if it is unknown whether
  ///   Kyverno executes any
  /// @param staying how many policies are no longer expected and stay in force, because a guard
  ///   withholds their removal
  /// @param rehearsals how many successors only audit, beside the policies that they will replace
  /// @param endsWithKyverno119 how many expected policies only Kyverno up to 1.19 executes; 0
  ///   unless such a version is installed
  /// @param pending the policies that the next run would write or remove
  /// @param managerConflicts policies that somebody keeps changing
  public record Policies(
      int expected,
      Optional<Integer> inForce,
      int staying,
      int rehearsals,
      int endsWithKyverno119,
      List<Pending> pending,
      List<Note> managerConflicts) {
    public Policies {
      pending = List.copyOf(pending);
      managerConflicts = List.copyOf(managerConflicts);
    }
  }

  /// A policy that differs from the source.
  ///
  /// @param by who changed the policy, if that is the cause and known
  public record Pending(String policy, Action.Cause cause, List<String> by) {
    public Pending {
      by = List.copyOf(by);
    }
  }

  public SyncStatus {
    problems = List.copyOf(problems);
  }

  public static SyncStatus of(
      Target target, Inspection inspection, ClusterFacts facts, Instant now) {
    return new SyncStatus(
        target,
        inspection instanceof Inspection.Compared compared
            ? Optional.of(policies(compared, facts))
            : Optional.empty(),
        Summary.of(result(inspection), WriteMode.DRY_RUN, Duration.ZERO, now),
        facts,
        StatusProblems.find(inspection, target.namespace, facts, now),
        now);
  }

  private static SyncResult result(Inspection inspection) {
    return switch (inspection) {
      case Inspection.Compared(var run, _, _) -> run;
      case Inspection.NoFeed(var reason) -> new SyncResult.Refused(reason, true);
      case Inspection.NoCluster(var reason) -> new SyncResult.Refused(reason, true);
    };
  }

  private static Policies policies(Inspection.Compared compared, ClusterFacts facts) {
    var plan = compared.run().plan();
    return new Policies(
        expected(plan),
        compared.health() instanceof KyvernoHealth.Unknown
            ? Optional.empty()
            : Optional.of(inForce(compared.run())),
        plan.withheldRemovals().size(),
        (int) plan.unchanged().stream().filter(plan::rehearses).count(),
        executesLegacyKinds(facts) ? legacy(plan) : 0,
        plan.actions().stream().map(SyncStatus::pending).toList(),
        plan.problems().managerConflicts().stream().map(StatusProblems::note).toList());
  }

  private static int expected(Plan plan) {
    var others =
        Stream.of(
            plan.problems().rejected().stream(),
            plan.problems().conflicts().stream(),
            plan.pending().withheld().stream().filter(held -> !held.guard().onRemovals()),
            plan.retained().ignored().stream()
                .filter(ignored -> ignored.feed() != Plan.Ignored.Feed.LACKS_IT));
    return (int) (wanted(plan).count() + others.flatMap(Function.identity()).count());
  }

  private static int inForce(SyncResult.Finished run) {
    var notInForce = run.notInForce().stream().map(NotInForce::id).collect(Collectors.toSet());
    var plan = run.plan();
    return (int)
        plan.unchanged().stream()
            .filter(id -> !notInForce.contains(id) && !plan.rehearses(id))
            .count();
  }

  private static boolean executesLegacyKinds(ClusterFacts facts) {
    return facts
        .kyverno()
        .flatMap(ClusterFacts.Kyverno::version)
        .filter(KyvernoVersion::executesLegacyKinds)
        .isPresent();
  }

  private static int legacy(Plan plan) {
    return (int) wanted(plan).filter(id -> id.kind().endsWithKyverno119()).count();
  }

  /// Returns the expected policies that are in sync or that the next run writes.
  private static Stream<PolicyId> wanted(Plan plan) {
    return Stream.concat(
            plan.unchanged().stream(),
            plan.actions().stream().filter(Action.Write.class::isInstance).map(Action::id))
        .filter(id -> !plan.rehearses(id));
  }

  private static Pending pending(Action action) {
    return new Pending(
        action.id().toString(),
        action.cause(),
        action instanceof Action.Update update
            ? update.by().stream().sorted().toList()
            : List.of());
  }

  /// Returns whether every expected policy is in force and runs are scheduled that keep it so.
  public boolean well() {
    return problems.stream().allMatch(problem -> problem.severity() == Severity.NOTE);
  }
}

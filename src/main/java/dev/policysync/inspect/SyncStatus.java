package dev.policysync.inspect;

import dev.policysync.plan.Action;
import dev.policysync.plan.Plan;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.kyverno.KyvernoVersion;
import dev.policysync.sync.AgentNamespace;
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
/// @param source `acme/prod-1`, or the files
/// @param metrics where runs send metrics; empty if nowhere
/// @param summary the summary of a run now: what fails, is withheld, ignored, in conflict or not in
///   force
/// @param expected the number of policies in the source; 0 if the source could not be read
/// @param inForce how many of them are in sync and in force
/// @param endsWithKyverno119 how many expected policies only Kyverno up to 1.19 executes; 0 unless
///   such a version is installed
/// @param pending the policies that the next run would write or remove
/// @param managerConflicts policies that somebody keeps changing
/// @param facts the cluster's state apart from its policies
/// @param now the time of this status
public record SyncStatus(
    String source,
    Optional<String> metrics,
    Summary summary,
    int expected,
    int inForce,
    int endsWithKyverno119,
    List<Pending> pending,
    List<Note> managerConflicts,
    ClusterFacts facts,
    Instant now) {
  /// Exceptions that expire within this time are listed.
  private static final Duration SOON = Duration.ofDays(14);

  /// A policy that differs from the source.
  ///
  /// @param by who changed the policy, if that is the cause and known
  public record Pending(String policy, Action.Cause cause, List<String> by) {
    public Pending {
      by = List.copyOf(by);
    }
  }

  public SyncStatus {
    pending = List.copyOf(pending);
    managerConflicts = List.copyOf(managerConflicts);
  }

  /// Derives the status from a dry run.
  public static SyncStatus of(
      String source,
      Optional<String> metrics,
      SyncResult look,
      AgentNamespace namespace,
      ClusterFacts facts,
      Instant now) {
    var finished =
        look instanceof SyncResult.Finished run
            ? Optional.of(run)
            : Optional.<SyncResult.Finished>empty();
    var plan = finished.map(SyncResult.Finished::plan);
    return new SyncStatus(
        source,
        metrics,
        Summary.of(look, WriteMode.DRY_RUN, Duration.ZERO, now, namespace),
        plan.map(SyncStatus::expected).orElse(0),
        finished.map(SyncStatus::inForce).orElse(0),
        plan.filter(_ -> executesLegacyKinds(facts)).map(SyncStatus::legacy).orElse(0),
        plan.stream().flatMap(found -> found.actions().stream()).map(SyncStatus::pending).toList(),
        plan.stream()
            .flatMap(found -> found.problems().managerConflicts().stream())
            .map(SyncStatus::fight)
            .toList(),
        facts,
        now);
  }

  private static int expected(Plan plan) {
    var others =
        Stream.of(
            plan.problems().rejected().stream(),
            plan.problems().conflicts().stream(),
            plan.pending().withheld().stream().filter(held -> !held.guard().onRemovals()),
            plan.retained().ignored().stream()
                .filter(left -> left.feed() != Plan.Ignored.Feed.LACKS_IT));
    return (int) (wanted(plan).count() + others.flatMap(Function.identity()).count());
  }

  private static int inForce(SyncResult.Finished run) {
    var notInForce = run.notInForce().stream().map(NotInForce::id).collect(Collectors.toSet());
    return (int) run.plan().unchanged().stream().filter(id -> !notInForce.contains(id)).count();
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

  private static Stream<PolicyId> wanted(Plan plan) {
    return Stream.concat(
        plan.unchanged().stream(),
        plan.actions().stream().filter(Action.Write.class::isInstance).map(Action::id));
  }

  private static Pending pending(Action action) {
    return new Pending(
        action.id().toString(),
        action.cause(),
        action instanceof Action.Update update ? List.copyOf(update.by()) : List.of());
  }

  private static Note fight(Plan.ManagerConflict managerConflict) {
    var who =
        managerConflict.by().isEmpty()
            ? "an unknown manager"
            : String.join(", ", managerConflict.by().stream().sorted().toList());
    return new Note(
        managerConflict.id().toString(),
        who + " changed it again after " + (managerConflict.times() - 1) + " repairs");
  }

  /// Returns whether the source could be read, so that the expected policies are known.
  public boolean sourceRead() {
    return summary.feed().isPresent();
  }

  /// Returns the exceptions that expire soon or have expired.
  public List<ClusterFacts.ExpiringException> expiringSoon() {
    return facts.expiring().stream()
        .filter(exception -> exception.at().isBefore(now.plus(SOON)))
        .toList();
  }

  /// Returns whether every expected policy is in force and runs are scheduled that keep it so.
  public boolean well() {
    return summary.status() == Summary.RunStatus.DONE
        && pending.isEmpty()
        && managerConflicts.isEmpty()
        && summary.namespace().flatMap(AgentNamespace::objection).isEmpty()
        && facts.lease().filter(ClusterFacts.LeaseHolder::stuck).isEmpty()
        && facts.schedule().objection(now).isEmpty();
  }
}

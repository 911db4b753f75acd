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

/// How a cluster stands to its source at one moment.
///
/// @param source `acme/prod-1`, or the files
/// @param metrics where a run's metrics go; empty where nowhere
/// @param summary what a run would find: what fails, is withheld, taken, ignored or not in force
/// @param expected how many policies the source has; 0 where it could not be read
/// @param inForce how many of them are in sync and executed
/// @param endsWithKyverno119 how many of the expected policies only Kyverno up to 1.19 executes,
///   where that is what is installed
/// @param pending what the next run would write
/// @param fights policies that somebody keeps changing
/// @param facts what is around the policies
/// @param now when that was
public record SyncStatus(
    String source,
    Optional<String> metrics,
    Summary summary,
    int expected,
    int inForce,
    int endsWithKyverno119,
    List<Pending> pending,
    List<Note> fights,
    ClusterFacts facts,
    Instant now) {
  /// Exceptions that end within that time are worth a line.
  private static final Duration SOON = Duration.ofDays(14);

  /// A policy that is not as the source wants it.
  ///
  /// @param by who changed it, where that is the cause and known
  public record Pending(String policy, Action.Cause cause, List<String> by) {
    public Pending {
      by = List.copyOf(by);
    }
  }

  public SyncStatus {
    pending = List.copyOf(pending);
    fights = List.copyOf(fights);
  }

  /// What a look at feed and cluster came to.
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
            .flatMap(found -> found.managerConflicts().stream())
            .map(SyncStatus::fight)
            .toList(),
        facts,
        now);
  }

  private static int expected(Plan plan) {
    var others =
        Stream.of(
            plan.rejected().stream(),
            plan.conflicts().stream(),
            plan.withheld().stream().filter(held -> !held.guard().onRemovals()),
            plan.ignored().stream().filter(left -> left.feed() != Plan.Ignored.Feed.LACKS_IT));
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

  /// Whether the source could be read, so that anything is known of what is expected.
  public boolean sourceRead() {
    return summary.feed().isPresent();
  }

  /// The exceptions that end soon, or did.
  public List<ClusterFacts.ExpiringException> expiringSoon() {
    return facts.expiring().stream()
        .filter(exception -> exception.at().isBefore(now.plus(SOON)))
        .toList();
  }

  /// Whether everything expected is in force, and the runs that keep it so come.
  public boolean well() {
    return summary.status() == Summary.RunStatus.DONE
        && pending.isEmpty()
        && fights.isEmpty()
        && summary.namespace().flatMap(AgentNamespace::objection).isEmpty()
        && facts.lease().filter(ClusterFacts.LeaseHolder::stuck).isEmpty()
        && facts.schedule().objection(now).isEmpty();
  }
}

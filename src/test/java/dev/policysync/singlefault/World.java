package dev.policysync.singlefault;

import dev.policysync.base.CanonicalJson;
import dev.policysync.base.Value;
import dev.policysync.plan.Approval;
import dev.policysync.plan.ApprovalState;
import dev.policysync.plan.Failure;
import dev.policysync.plan.PlannerOptions;
import dev.policysync.plan.SourceName;
import dev.policysync.plan.impact.Impact;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.PolicyKind;
import dev.policysync.sync.FakeTime;
import dev.policysync.sync.PolicyStatus;
import dev.policysync.sync.SyncResult;
import dev.policysync.sync.analysis.ViolationSource;
import dev.policysync.sync.execution.OtherWriters;
import dev.policysync.sync.succession.Conversions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;

/// A cluster, a remote API, the time, and runs of the agent between them.
abstract class World {
  static final Duration BETWEEN_RUNS = Duration.ofMinutes(5);
  private static final Duration LONGER_THAN_A_LEASE = Duration.ofSeconds(61);

  protected final FakeTime time = new FakeTime();
  protected final Scenario scenario;
  protected final WriteJudge writeJudge;
  private final List<PolicyStatus> told = new ArrayList<>();
  private ScenarioFeed scenarioFeed = new ScenarioFeed(0, List.of());
  private Optional<ScenarioFeed> earlierFeed = Optional.empty();
  private long failing;
  private Optional<Long> earlierFailing = Optional.empty();
  private boolean listening = true;
  private SourceName source;
  private boolean converting;
  private int otherRuns;
  private Optional<Ran> asking = Optional.empty();

  World(Scenario scenario) {
    this.scenario = scenario;
    this.source = scenario.plannerOptions().source();
    this.writeJudge = new WriteJudge(scenario, this);
  }

  /// One in which the same has happened.
  World(World other) {
    this.scenario = other.scenario;
    this.writeJudge = new WriteJudge(other.writeJudge, this);
    this.time.advance(Duration.ofNanos(other.time.nanoTime()));
    this.told.addAll(other.told);
    this.scenarioFeed = other.scenarioFeed;
    this.earlierFeed = other.earlierFeed;
    this.failing = other.failing;
    this.earlierFailing = other.earlierFailing;
    this.listening = other.listening;
    this.source = other.source;
    this.converting = other.converting;
    this.otherRuns = other.otherRuns;
    this.asking = other.asking;
  }

  /// A run that has ended.
  ///
  /// @param result none where it was killed
  record Ran(RequestLog requestLog, Optional<SyncResult> result) {
    SyncResult.Finished finished() {
      if (result.isPresent() && result.get() instanceof SyncResult.Finished finished) {
        return finished;
      }
      throw new AssertionError(requestLog.run() + " did not end well: " + result);
    }
  }

  /// What is left of everything.
  ///
  /// @param policies what the cluster has
  /// @param left what a further run would hold back or leave alone
  record End(SortedMap<PolicyId, String> policies, List<String> left) {
    /// Whether each policy is as it is in one of those, and nothing else is left over.
    boolean isOneOf(List<End> right) {
      var all = new TreeSet<>(policies.keySet());
      right.forEach(one -> all.addAll(one.policies.keySet()));
      return all.stream()
              .allMatch(id ->
                  right.stream()
                      .anyMatch(one -> Objects.equals(policies.get(id), one.policies.get(id))))
          && right.stream().flatMap(one -> one.left.stream()).toList().containsAll(left);
    }

    /// Whether that is held back, not ours or to stay.
    boolean leaves(Predicate<String> policy) {
      return left.stream().anyMatch(text -> policy.test(text.substring(text.indexOf(' ') + 1)));
    }

    /// What of it is not as it should be.
    String unlike(End right) {
      var all = new TreeMap<>(policies);
      all.putAll(right.policies);
      all.keySet().removeIf(id -> Objects.equals(policies.get(id), right.policies.get(id)));
      all.replaceAll((id, _) -> policies.get(id) + " and not " + right.policies.get(id));
      return all + ", left " + left + " and not " + right.left;
    }
  }

  /// What a run speaks to.
  protected abstract RunPorts ports(RequestLog requestLog);

  abstract OtherWriters others();

  /// Lets every removal of that policy be done from now on, and answered with that failure.
  void answerRemoval(PolicyId id, Failure failure) {
    throw new UnsupportedOperationException("only in memory");
  }

  /// Makes unreadable what runs recorded of removals.
  void damageMemory() {
    throw new UnsupportedOperationException("only in memory");
  }

  /// All policies there are, as people wrote them: without status and what the server keeps.
  abstract SortedMap<PolicyId, Value.Mapping> policies();

  /// Who holds the Lease; empty where nobody does.
  abstract String holder();

  abstract void approve(Approval.Of what, String list);

  /// Takes every approval away; whether there was one.
  abstract boolean withdrawApprovals();

  /// Notes what is true now before somebody changes it, for answers that are old.
  protected abstract void changes();

  /// Kyverno is ready for what there is, where a policy's successors have to wait for that.
  private void executes() {
    if (!scenario.successors().isEmpty()) {
      policies().keySet().stream()
          .filter(id -> id.kind().role() == PolicyKind.Role.POLICY)
          .forEach(id -> others().report(id, ready(id.kind())));
    }
  }

  private static String ready(PolicyKind kind) {
    return kind == PolicyKind.CLUSTER_POLICY
        ? "{conditions: [{type: Ready, status: 'True', reason: Succeeded, message: Ready,"
            + " lastTransitionTime: '2026-01-01T00:00:00Z'}]}"
        : "{conditionStatus: {ready: true}}";
  }

  /// Runs the agent once, now.
  final Ran run(String name, SingleFault singleFault) {
    executes();
    var requestLog = new RequestLog(name, singleFault, this);
    try {
      var result = ports(requestLog).synchronizer().run();
      requestLog.goesOn();
      return new Ran(
          requestLog, requestLog.dead() ? Optional.<SyncResult>empty() : Optional.of(result));
    } catch (KilledRun | IllegalStateException e) {
      if (requestLog.dead()) {
        return new Ran(requestLog, Optional.empty());
      }
      throw e;
    }
  }

  /// Runs the agent five minutes later, with nothing going wrong.
  final Ran calmRun(String name) {
    time.advance(BETWEEN_RUNS);
    return run(name, SingleFault.NONE);
  }

  /// Runs the agent five minutes later, and ends it once that write is done.
  final void killedRun(String name, String request) {
    time.advance(BETWEEN_RUNS);
    if (run(name, SingleFault.of(SingleFault.Kind.KILLED_AFTER, request)).result().isPresent()) {
      throw new AssertionError(name + " had no " + request);
    }
  }

  final void publish(String... documents) {
    publish(scenarioFeed.next(documents));
  }

  final void publish(ScenarioFeed next) {
    earlierFeed = Optional.of(scenarioFeed);
    scenarioFeed = next;
  }

  final ScenarioFeed feed() {
    return scenarioFeed;
  }

  final Optional<ScenarioFeed> earlierFeed() {
    return earlierFeed;
  }

  /// Lets reports say that so many workloads break every policy.
  final void reports(long workloads) {
    earlierFailing = Optional.of(failing);
    failing = workloads;
  }

  final long failing() {
    return failing;
  }

  final Optional<Long> earlierFailing() {
    return earlierFailing;
  }

  /// Whether the API takes statuses.
  final void listens(boolean takes) {
    listening = takes;
  }

  /// The agent works for another cluster from now on.
  final void renames(SourceName another) {
    source = another;
  }

  /// Whom the agent works for.
  final SourceName source() {
    return source;
  }

  final PlannerOptions plannerOptions() {
    var options = scenario.plannerOptions();
    return new PlannerOptions(
        source,
        options.adoption(),
        options.removals(),
        options.enforcing(),
        options.approvedFeed());
  }

  /// Whether the agent puts successors in the place of policies.
  final void converts(boolean applies) {
    converting = applies;
  }

  final Conversions conversions() {
    return converting ? Successions.of(scenario) : new Conversions.Off();
  }

  /// A run withholds something, and nobody has answered yet.
  final void asks(Ran run) {
    asking = Optional.of(run);
  }

  /// A person approves what a run said that it withholds; whether one did.
  final boolean approve() {
    asking.ifPresent(this::approve);
    return asking.isPresent();
  }

  private void approve(Ran run) {
    var plan = run.finished().plan();
    if (plan.approvals().removals() instanceof ApprovalState.Missing(var list, _)) {
      approve(Approval.Of.REMOVALS, list.text());
    }
    if (plan.approvals().enforcement().approvalState()
        instanceof ApprovalState.Missing(var list, _)) {
      approve(Approval.Of.ENFORCEMENT, list.text());
    }
  }

  /// Another agent's run, for which this one stands still longer than its Lease lasts.
  final void anotherRun() {
    time.advance(LONGER_THAN_A_LEASE);
    run("another-" + ++otherRuns, SingleFault.NONE);
  }

  /// One of them.
  Optional<Value.Mapping> policy(PolicyId id) {
    return Optional.ofNullable(policies().get(id));
  }

  /// What the API says to statuses: those that it does not take.
  protected final List<PolicyStatus> tell(List<PolicyStatus> statuses) {
    if (!listening) {
      return statuses;
    }
    told.addAll(statuses);
    return List.of();
  }

  /// The last that the API was told of a name.
  final Optional<PolicyStatus> told(String name) {
    return told.stream().filter(status -> status.name().equals(name)).reduce((_, last) -> last);
  }

  /// Everything that the API was told.
  final List<PolicyStatus> told() {
    return List.copyOf(told);
  }

  protected final ViolationSource.Result reported(long workloads, Collection<Impact> asked) {
    var found = new HashMap<PolicyId, ViolationSource.Violations>();
    for (var impact : asked) {
      found.put(
          impact.policy(),
          new ViolationSource.Violations(
              Map.of("shop", workloads),
              List.of("Pod/shop/a"),
              Optional.of(time.clock().instant())));
    }
    return new ViolationSource.Result.Reported(true, found);
  }

  final End end(Ran last) {
    var policies = new TreeMap<PolicyId, String>();
    policies().forEach((id, object) -> policies.put(id, CanonicalJson.write(object)));
    var plan = last.finished().plan();
    var left = new ArrayList<String>();
    plan.pending().withheld().forEach(held -> left.add("withheld " + held.id()));
    plan.problems().conflicts().forEach(conflict -> left.add("conflict " + conflict.id()));
    plan.retained().kept().forEach(kept -> left.add("kept " + kept.id()));
    plan.retained().ignored().forEach(ignored -> left.add("ignored " + ignored.id()));
    plan.problems().rejected().forEach(rejected -> left.add("rejected " + rejected.label()));
    plan.actions().forEach(action -> left.add("to do " + action.id()));
    return new End(policies, left);
  }
}

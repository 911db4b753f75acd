package dev.policysync.sync;

import static java.util.Comparator.comparing;
import static java.util.stream.Collectors.toSet;

import dev.policysync.plan.Plan;
import dev.policysync.policy.Digest;
import dev.policysync.policy.PolicyId;
import dev.policysync.sync.execution.Outcome;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/// Reports a run to the remote API while it is in progress: each name as soon as the last of its
/// policies has ended and its status is final (promise 12). The planned writes are recorded before,
/// so that the next run reports them if this one is killed.
final class StatusReport {
  private final Plan plan;
  private final PolicyStatusBuilder builder;
  private final StatusSink.Transmission transmission;
  private final Clock clock;
  private final Map<String, Integer> awaited = new HashMap<>();
  private final Map<String, List<Outcome>> ended = new HashMap<>();
  private final Map<String, PolicyStatus> told = new LinkedHashMap<>();

  private StatusReport(
      Plan plan, PolicyStatusBuilder builder, StatusSink.Transmission transmission, Clock clock) {
    this.plan = plan;
    this.builder = builder;
    this.transmission = transmission;
    this.clock = clock;
  }

  /// Begins the report with everything that is known before the first write: policies that cannot
  /// be applied, and the backlog of earlier runs.
  public static StatusReport begin(
      StatusSink api, Plan plan, PolicyStatusBuilder builder, Clock clock) {
    var report = new StatusReport(plan, builder, api.begin(builder.names().size()), clock);
    for (var action : plan.actions()) {
      report.name(action.id()).ifPresent(name -> report.awaited.merge(name, 1, Integer::sum));
    }
    builder.names().stream()
        .filter(name -> !report.awaited.containsKey(name))
        .forEach(report::tell);
    return report;
  }

  /// Records the outcome of an action. Called once for each action, by several threads at once.
  public synchronized void ended(Outcome outcome) {
    name(outcome.action().id())
        .ifPresent(name -> {
          ended.computeIfAbsent(name, _ -> new ArrayList<>()).add(outcome);
          if (awaited.merge(name, -1, Integer::sum) == 0) {
            tell(name);
          }
        });
  }

  public synchronized int size() {
    return told.size();
  }

  /// Waits for the statuses that are still being sent. Called after all actions have ended.
  public synchronized Result end() {
    var open = new TreeSet<PolicyId>();
    for (var name : builder.names()) {
      open.addAll(builder.open(name, outcomes(name), Optional.ofNullable(told.get(name))));
    }
    var unsent = transmission.end();
    var untold = unsent.stream().map(PolicyStatus::name).collect(toSet());
    var conflicts = new HashMap<>(builder.conflicts());
    conflicts.keySet().removeIf(id -> untold.contains(id.name()) && open.add(id));
    return new Result(List.copyOf(told.values()), unsent, open, conflicts);
  }

  /// The result of the report.
  ///
  /// @param statuses all statuses of the run
  /// @param unsent the statuses that the API did not accept
  /// @param open policies that the API does not know to be in sync after the report
  /// @param conflicts the conflicts that the API knows, with the digest of each reason
  public record Result(
      List<PolicyStatus> statuses,
      List<PolicyStatus> unsent,
      Set<PolicyId> open,
      Map<PolicyId, Digest> conflicts) {
    public Result {
      statuses = List.copyOf(statuses);
      unsent = List.copyOf(unsent);
      open = Set.copyOf(open);
      conflicts = Map.copyOf(conflicts);
    }
  }

  private void tell(String name) {
    builder
        .statusOf(name, outcomes(name), clock.instant())
        .ifPresent(status -> {
          told.put(name, status);
          transmission.send(status, () -> builder.body(status));
        });
  }

  /// Returns the outcomes in an order that does not depend on which action ended first.
  private List<Outcome> outcomes(String name) {
    return ended.getOrDefault(name, List.of()).stream()
        .sorted(comparing(outcome -> outcome.action().id()))
        .toList();
  }

  /// Returns the name under which the API knows the policy; empty for a rehearsal, which is not
  /// reported.
  private Optional<String> name(PolicyId id) {
    return plan.rehearses(id) ? Optional.empty() : Optional.of(plan.ofFeed(id).name());
  }
}

package dev.policysync.sync;

import dev.policysync.impact.Impact;
import dev.policysync.impact.Judge;
import dev.policysync.impact.Surroundings;
import dev.policysync.plan.Action;
import dev.policysync.plan.Actual;
import dev.policysync.plan.EnforceGuard;
import dev.policysync.plan.Plan;
import dev.policysync.plan.Tightening;
import dev.policysync.policy.Expected;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.PolicyKind;
import dev.policysync.yaml.Value;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Supplier;

/// Finds out what a plan's writes will do to requests before they are done.
///
/// A plan is made twice in a run, without the Lease and under it; what was found out of an action
/// holds for the same action. Reports are read once, and only where something tightens.
final class Foresight implements Strictness {
  private final PolicyStore store;
  private final FailingNow reports;
  private final EnforceGuard guard;
  private final StopSign stop;
  private final Clock clock;
  private final int concurrency;

  private final Map<Action, Impact> judged = new ConcurrentHashMap<>();
  private Supplier<Surroundings> others = () -> Surroundings.NONE;
  private final Set<PolicyId> asked = new HashSet<>();
  private Optional<FailingNow.Answer> answer = Optional.empty();

  Foresight(
      PolicyStore store,
      FailingNow reports,
      EnforceGuard guard,
      StopSign stop,
      Clock clock,
      int concurrency) {
    this.store = store;
    this.reports = reports;
    this.guard = guard;
    this.stop = stop;
    this.clock = clock;
    this.concurrency = concurrency;
  }

  /// What was found out of a plan.
  ///
  /// @param writes those that change what is blocked, in the order of the plan
  /// @param tightenings what of it a guard goes by
  record Found(List<Foreseen> writes, List<Tightening> tightenings) {
    static final Found NOTHING = new Found(List.of(), List.of());
  }

  Found of(Plan plan, Expected expected, Actual actual) {
    others = () -> surroundings(expected, actual);
    var actions = plan.actions().stream().filter(Foresight::matters).toList();
    if (guard.mode() == EnforceGuard.Mode.OFF || actions.isEmpty()) {
      return Found.NOTHING;
    }
    judge(actions);
    var impacts = new LinkedHashMap<Action, Impact>();
    for (var action : actions) {
      var impact = judged.get(action);
      if (impact != null && !impact.reasons().isEmpty()) {
        impacts.put(action, impact);
      }
    }
    ask(impacts);
    var writes = new ArrayList<Foreseen>();
    var tightenings = new ArrayList<Tightening>();
    impacts.forEach((action, impact) -> {
      var foreseen = foreseen(action, impact);
      writes.add(foreseen);
      if (!impact.guarded().isEmpty()) {
        tightenings.add(foreseen.tightening(anyReports(), isNewPolicy(action)));
      }
    });
    return new Found(List.copyOf(writes), List.copyOf(tightenings));
  }

  private static boolean matters(Action action) {
    return Judge.judges(action.id().kind());
  }

  @Override
  public boolean mayTighten(Action.Write write) {
    return !matters(write) || !judgedOrNow(write).guarded().isEmpty();
  }

  @Override
  public boolean guardedAnew(Action.Write judged, Action.Write again) {
    return guard.mode() == EnforceGuard.Mode.HOLD
        && matters(again)
        && !judgedOrNow(judged).guarded().containsAll(judgedOrNow(again).guarded());
  }

  private Impact judgedOrNow(Action.Write write) {
    var known = judged.get(write);
    if (known != null) {
      return known;
    }
    var impact = judge(write, surroundings(List.of(write)));
    judged.put(write, impact);
    return impact;
  }

  private void judge(List<Action> actions) {
    var open = actions.stream().filter(action -> !judged.containsKey(action)).toList();
    if (open.isEmpty()) {
      return;
    }
    var surroundings = surroundings(open);
    // Platform threads: a virtual one blocked in a socket keeps the JVM from ending at once.
    try (var threads = Executors.newFixedThreadPool(Math.min(concurrency, open.size()))) {
      var pending = new LinkedHashMap<Action, Future<Impact>>();
      for (var action : open) {
        Callable<Impact> task = () -> judge(action, surroundings);
        pending.put(action, threads.submit(task));
      }
      pending.forEach((action, impact) -> judged.put(action, result(impact)));
    }
  }

  private Impact judge(Action action, Surroundings surroundings) {
    try {
      return action instanceof Action.Create
          ? asNew(action, surroundings)
          : judgeChange(action, surroundings);
    } catch (RuntimeException e) {
      return Judge.unreadable(action.id(), defect(e));
    }
  }

  private Impact judgeChange(Action action, Surroundings surroundings) {
    var stopped = stop.reason();
    if (stopped.isPresent()) {
      return unread(action, surroundings, stopped.get().toString());
    }
    try {
      var before = store.read(action.id()).orElse(Value.Mapping.EMPTY);
      return Judge.of(action.id(), before, after(action), surroundings);
    } catch (ClusterUnavailable e) {
      return unread(action, surroundings, e.failure().reason());
    }
  }

  private static Impact asNew(Action action, Surroundings surroundings) {
    return Judge.of(action.id(), Value.Mapping.EMPTY, after(action), surroundings);
  }

  /// A policy that would block nothing if it were new blocks nothing more than whatever it was.
  private static Impact unread(Action action, Surroundings surroundings, String why) {
    var id = action.id();
    return id.kind().role() == PolicyKind.Role.POLICY
            && asNew(action, surroundings).guarded().isEmpty()
        ? new Impact(id, id, List.of())
        : Judge.unreadable(id, why);
  }

  private static Value.Mapping after(Action action) {
    return action instanceof Action.Write write ? write.desired().manifest() : Value.Mapping.EMPTY;
  }

  /// Made of the whole feed only where a kind needs it.
  private Surroundings surroundings(List<? extends Action> actions) {
    return actions.stream().map(action -> action.id().kind()).noneMatch(Foresight::needsOthers)
        ? Surroundings.NONE
        : others.get();
  }

  private static Surroundings surroundings(Expected expected, Actual actual) {
    var manifests = new HashMap<PolicyId, Value.Mapping>();
    expected.policies().forEach(policy -> manifests.put(policy.id(), policy.content()));
    return new Surroundings(manifests, actual.byId().keySet());
  }

  private static boolean needsOthers(PolicyKind kind) {
    return kind.role() == PolicyKind.Role.EXCEPTION
        || kind == PolicyKind.VALIDATING_ADMISSION_POLICY;
  }

  /// Reads the reports, where they can tell anything that matters: all policies in one reading.
  private void ask(Map<Action, Impact> impacts) {
    var questions = new ArrayList<Impact>();
    impacts.forEach((action, impact) -> {
      if (worthAsking(action, impact)) {
        questions.add(impact);
      }
    });
    if (questions.isEmpty()
        || (answer.isPresent()
            && questions.stream().allMatch(impact -> asked.contains(impact.policy())))) {
      return;
    }
    questions.forEach(impact -> asked.add(impact.policy()));
    answer = Optional.of(answer(questions));
  }

  private FailingNow.Answer answer(List<Impact> questions) {
    try {
      return reports.of(questions);
    } catch (RuntimeException e) {
      return new FailingNow.Answer.Unavailable(defect(e));
    }
  }

  /// What only says what will happen must not be what stops a sync: it says that nobody knows,
  /// which a guard that holds back takes for a reason to.
  private static String defect(RuntimeException e) {
    return "a defect of policy-sync, "
        + e.getClass().getSimpleName()
        + (e.getStackTrace().length == 0 ? "" : " at " + e.getStackTrace()[0]);
  }

  /// Of a new policy there are no results; but whether there are any reports matters to who holds
  /// back what nobody knows.
  private boolean worthAsking(Action action, Impact impact) {
    return !impact.guarded().isEmpty()
        && impact.reported().kind().role() == PolicyKind.Role.POLICY
        && (!isNewPolicy(action) || guard.mode() == EnforceGuard.Mode.HOLD);
  }

  private static boolean isNewPolicy(Action action) {
    return action instanceof Action.Create && action.id().kind().role() == PolicyKind.Role.POLICY;
  }

  private boolean anyReports() {
    return answer.isEmpty()
        || !(answer.get() instanceof FailingNow.Answer.Reported(var any, _))
        || any;
  }

  private Foreseen foreseen(Action action, Impact impact) {
    if (impact.guarded().isEmpty()) {
      return Foreseen.harmless(impact);
    }
    if (impact.reported().kind().role() != PolicyKind.Role.POLICY) {
      return Foreseen.unknown(impact, "reports do not tell whom it shields");
    }
    var failing = failing(impact.policy());
    if (failing.isPresent()) {
      var age = failing.get().newest().map(newest -> Duration.between(newest, clock.instant()));
      return new Foreseen(impact, failing, age.map(Foresight::notNegative), Optional.empty());
    }
    if (isNewPolicy(action)) {
      return Foreseen.unknown(impact, "it is new, nothing was evaluated yet");
    }
    return switch (answer.orElse(new FailingNow.Answer.Unavailable("nobody was asked"))) {
      case FailingNow.Answer.Unavailable(var why) -> Foreseen.unknown(impact, why);
      case FailingNow.Answer.Reported(var any, _) ->
          Foreseen.unknown(
              impact,
              any ? "no report has a result of it" : "there are no policy reports in this cluster");
    };
  }

  private Optional<FailingNow.Failing> failing(PolicyId policy) {
    return answer.isPresent() && answer.get() instanceof FailingNow.Answer.Reported(_, var policies)
        ? Optional.ofNullable(policies.get(policy))
        : Optional.empty();
  }

  /// Clocks differ.
  private static Duration notNegative(Duration age) {
    return age.isNegative() ? Duration.ZERO : age;
  }

  private static Impact result(Future<Impact> impact) {
    try {
      return impact.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while reading policies", e);
    } catch (ExecutionException e) {
      throw new IllegalStateException("reading a policy failed unexpectedly", e.getCause());
    }
  }
}

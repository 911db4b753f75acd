package dev.policysync.singlefault;

import dev.policysync.plan.Action;
import dev.policysync.singlefault.SingleFault.Kind;
import dev.policysync.singlefault.World.End;
import dev.policysync.singlefault.World.Ran;
import dev.policysync.sync.PolicyStatus;
import dev.policysync.sync.execution.Outcome;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/// Plays a scenario with one fault each.
final class FaultPlay {
  private final Scenario scenario;
  private final Supplier<World> worlds;
  private final Ran undisturbed;
  private final End end;
  private final End unapproved;
  private final List<String> does;
  private final List<SingleFault> faults;
  private final Map<String, List<End>> serial = new HashMap<>();

  /// @param worlds makes one for each run, in which has happened what happens before; with the next
  ///   one the last one ends
  FaultPlay(Scenario scenario, Supplier<World> worlds) {
    this.scenario = scenario;
    this.worlds = worlds;
    var world = begin();
    var told = world.told().size();
    undisturbed = world.calmRun("undisturbed");
    faults = faults(scenario, requests());
    does = does(undisturbed, world.told().subList(told, world.told().size()));
    end = calm(world);
    var withdrawn = begin();
    var _ = withdrawn.withdrawApprovals();
    withdrawn.calmRun("unapproved");
    unapproved = calm(withdrawn);
    requireUnbroken(world, "undisturbed");
    requireUnbroken(withdrawn, "unapproved");
  }

  private void requireUnbroken(World world, String what) {
    if (!world.writeJudge.broken().isEmpty()) {
      throw new AssertionError(scenario + ", " + what + ": " + world.writeJudge.broken());
    }
  }

  private World begin() {
    return worlds.get();
  }

  /// What the undisturbed run does, in words.
  List<String> does() {
    return does;
  }

  private static List<String> does(Ran run, List<PolicyStatus> told) {
    var does = new ArrayList<String>();
    for (var outcome : run.finished().outcomes()) {
      does.add(
          switch (outcome) {
            case Outcome.Done(Action.Create create, _) -> "create " + create.id();
            case Outcome.Done(Action.Update update, _) ->
                "update " + update.id() + " " + update.cause();
            case Outcome.Done(Action.Remove removal, _) -> "remove " + removal.id();
            default -> outcome.toString();
          });
    }
    var plan = run.finished().plan();
    plan.pending().waiting().forEach(waiting -> does.add("waiting " + waiting.id()));
    plan.pending().withheld().forEach(held -> does.add("withheld " + held.id()));
    plan.problems().conflicts().forEach(conflict -> does.add("conflict " + conflict.id()));
    plan.retained().kept().forEach(kept -> does.add("kept " + kept.id()));
    plan.retained().ignored().forEach(left -> does.add("ignored " + left.id()));
    plan.problems().rejected().forEach(rejected -> does.add("rejected " + rejected));
    if (run.finished().outcomes().isEmpty()) {
      told.forEach(status -> does.add("tell " + status.name()));
    }
    return does;
  }

  Scenario scenario() {
    return scenario;
  }

  List<RequestLog.Request> requests() {
    return undisturbed.requestLog().requests();
  }

  /// All faults that the undisturbed run could have met.
  List<SingleFault> faults() {
    return faults;
  }

  private static List<SingleFault> faults(Scenario scenario, List<RequestLog.Request> requests) {
    var faults = new ArrayList<SingleFault>();
    for (var request : requests) {
      var at = request.what();
      if (request.write()) {
        faults.add(SingleFault.of(Kind.KILLED_BEFORE, at));
        faults.add(SingleFault.of(Kind.KILLED_AFTER, at));
        faults.add(SingleFault.of(Kind.LOST, at));
        faults.add(SingleFault.of(Kind.MISREPORTED, at));
      } else {
        faults.add(SingleFault.of(Kind.STALE, at));
      }
    }
    for (var request : requests) {
      for (var happening : ForeignChange.all(scenario)) {
        faults.add(new SingleFault(Kind.UNOBSERVED, request.what(), happening));
      }
    }
    return faults;
  }

  /// The numbers of those faults of which each other one has the same effect as one of these.
  ///
  /// A change and a request that it does not concern may change places. So of the changes before
  /// each of some such requests only the last one counts, before the request that it concerns; or
  /// before the run's last request, where none comes any more. The judge lets pass at most as much
  /// there as earlier ([WriteJudge] knows what was changed before a write).
  List<Integer> essential() {
    return IntStream.range(0, faults().size())
        .filter(number -> essential(faults().get(number)))
        .boxed()
        .toList();
  }

  private boolean essential(SingleFault singleFault) {
    var last = requests().getLast();
    return singleFault.kind() != Kind.UNOBSERVED
        || singleFault.at().equals(last.what())
        || requests().stream()
            .filter(request -> request.what().equals(singleFault.at()))
            .anyMatch(request -> singleFault.happening().touches().test(request.subject()));
  }

  /// What came of a fault.
  ///
  /// @param broken the promises
  /// @param end what is left some runs later
  record Came(List<String> broken, End end) {}

  /// Plays one of them; nothing where there was nothing to go wrong.
  Optional<Came> play(SingleFault singleFault) {
    var world = begin();
    world.time.advance(World.BETWEEN_RUNS);
    var ran = world.run("disturbed", singleFault);
    if (!ran.requestLog().played()) {
      return Optional.empty();
    }
    var end = calm(world);
    var broken = new ArrayList<>(world.writeJudge.broken());
    var allowed = allowed(singleFault);
    if (!end.isOneOf(allowed)) {
      broken.add("ends in vain: " + end.unlike(allowed.getFirst()));
    }
    return Optional.of(new Came(List.copyOf(broken), end));
  }

  /// Runs until one has nothing to write, at most as many as it takes, and another one, which has
  /// nothing to write either.
  private End calm(World world) {
    for (int run = 0; run < scenario.runs(); run++) {
      if (world.calmRun("calm").requestLog().writes().isEmpty()) {
        break;
      }
    }
    var last = world.calmRun("quiet");
    if (!last.requestLog().writes().isEmpty()) {
      world.writeJudge.breaks("7: a further run writes nothing: " + last.requestLog().writes());
    }
    var end = world.end(last);
    world.writeJudge.ends(end);
    return end;
  }

  /// The ends that are right: that of the undisturbed run, and where somebody else changed
  /// something, those where they did so before the run or after it.
  private List<End> allowed(SingleFault singleFault) {
    if (singleFault.kind() == Kind.UNOBSERVED) {
      return serial.computeIfAbsent(
          singleFault.happening().what(), _ -> serial(singleFault.happening()));
    }
    return usesApproval(singleFault) ? List.of(end, unapproved) : List.of(end);
  }

  /// Whether the run uses an approval and then ends: it is good for one run only.
  private boolean usesApproval(SingleFault singleFault) {
    var requests = requests().stream().map(RequestLog.Request::what).toList();
    return singleFault.kind() != Kind.STALE
        && undisturbed
            .requestLog()
            .used()
            .filter(use ->
                requests.indexOf(singleFault.at()) > requests.indexOf(use)
                    || (singleFault.at().equals(use) && singleFault.kind() != Kind.KILLED_BEFORE))
            .isPresent();
  }

  private List<End> serial(SingleFault.Happening happening) {
    var earlier = begin();
    happens(happening, earlier);
    earlier.calmRun("undisturbed");
    var before = calm(earlier);
    requireUnbroken(earlier, happening + " before");
    var later = begin();
    later.calmRun("undisturbed");
    happens(happening, later);
    var after = calm(later);
    requireUnbroken(later, happening + " after");
    return List.of(before, after);
  }

  private static void happens(SingleFault.Happening happening, World world) {
    var _ = happening.play().by(world);
    var _ = happening.then().by(world);
  }
}

package dev.policysync.singlefault;

import dev.policysync.base.CanonicalJson;
import dev.policysync.base.Value;
import dev.policysync.plan.Approval;
import dev.policysync.plan.SourceName;
import dev.policysync.policy.PolicyId;
import dev.policysync.sync.PolicyStatus;
import dev.policysync.sync.PolicyStatus.Operation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/// Holds the promises against every write at the moment when it is done, by what is true then and
/// not by what the agent knows.
final class WriteJudge {
  private final Scenario scenario;
  private final World world;
  private final List<String> broken = new ArrayList<>();
  private final Map<String, Operation> written = new HashMap<>();
  private final Map<String, SourceName> writers = new HashMap<>();
  private final Set<String> approvals = new HashSet<>();
  private int newest;
  private int removed;

  WriteJudge(Scenario scenario, World world) {
    this.scenario = scenario;
    this.world = world;
  }

  /// One that has seen the same of another world.
  WriteJudge(WriteJudge other, World world) {
    this(other.scenario, world);
    broken.addAll(other.broken);
    written.putAll(other.written);
    writers.putAll(other.writers);
    approvals.addAll(other.approvals);
    newest = other.newest;
    removed = other.removed;
  }

  /// Which promises were broken, and how.
  List<String> broken() {
    return List.copyOf(broken);
  }

  void breaks(String promise) {
    broken.add(promise);
  }

  /// A run used an approval up.
  void used(RequestLog run, Approval.Of what) {
    approvals.add(what + " " + run.run());
  }

  /// A run wrote a policy: it is what it was before, or it is not.
  void wrote(
      RequestLog run, PolicyId id, Optional<Value.Mapping> before, Optional<Value.Mapping> after) {
    if (before.equals(after)) {
      return;
    }
    written.put(id.name(), after.isPresent() ? Operation.APPLY : Operation.DELETE);
    writers.put(id.name(), world.source());
    // Who was frozen after it had looked at the Lease has one write left, bound to the state that
    // it
    // was judged by; the adapter sends none so late (KubeApiTest).
    require(
        world.holder().equals(run.run()) || run.interrupted(),
        "9: writes under the Lease",
        run,
        id);
    require(
        before.isEmpty() || mayWrite(before.get(), after, id), "2: touches only its own", run, id);
    require(before.filter(WriteJudge::paused).isEmpty(), "2: leaves alone what is paused", run, id);
    var feed = run.leasedFeed();
    require(feed.isPresent(), "3: writes by a feed that was read under the Lease", run, id);
    feed.ifPresent(it -> {
      require(
          it.number() >= newest || run.interrupted(),
          "3: writes nothing by an older feed than any before",
          run,
          id);
      newest = Math.max(newest, it.number());
      after.ifPresentOrElse(
          now -> applied(run, id, it, before, now), () -> gone(run, id, it, before.orElseThrow()));
    });
  }

  /// A run tells the API of a success, while things are as they are.
  void told(RequestLog run, PolicyStatus status) {
    var policies = status.policies();
    if (!status.success()
        || run.misled()
        || Stream.concat(
                policies.stream(), policies.stream().flatMap(id -> scenario.otherForm(id).stream()))
            .anyMatch(run::touched)) {
      return;
    }
    for (var id : policies) {
      require(
          writers.getOrDefault(status.name(), world.source()).equals(world.source()),
          "12: tells nobody what was done for another source",
          run,
          id);
      require(
          status.operation() == Operation.APPLY || world.policy(id).isEmpty(),
          "12: calls nothing removed that is there",
          run,
          id);
      require(
          status.operation() == Operation.DELETE
              || world.policy(id).filter(there -> owned(there, id)).isPresent()
              || ownsOtherForm(id),
          "12: calls nothing applied that is not its own",
          run,
          id);
    }
  }

  private void applied(
      RequestLog run,
      PolicyId id,
      ScenarioFeed scenarioFeed,
      Optional<Value.Mapping> before,
      Value.Mapping after) {
    require(
        forms(id, scenarioFeed).stream().anyMatch(form -> ScenarioFeed.includes(after, form)),
        "1: applies what is expected",
        run,
        id);
    if (blocks(after) && before.filter(WriteJudge::blocks).isEmpty()) {
      scenario
          .shieldsOf(id)
          .forEach(shield -> {
            var needed = forms(shield, scenarioFeed);
            require(
                needed.isEmpty()
                    || needed.stream().anyMatch(form -> inForce(shield, form))
                    || run.touched(shield),
                "6: blocks nothing before " + shield + " is in force",
                run,
                id);
          });
      require(
          !scenario.held().contains(id)
              || approvals.contains(Approval.Of.ENFORCEMENT + " " + run.run()),
          "ENFORCE_GUARD: begins to block with approval only",
          run,
          id);
    }
  }

  /// What a policy may be: what the feed says, or what was made of it, as it is meant to be in the
  /// end and while it rehearses.
  private List<Value.Mapping> forms(PolicyId id, ScenarioFeed scenarioFeed) {
    var written = Optional.ofNullable(scenarioFeed.policies().get(id));
    return written
        .map(List::of)
        .or(() ->
            scenario
                .otherForm(id)
                .filter(scenarioFeed.policies()::containsKey)
                .flatMap(scenario::successor)
                .map(successor -> List.of(successor, auditing(successor))))
        .orElse(List.of());
  }

  private static Value.Mapping auditing(Value.Mapping successor) {
    if (successor.mapping("spec").field("validationActions").isEmpty()) {
      return successor;
    }
    var audit = new Value.Sequence(List.of(new Value.Text("Audit")));
    return successor.with("spec", successor.mapping("spec").with("validationActions", audit));
  }

  /// Whether what the feed has is there in another form, which does the same.
  private boolean inForceOtherwise(PolicyId id, ScenarioFeed scenarioFeed) {
    return scenario
        .otherForm(id)
        .filter(other ->
            (scenarioFeed.policies().containsKey(id) || scenarioFeed.policies().containsKey(other))
                && inForce(other, forms(other, scenarioFeed).getFirst()))
        .isPresent();
  }

  private boolean ownsOtherForm(PolicyId id) {
    return scenario
        .otherForm(id)
        .filter(other -> world.policy(other).filter(there -> owned(there, other)).isPresent())
        .isPresent();
  }

  private void gone(RequestLog run, PolicyId id, ScenarioFeed scenarioFeed, Value.Mapping before) {
    require(!pinned(before), "5: removes nothing that is annotated to stay", run, id);
    if (!forms(id, scenarioFeed).isEmpty() && scenario.otherForm(id).isPresent()) {
      require(
          inForceOtherwise(id, scenarioFeed) || run.touched(scenario.otherForm(id).orElseThrow()),
          "5: removes no form of a policy before the other is in force",
          run,
          id);
      for (var policy : scenario.servedBy(id).stream().toList()) {
        require(
            world.policy(policy).filter(WriteJudge::blocks).isEmpty() || run.touched(policy),
            "6: removes no form of a shield before what it serves: " + policy,
            run,
            id);
      }
      return;
    }
    require(
        !scenarioFeed.policies().containsKey(id), "3: removes nothing that is expected", run, id);
    if (!approvals.contains(Approval.Of.REMOVALS + " " + run.run())) {
      removed++;
      require(removed <= scenario.mayRemove(), "4: removes no more in a day than allowed", run, id);
    }
    scenarioFeed
        .policies()
        .forEach((other, wanted) -> {
          if (other.name().equals(id.name()) && other.kind() != id.kind()) {
            require(
                inForce(other, wanted) || run.touched(other),
                "5: removes nothing before its successor is in force",
                run,
                id);
          }
        });
    for (var policy : scenario.servedBy(id).stream().toList()) {
      var wanted = scenarioFeed.policies().get(policy);
      require(
          world.policy(policy).isEmpty()
              || (wanted != null && inForce(policy, wanted))
              || run.touched(policy),
          "6: removes no shield of what stays: " + policy,
          run,
          id);
    }
  }

  private boolean mayWrite(Value.Mapping before, Optional<Value.Mapping> after, PolicyId id) {
    if (owned(before, id)) {
      return true;
    }
    if (after.isEmpty()) {
      return false;
    }
    return switch (scenario.plannerOptions().adoption()) {
      case NEVER -> false;
      case ALWAYS -> true;
      case IDENTICAL -> before.mapping("spec").equals(after.get().mapping("spec"));
    };
  }

  private boolean owned(Value.Mapping object, PolicyId id) {
    var annotations = object.mapping("metadata").mapping("annotations");
    return annotations
            .text("insights.fairwinds.com/owned-by")
            .equals(Optional.of("Fairwinds Insights"))
        && annotations
            .text("policysync.dev/applied")
            .filter(signed -> !signed.startsWith(id.key() + "@"))
            .isEmpty()
        && annotations
            .text("policysync.dev/source")
            .filter(source -> !source.equals(world.source().text()))
            .isEmpty();
  }

  private static boolean pinned(Value.Mapping object) {
    return object
        .mapping("metadata")
        .mapping("annotations")
        .text("policysync.dev/prune")
        .equals(Optional.of("disabled"));
  }

  private static boolean paused(Value.Mapping object) {
    return object
        .mapping("metadata")
        .mapping("annotations")
        .text("policysync.dev/reconcile")
        .equals(Optional.of("disabled"));
  }

  static boolean blocks(Value.Mapping object) {
    var says = CanonicalJson.write(object.mapping("spec"));
    return says.contains("\"Enforce\"") || says.contains("\"Deny\"");
  }

  private boolean inForce(PolicyId id, Value.Mapping wanted) {
    return world.policy(id).filter(there -> ScenarioFeed.covers(there, wanted)).isPresent();
  }

  /// Everything is as the feed says, but for what is known to be left, and the API knows it.
  void ends(World.End end) {
    var live = world.policies();
    for (var wanted : world.feed().policies().entrySet()) {
      var id = wanted.getKey();
      var there = Optional.ofNullable(live.get(id));
      if (there.filter(it -> owned(it, id) && ScenarioFeed.covers(it, wanted.getValue())).isEmpty()
          && !(ownsOtherForm(id) && inForceOtherwise(id, world.feed()))
          && !end.leaves(id.toString()::equals)) {
        breaks("8: is in force at the end: " + id);
      }
    }
    live.forEach((id, there) -> {
      if (owned(there, id)
          && forms(id, world.feed()).isEmpty()
          && !end.leaves(id.toString()::equals)) {
        breaks("is gone at the end: " + id);
      }
    });
    hasTold(end);
    end.left().stream()
        .filter(left -> left.startsWith("conflict "))
        .map(left -> left.substring(left.lastIndexOf('/') + 1))
        .filter(name -> world.told(name).filter(status -> !status.success()).isEmpty())
        .forEach(name -> breaks("12: tells that a name is taken: " + name));
  }

  /// What was written is told as it is at the end. A name of which nothing is left was removed,
  /// also where somebody else did it.
  private void hasTold(World.End end) {
    written.forEach((name, last) -> {
      if (end.leaves(id -> id.endsWith("/" + name))
          || !world.source().equals(writers.get(name))
          || isDetached(name)) {
        return;
      }
      var inForce =
          world.feed().policies().keySet().stream()
              .filter(id -> id.name().equals(name))
              .anyMatch(id ->
                  world.policy(id).filter(there -> owned(there, id)).isPresent()
                      || ownsOtherForm(id));
      var right = inForce ? List.of(Operation.APPLY) : List.of(last, Operation.DELETE);
      var told = world.told(name);
      if (told.filter(status -> status.success() && right.contains(status.operation())).isEmpty()) {
        breaks(
            "12: forgets no status: %s is %s, and told was %s"
                .formatted(name, right, told.map(it -> it.operation() + " " + it.success())));
      }
    });
  }

  /// Whether somebody took our mark off it, and the feed does not want it.
  private boolean isDetached(String name) {
    return world.policies().entrySet().stream()
        .anyMatch(there ->
            there.getKey().name().equals(name)
                && !owned(there.getValue(), there.getKey())
                && !world.feed().policies().containsKey(there.getKey()));
  }

  private void require(boolean kept, String promise, RequestLog run, PolicyId id) {
    if (!kept) {
      broken.add(promise + ": " + id + " by " + run.run());
    }
  }
}

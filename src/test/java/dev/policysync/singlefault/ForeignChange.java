package dev.policysync.singlefault;

import dev.policysync.base.Value;
import dev.policysync.base.yaml.YamlText;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.PolicyKind;
import dev.policysync.singlefault.SingleFault.Happening;
import java.util.ArrayList;
import java.util.List;

/// What people and other agents may do in the middle of a run.
final class ForeignChange {
  private static final String OWNED_BY =
      "metadata: {annotations: {insights.fairwinds.com/owned-by: %s}}";

  /// What people do in an incident, as the documentation says.
  static final String PAUSE = "metadata: {annotations: {policysync.dev/reconcile: disabled}}";

  private ForeignChange() {}

  /// One of these things.
  interface Deed {
    /// Does it, and says whether there was anything to do.
    boolean by(World world);
  }

  /// All that may happen in a scenario.
  static List<Happening> all(Scenario scenario) {
    var all = new ArrayList<Happening>();
    scenario.targets().forEach(id -> all.addAll(to(id, scenario)));
    scenario.targets().stream()
        .map(PolicyId::kind)
        .distinct()
        .forEach(kind ->
            all.add(
                new Happening(
                    kind + " uninstalled and installed",
                    world -> empties(world, kind),
                    subject -> subject.concerns(kind))));
    all.add(
        new Happening(
            "a newer feed published",
            world -> {
              world.publish(world.feed().with(scenario.newer()));
              return true;
            },
            Subject.Other.FEED::equals));
    all.add(
        new Happening(
            "a newer feed written by another run",
            world -> {
              world.publish(world.feed().with(scenario.newer()));
              world.anotherRun();
              return true;
            },
            _ -> true));
    all.add(
        new Happening(
            "the Lease taken by another run",
            world -> {
              world.anotherRun();
              return true;
            },
            _ -> true));
    all.add(
        new Happening(
            "approvals withdrawn", World::withdrawApprovals, Subject.Other.LEASE::equals));
    all.add(new Happening("an approval given", World::approve, Subject.Other.LEASE::equals));
    return all;
  }

  private static List<Happening> to(PolicyId id, Scenario scenario) {
    return List.of(
        of(id, "edited", (world, _) -> edits(world, id, 1)),
        new Happening(
            id + " edited and edited back",
            world -> edits(world, id, 1) && edits(world, id, 0),
            subject -> subject.concerns(id)),
        new Happening(
            id + " edited for a moment",
            world -> edits(world, id, 1),
            subject -> subject.concerns(id),
            world -> edits(world, id, 0)),
        of(
            id,
            "deleted",
            (world, _) -> {
              world.others().remove(id);
              return true;
            }),
        of(
            id,
            "deleted and created anew",
            (world, there) -> {
              world.others().remove(id);
              world.others().create(YamlText.write(there));
              return true;
            }),
        of(id, "detached", (world, _) -> marks(world, id, OWNED_BY.formatted("null"))),
        of(
            id,
            "marked as ours",
            (world, _) -> marks(world, id, OWNED_BY.formatted("Fairwinds Insights"))),
        of(id, "paused", (world, _) -> marks(world, id, PAUSE)),
        of(
            id,
            "pinned",
            (world, _) ->
                marks(world, id, "metadata: {annotations: {policysync.dev/prune: disabled}}")),
        new Happening(
            id + " created by somebody",
            world -> {
              var free = world.policy(id).isEmpty();
              if (free) {
                world.others().create(scenario.document(id));
              }
              return free;
            },
            subject -> subject.concerns(id)));
  }

  private interface OnPolicy {
    boolean by(World world, Value.Mapping there);
  }

  /// Something that can be done only to what is there.
  private static Happening of(PolicyId id, String what, OnPolicy deed) {
    return new Happening(
        id + " " + what,
        world -> world.policy(id).filter(there -> deed.by(world, there)).isPresent(),
        subject -> subject.concerns(id));
  }

  private static boolean marks(World world, PolicyId id, String patch) {
    var before = world.policy(id);
    world.others().edit(id, patch);
    return !world.policy(id).equals(before);
  }

  private static boolean edits(World world, PolicyId id, int way) {
    if (world.policy(id).isEmpty()) {
      return false;
    }
    world.others().edit(id, "spec: " + edit(id.kind())[way]);
    return true;
  }

  /// As documents of a [Scenario] say it, and something else.
  private static String[] edit(PolicyKind kind) {
    return switch (kind) {
      case CLUSTER_POLICY, NAMESPACED_POLICY, KYVERNO_EXCEPTION ->
          new String[] {"{background: true}", "{background: false}"};
      case GLOBAL_CONTEXT_ENTRY ->
          new String[] {
            "{kubernetesResource: {resource: configmaps}}",
            "{kubernetesResource: {resource: secrets}}"
          };
      case CEL_EXCEPTION ->
          new String[] {
            "{matchConditions: null}", "{matchConditions: [{name: a, expression: 'true'}]}"
          };
      case VALIDATING_ADMISSION_POLICY_BINDING ->
          new String[] {"{validationActions: [Deny]}", "{validationActions: [Audit]}"};
      default -> new String[] {"{failurePolicy: Fail}", "{failurePolicy: Ignore}"};
    };
  }

  /// With its definition all objects of a kind go.
  private static boolean empties(World world, PolicyKind kind) {
    var gone = world.policies().keySet().stream().filter(id -> id.kind() == kind).toList();
    gone.forEach(id -> world.others().remove(id));
    return !gone.isEmpty();
  }
}

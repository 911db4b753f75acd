package dev.policysync.singlefault;

import static dev.policysync.plan.PlanFixtures.SOURCE;
import static dev.policysync.plan.PlanFixtures.clusterPolicyId;

import dev.policysync.plan.Adoption;
import dev.policysync.plan.EnforceGuard;
import dev.policysync.plan.Failure;
import dev.policysync.plan.PlannerOptions;
import dev.policysync.plan.RemovalBudget;
import dev.policysync.plan.SourceName;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.PolicyKind;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

/// The scenarios: between them they take every action that the agent can take.
final class Scenarios {
  private static final String STAYS = clusterPolicy("stays", "Audit");
  private static final PolicyId X = clusterPolicyId("x");
  private static final PolicyId X_CEL = PolicyId.of(PolicyKind.VALIDATING_POLICY, "x");
  private static final PolicyId E = PolicyId.of(PolicyKind.KYVERNO_EXCEPTION, "shop", "e");
  private static final PolicyId E_CEL = PolicyId.of(PolicyKind.CEL_EXCEPTION, "shop", "e");
  private static final PolicyId G = PolicyId.of(PolicyKind.GLOBAL_CONTEXT_ENTRY, "g");
  private static final String MARKS =
      """
      metadata:
        annotations:
          insights.fairwinds.com/owned-by: Fairwinds Insights
          policysync.dev/source: acme/another
      """;

  private static final PlannerOptions STRICT = rules(Adoption.NEVER, RemovalBudget.DEFAULT);

  /// For removals that take several runs: one that an old list still has is counted again.
  private static final PlannerOptions LENIENT = rules(Adoption.NEVER, new RemovalBudget.Count(4));

  private static final PlannerOptions HOLDING =
      new PlannerOptions(
          SOURCE,
          Adoption.NEVER,
          RemovalBudget.DEFAULT,
          new EnforceGuard(EnforceGuard.Mode.HOLD, 1));

  private Scenarios() {}

  static List<Scenario> all() {
    return List.of(
        comes(),
        blocks(),
        changes(),
        drifted(),
        takenOver(),
        identical(),
        moves(),
        movesOn(),
        movesOut(),
        leaves(),
        unshields(),
        stays(),
        bindings(),
        withheld(),
        approved(),
        held(),
        letThrough(),
        namespaces(),
        unsent(),
        paused(),
        renamed(),
        slices(),
        takesOver(),
        replaces(),
        goesBack(),
        takesOverExempted(),
        dropsException(),
        bringsExceptionBack());
  }

  /// All that are played in memory: with those that need a cluster to answer untruthfully.
  static List<Scenario> inMemory() {
    return Stream.concat(all().stream(), Stream.of(slicesHeld(), slicesAnswered(), damaged()))
        .toList();
  }

  private static Scenario comes() {
    return coming(
        "comes",
        Scenarios::comes,
        "create GlobalContextEntry/g",
        "create PolicyException.kyverno.io/shop/e",
        "create PolicyException.policies.kyverno.io/shop/e",
        "waiting ClusterPolicy/x",
        "waiting ValidatingPolicy/x");
  }

  private static Scenario blocks() {
    return coming(
        "blocks",
        world -> {
          comes(world);
          world.calmRun("second");
        },
        "create ClusterPolicy/x",
        "create ValidatingPolicy/x");
  }

  private static void comes(World world) {
    world.publish(STAYS);
    world.calmRun("first");
    world.publish(
        STAYS,
        reading("x", "Enforce"),
        exception("x"),
        context(),
        validatingPolicy("x", "Deny"),
        celException("x"));
  }

  private static Scenario coming(String name, Consumer<World> before, String... does) {
    return Scenario.of(name, STRICT, 2, before, does)
        .about(
            reading("x", "Enforce"),
            exception("x"),
            context(),
            validatingPolicy("x", "Deny"),
            celException("x"))
        .where(E, X)
        .where(G, X)
        .where(E_CEL, X_CEL);
  }

  private static Scenario changes() {
    return Scenario.of(
            "changes",
            STRICT,
            2,
            world -> {
              world.publish(
                  STAYS,
                  clusterPolicy("x", "Audit"),
                  exception("other"),
                  validatingPolicy("v", "Deny"));
              world.calmRun("first");
              world.publish(
                  STAYS,
                  clusterPolicy("x", "Enforce"),
                  exception("x"),
                  validatingPolicy("v", "Audit"));
            },
            "update PolicyException.kyverno.io/shop/e changed",
            "update ValidatingPolicy/v changed",
            "waiting ClusterPolicy/x")
        .about(clusterPolicy("x", "Enforce"), exception("x"), validatingPolicy("v", "Audit"))
        .where(E, X);
  }

  private static Scenario drifted() {
    return Scenario.of(
            "drifted",
            STRICT,
            2,
            world -> {
              world.publish(
                  STAYS,
                  clusterPolicy("x", "Enforce"),
                  clusterPolicy("v", "Audit"),
                  validatingPolicy("z", "Deny"));
              world.calmRun("first");
              world.others().edit(X, "spec: {background: false}");
              world.others().remove(clusterPolicyId("v"));
              world.others().forgetOwners(PolicyId.of(PolicyKind.VALIDATING_POLICY, "z"));
            },
            "create ClusterPolicy/v",
            "update ClusterPolicy/x drifted",
            "update ValidatingPolicy/z drifted")
        .about(
            clusterPolicy("x", "Enforce"),
            clusterPolicy("v", "Audit"),
            validatingPolicy("z", "Deny"));
  }

  private static Scenario takenOver() {
    return Scenario.of(
            "taken-over",
            rules(Adoption.ALWAYS, RemovalBudget.DEFAULT),
            2,
            world -> {
              world.publish(STAYS);
              world.calmRun("first");
              world.others().create(clusterPolicy("x", "Audit"));
              world.others().create(clusterPolicy("v", "Audit"));
              world.others().edit(clusterPolicyId("v"), MARKS);
              world.publish(STAYS, clusterPolicy("x", "Enforce"), clusterPolicy("v", "Enforce"));
            },
            "update ClusterPolicy/v adopted",
            "update ClusterPolicy/x adopted")
        .about(clusterPolicy("x", "Enforce"), clusterPolicy("v", "Enforce"));
  }

  private static Scenario identical() {
    return Scenario.of(
            "identical",
            rules(Adoption.IDENTICAL, RemovalBudget.DEFAULT),
            2,
            world -> {
              world.publish(STAYS);
              world.calmRun("first");
              world.others().create(clusterPolicy("x", "Enforce"));
              world.others().create(clusterPolicy("v", "Audit"));
              world.publish(STAYS, clusterPolicy("x", "Enforce"), clusterPolicy("v", "Enforce"));
            },
            "update ClusterPolicy/x adopted",
            "conflict ClusterPolicy/v")
        .about(clusterPolicy("x", "Enforce"), clusterPolicy("v", "Enforce"));
  }

  private static Scenario moves() {
    return moving(
        "moves",
        1,
        "create PolicyException.policies.kyverno.io/shop/e",
        "waiting ClusterPolicy/x",
        "waiting PolicyException.kyverno.io/shop/e",
        "waiting ValidatingPolicy/x");
  }

  private static Scenario movesOn() {
    return moving(
        "moves-on",
        2,
        "create ValidatingPolicy/x",
        "waiting ClusterPolicy/x",
        "waiting PolicyException.kyverno.io/shop/e");
  }

  private static Scenario movesOut() {
    return moving(
        "moves-out", 3, "remove ClusterPolicy/x", "waiting PolicyException.kyverno.io/shop/e");
  }

  private static Scenario moving(String name, int step, String... does) {
    return Scenario.of(
            name,
            LENIENT,
            2,
            world -> {
              settles(world, clusterPolicy("x", "Enforce"), exception("x"));
              world.publish(STAYS, validatingPolicy("x", "Deny"), celException("x"));
              for (int done = 1; done < step; done++) {
                world.calmRun("step " + done);
              }
            },
            does)
        .about(
            clusterPolicy("x", "Enforce"),
            exception("x"),
            validatingPolicy("x", "Deny"),
            celException("x"))
        .where(E, X)
        .where(E_CEL, X_CEL);
  }

  private static Scenario leaves() {
    return leaving(
        "leaves",
        Scenarios::leaves,
        "remove ClusterPolicy/x",
        "waiting PolicyException.kyverno.io/shop/e",
        "waiting GlobalContextEntry/g");
  }

  private static Scenario unshields() {
    return leaving(
        "unshields",
        world -> {
          leaves(world);
          world.calmRun("third");
        },
        "remove PolicyException.kyverno.io/shop/e",
        "remove GlobalContextEntry/g");
  }

  private static void leaves(World world) {
    settles(world, reading("x", "Enforce"), exception("x"), context());
    world.publish(STAYS);
  }

  /// Until the exceptions are there, and what they shield from.
  private static void settles(World world, String... policies) {
    world.publish(Stream.concat(Stream.of(STAYS), Stream.of(policies)).toArray(String[]::new));
    world.calmRun("first");
    world.calmRun("second");
  }

  private static Scenario leaving(String name, Consumer<World> before, String... does) {
    return Scenario.of(name, LENIENT, 3, before, does)
        .about(reading("x", "Enforce"), exception("x"), context())
        .where(E, X)
        .where(G, X);
  }

  private static Scenario stays() {
    return Scenario.of(
            "stays",
            rules(Adoption.NEVER, new RemovalBudget.Count(3)),
            3,
            world -> {
              settles(
                  world,
                  clusterPolicy("x", "Enforce"),
                  exception("x"),
                  clusterPolicy("v", "Enforce"));
              world.others().edit(X, "metadata: {annotations: {policysync.dev/prune: disabled}}");
              world.publish(STAYS);
            },
            "remove ClusterPolicy/v",
            "kept ClusterPolicy/x",
            "kept PolicyException.kyverno.io/shop/e")
        .about(clusterPolicy("x", "Enforce"), exception("x"), clusterPolicy("v", "Enforce"))
        .where(E, X);
  }

  private static Scenario bindings() {
    return Scenario.of(
            "bindings",
            STRICT,
            2,
            world -> {
              world.publish(STAYS, admissionPolicy("x"), binding("x"));
              world.calmRun("first");
              world.publish(STAYS, admissionPolicy("v"), binding("v"));
            },
            "create ValidatingAdmissionPolicy/v",
            "create ValidatingAdmissionPolicyBinding/v",
            "remove ValidatingAdmissionPolicyBinding/x",
            "remove ValidatingAdmissionPolicy/x")
        .about(admissionPolicy("x"), binding("x"), admissionPolicy("v"), binding("v"));
  }

  private static Scenario withheld() {
    return Scenario.of(
            "withheld",
            STRICT,
            2,
            world -> {
              shrinks(world);
              world.asks(world.calmRun("second"));
              world.publish(STAYS, clusterPolicy("d", "Audit"), clusterPolicy("f", "Audit"));
            },
            "create ClusterPolicy/f",
            "withheld ClusterPolicy/a",
            "withheld ClusterPolicy/b",
            "withheld ClusterPolicy/c")
        .about(clusterPolicy("a", "Audit"), clusterPolicy("f", "Audit"));
  }

  private static Scenario approved() {
    return Scenario.of(
            "approved",
            STRICT,
            2,
            world -> {
              shrinks(world);
              world.asks(world.calmRun("second"));
              var _ = world.approve();
            },
            "remove ClusterPolicy/a",
            "remove ClusterPolicy/b",
            "remove ClusterPolicy/c")
        .about(clusterPolicy("a", "Audit"), clusterPolicy("b", "Audit"));
  }

  private static void shrinks(World world) {
    world.publish(
        STAYS,
        clusterPolicy("a", "Audit"),
        clusterPolicy("b", "Audit"),
        clusterPolicy("c", "Audit"));
    world.calmRun("first");
    world.publish(STAYS, clusterPolicy("d", "Audit"));
  }

  private static Scenario held() {
    return Scenario.of(
            "held",
            HOLDING,
            2,
            world -> {
              tightens(world);
              world.asks(world.calmRun("second"));
              world.publish(
                  STAYS,
                  clusterPolicy("x", "Enforce"),
                  clusterPolicy("v", "Audit"),
                  clusterPolicy("w", "Audit"));
            },
            "create ClusterPolicy/w",
            "withheld ClusterPolicy/x")
        .about(clusterPolicy("x", "Enforce"), clusterPolicy("w", "Audit"))
        .holding(X);
  }

  private static Scenario letThrough() {
    return Scenario.of(
            "let-through",
            HOLDING,
            2,
            world -> {
              tightens(world);
              world.asks(world.calmRun("second"));
              var _ = world.approve();
            },
            "update ClusterPolicy/x changed")
        .about(clusterPolicy("x", "Enforce"), clusterPolicy("v", "Audit"))
        .holding(X);
  }

  private static void tightens(World world) {
    world.publish(STAYS, clusterPolicy("x", "Enforce"));
    world.calmRun("first");
    world.publish(STAYS, clusterPolicy("x", "Audit"));
    world.calmRun("loosening");
    world.reports(2);
    world.reports(3);
    world.publish(STAYS, clusterPolicy("x", "Enforce"), clusterPolicy("v", "Audit"));
  }

  private static Scenario namespaces() {
    return Scenario.of(
            "namespaces",
            STRICT,
            2,
            world -> {
              world.publish(
                  STAYS,
                  policy("shop", "x", "Audit"),
                  policy("store", "x", "Audit"),
                  clusterPolicy("x", "Audit"));
              world.calmRun("first");
              world.publish(
                  STAYS,
                  policy("shop", "x", "Enforce"),
                  policy("shop", "v", "Audit"),
                  clusterPolicy("x", "Audit"));
            },
            "create Policy/shop/v",
            "update Policy/shop/x changed",
            "remove Policy/store/x")
        .about(
            policy("shop", "x", "Enforce"),
            policy("store", "x", "Audit"),
            policy("shop", "v", "Audit"),
            clusterPolicy("x", "Audit"));
  }

  private static Scenario unsent() {
    return Scenario.of(
            "unsent",
            STRICT,
            2,
            world -> {
              world.publish(STAYS, clusterPolicy("v", "Audit"));
              world.calmRun("first");
              world.listens(false);
              world.publish(STAYS, clusterPolicy("x", "Audit"));
              world.calmRun("second");
              world.listens(true);
            },
            "tell x",
            "tell v")
        .about(clusterPolicy("x", "Audit"));
  }

  private static Scenario paused() {
    return Scenario.of(
            "paused",
            STRICT,
            2,
            world -> {
              world.publish(STAYS, clusterPolicy("x", "Audit"), clusterPolicy("v", "Audit"));
              world.calmRun("first");
              world.publish(
                  STAYS,
                  flawed(clusterPolicy("x", "Enforce")),
                  flawed(clusterPolicy("v", "Enforce")));
              world.calmRun("second");
              world.others().edit(X, ForeignChange.PAUSE);
              world.publish(STAYS);
            },
            "remove ClusterPolicy/v",
            "ignored ClusterPolicy/x")
        .about(clusterPolicy("x", "Audit"), clusterPolicy("v", "Audit"));
  }

  private static Scenario renamed() {
    return Scenario.of(
            "renamed",
            STRICT,
            2,
            world -> {
              world.publish(STAYS, clusterPolicy("v", "Audit"));
              world.calmRun("first");
              world.listens(false);
              world.publish(STAYS, clusterPolicy("x", "Audit"));
              world.calmRun("second");
              world.listens(true);
              world.renames(SourceName.of("acme", "renamed"));
            },
            "conflict ClusterPolicy/stays",
            "conflict ClusterPolicy/x",
            "tell stays",
            "tell x")
        .about(clusterPolicy("x", "Audit"));
  }

  private static String flawed(String policy) {
    return policy.replace("spec:\n", "spec:\n  noSuchField: true\n");
  }

  private static Scenario slices() {
    return Scenario.of(
            "slices",
            STRICT,
            2,
            world -> {
              world.publish(
                  STAYS,
                  clusterPolicy("a", "Audit"),
                  clusterPolicy("b", "Audit"),
                  clusterPolicy("c", "Audit"));
              world.calmRun("first");
              world.publish(STAYS, clusterPolicy("a", "Audit"), clusterPolicy("b", "Audit"));
              world.calmRun("second");
              world.publish(STAYS, clusterPolicy("a", "Audit"));
              world.calmRun("third");
              world.publish(STAYS);
            },
            "withheld ClusterPolicy/a")
        .about(clusterPolicy("a", "Audit"), clusterPolicy("c", "Audit"));
  }

  /// Removals that waited for a finalizer, one of them of a run that was killed.
  private static Scenario slicesHeld() {
    return Scenario.of(
            "slices-held",
            STRICT,
            2,
            world -> {
              world.publish(
                  STAYS,
                  clusterPolicy("a", "Audit"),
                  clusterPolicy("b", "Audit"),
                  clusterPolicy("c", "Audit"));
              world.calmRun("first");
              for (var name : List.of("b", "c")) {
                world.others().edit(clusterPolicyId(name), "metadata: {finalizers: [a.b/hold]}");
              }
              world.publish(STAYS, clusterPolicy("a", "Audit"), clusterPolicy("b", "Audit"));
              world.killedRun("second", "REMOVE ClusterPolicy/c #1");
              world.publish(STAYS, clusterPolicy("a", "Audit"));
              world.calmRun("third");
              for (var name : List.of("b", "c")) {
                world.others().edit(clusterPolicyId(name), "metadata: {finalizers: null}");
              }
              world.calmRun("fourth");
              world.publish(STAYS);
            },
            "withheld ClusterPolicy/a")
        .about(clusterPolicy("a", "Audit"), clusterPolicy("c", "Audit"));
  }

  /// Removals that were done and answered with an error.
  private static Scenario slicesAnswered() {
    return Scenario.of(
            "slices-answered",
            STRICT,
            2,
            world -> {
              world.publish(
                  STAYS,
                  clusterPolicy("a", "Audit"),
                  clusterPolicy("b", "Audit"),
                  clusterPolicy("c", "Audit"));
              world.calmRun("first");
              world.answerRemoval(
                  clusterPolicyId("b"),
                  new Failure(Failure.Cause.SERVER_ERROR, "etcdserver: request timed out"));
              world.answerRemoval(
                  clusterPolicyId("c"), new Failure(Failure.Cause.OVERLOADED, "bad gateway"));
              world.publish(STAYS, clusterPolicy("a", "Audit"), clusterPolicy("b", "Audit"));
              world.calmRun("second");
              world.publish(STAYS, clusterPolicy("a", "Audit"));
              world.calmRun("third");
              world.calmRun("fourth");
              world.publish(STAYS);
            },
            "withheld ClusterPolicy/a")
        .about(clusterPolicy("a", "Audit"));
  }

  /// Removals that were withheld together, which somebody made unreadable.
  private static Scenario damaged() {
    return Scenario.of(
            "damaged",
            STRICT,
            0,
            world -> {
              world.publish(
                  STAYS,
                  clusterPolicy("a", "Audit"),
                  clusterPolicy("b", "Audit"),
                  clusterPolicy("c", "Audit"));
              world.calmRun("first");
              world.publish(STAYS);
              world.calmRun("second");
              world.damageMemory();
              world.publish(STAYS, clusterPolicy("a", "Audit"), clusterPolicy("b", "Audit"));
            },
            "withheld ClusterPolicy/c")
        .about(clusterPolicy("c", "Audit"));
  }

  private static Scenario takesOver() {
    return succession("takes-over", Scenarios::rehearses, "update ValidatingPolicy/x changed");
  }

  private static Scenario replaces() {
    return succession(
        "replaces",
        world -> {
          rehearses(world);
          world.calmRun("third");
        },
        "remove ClusterPolicy/x");
  }

  private static Scenario goesBack() {
    return succession(
        "goes-back",
        world -> {
          rehearses(world);
          world.calmRun("third");
          world.calmRun("fourth");
          world.converts(false);
        },
        "create ClusterPolicy/x",
        "kept ValidatingPolicy/x");
  }

  private static void rehearses(World world) {
    world.publish(STAYS, clusterPolicy("x", "Enforce"));
    world.calmRun("first");
    world.converts(true);
    world.calmRun("second");
  }

  private static Scenario succession(String name, Consumer<World> before, String... does) {
    return Scenario.of(name, STRICT, 2, before, does)
        .about(clusterPolicy("x", "Enforce"), validatingPolicy("x", "Deny"))
        .succeeded(X, validatingPolicy("x", "Deny"));
  }

  private static Scenario takesOverExempted() {
    return exempted(
        "takes-over-exempted",
        world -> rehearsesExempted(world, 2),
        "update ValidatingPolicy/x changed");
  }

  private static Scenario dropsException() {
    return exempted(
        "drops-exception",
        world -> rehearsesExempted(world, 4),
        "remove PolicyException.kyverno.io/shop/e");
  }

  private static Scenario bringsExceptionBack() {
    return exempted(
        "brings-exception-back",
        world -> {
          rehearsesExempted(world, 5);
          world.converts(false);
        },
        "create PolicyException.kyverno.io/shop/e",
        "waiting ClusterPolicy/x",
        "kept ValidatingPolicy/x",
        "kept PolicyException.policies.kyverno.io/shop/e");
  }

  private static void rehearsesExempted(World world, int runs) {
    settles(world, clusterPolicy("x", "Enforce"), exception("x"));
    world.converts(true);
    for (int run = 2; run <= runs; run++) {
      world.calmRun(Integer.toString(run));
    }
  }

  private static Scenario exempted(String name, Consumer<World> before, String... does) {
    return Scenario.of(name, STRICT, 2, before, does)
        .about(
            clusterPolicy("x", "Enforce"),
            exception("x"),
            validatingPolicy("x", "Deny"),
            celException("x"))
        .succeeded(X, validatingPolicy("x", "Deny"))
        .succeeded(E, celException("x"))
        .where(E, X)
        .where(E_CEL, X_CEL);
  }

  private static PlannerOptions rules(Adoption adoption, RemovalBudget budget) {
    return new PlannerOptions(SOURCE, adoption, budget);
  }

  static String clusterPolicy(String name, String action) {
    return rulePolicy("ClusterPolicy", "{name: " + name + "}", action, "[]");
  }

  private static String policy(String namespace, String name, String action) {
    return rulePolicy("Policy", "{name: " + name + ", namespace: " + namespace + "}", action, "[]");
  }

  /// One that reads the context entry.
  private static String reading(String name, String action) {
    return rulePolicy(
        "ClusterPolicy", "{name: " + name + "}", action, "[{name: c, globalReference: {name: g}}]");
  }

  private static String rulePolicy(String kind, String metadata, String action, String context) {
    return """
    apiVersion: kyverno.io/v1
    kind: %s
    metadata: %s
    spec:
      background: true
      rules:
        - name: r
          match: {any: [{resources: {kinds: [Pod]}}]}
          context: %s
          validate: {failureAction: %s, message: m, pattern: {metadata: {labels: {team: "?*"}}}}
    """
        .formatted(kind, metadata, context, action);
  }

  private static String validatingPolicy(String name, String action) {
    return """
    apiVersion: policies.kyverno.io/v1
    kind: ValidatingPolicy
    metadata: {name: %s}
    spec:
      failurePolicy: Fail
      validationActions: [%s]
      matchConstraints:
        resourceRules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}]
      validations: [{expression: 'true'}]
    """
        .formatted(name, action);
  }

  private static String exception(String policy) {
    return """
    apiVersion: kyverno.io/v2
    kind: PolicyException
    metadata: {name: e, namespace: shop}
    spec:
      background: true
      match: {any: [{resources: {kinds: [Pod], names: [old]}}]}
      exceptions: [{policyName: %s, ruleNames: [r]}]
    """
        .formatted(policy);
  }

  private static String celException(String policy) {
    return """
    apiVersion: policies.kyverno.io/v1
    kind: PolicyException
    metadata: {name: e, namespace: shop}
    spec: {policyRefs: [{name: %s, kind: ValidatingPolicy}]}
    """
        .formatted(policy);
  }

  private static String context() {
    return """
    apiVersion: kyverno.io/v2
    kind: GlobalContextEntry
    metadata: {name: g}
    spec: {kubernetesResource: {version: v1, resource: configmaps}}
    """;
  }

  private static String admissionPolicy(String name) {
    return """
    apiVersion: admissionregistration.k8s.io/v1
    kind: ValidatingAdmissionPolicy
    metadata: {name: %s}
    spec:
      failurePolicy: Fail
      matchConstraints:
        resourceRules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}]
      validations: [{expression: 'true'}]
    """
        .formatted(name);
  }

  private static String binding(String name) {
    return """
    apiVersion: admissionregistration.k8s.io/v1
    kind: ValidatingAdmissionPolicyBinding
    metadata: {name: %s}
    spec: {policyName: %s, validationActions: [Deny]}
    """
        .formatted(name, name);
  }
}

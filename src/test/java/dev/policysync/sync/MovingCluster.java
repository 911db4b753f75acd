package dev.policysync.sync;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;

import dev.policysync.base.Value;
import dev.policysync.inspect.ClusterFacts;
import dev.policysync.inspect.Schedule;
import dev.policysync.inspect.SyncStatus;
import dev.policysync.plan.Action;
import dev.policysync.plan.Adoption;
import dev.policysync.plan.EnforceGuard;
import dev.policysync.plan.Failure;
import dev.policysync.plan.Listing;
import dev.policysync.plan.PlannerOptions;
import dev.policysync.plan.RemovalBudget;
import dev.policysync.plan.SourceName;
import dev.policysync.policy.Manifest;
import dev.policysync.policy.Policy;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.PolicyKind;
import dev.policysync.policy.Rehearsal;
import dev.policysync.policy.Rehearsal.Comparison;
import dev.policysync.policy.Rehearsal.Found;
import dev.policysync.policy.feed.Feed;
import dev.policysync.policy.kyverno.KyvernoHealth;
import dev.policysync.policy.kyverno.KyvernoVersion;
import dev.policysync.policy.kyverno.NotReady;
import dev.policysync.sync.analysis.ExecutionSource;
import dev.policysync.sync.analysis.PolicyConversion;
import dev.policysync.sync.analysis.PolicyConversion.Refusal;
import dev.policysync.sync.analysis.PolicyConversion.Successor;
import dev.policysync.sync.analysis.PolicyLinter;
import dev.policysync.sync.analysis.RehearsalSource.Result;
import dev.policysync.sync.analysis.ViolationSource;
import dev.policysync.sync.execution.Cancellation;
import dev.policysync.sync.execution.DisturbedStore;
import dev.policysync.sync.execution.FakePolicyStore;
import dev.policysync.sync.execution.Outcome;
import dev.policysync.sync.execution.Progress;
import dev.policysync.sync.execution.WriteMode;
import dev.policysync.sync.succession.Conversions;
import dev.policysync.testcluster.Documents;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/// A cluster in memory that is moved to the successors of its policies, by whole runs of the agent.
/// A successor is made of each rule; its name is the policy's if there is only one rule.
final class MovingCluster {
  static final Failure DENIED = new Failure(Failure.Cause.DENIED, "denied by a webhook");

  /// The agent may not list ValidatingPolicies.
  static final Listing FORBIDDEN =
      new Listing.Unlistable(
          new Failure(Failure.Cause.FORBIDDEN, "list ValidatingPolicy: HTTP 403"));

  private static final Map<String, Policy> PARSED = new ConcurrentHashMap<>();
  private static final Value.Text ENFORCE = new Value.Text("Enforce");

  /// What the reports say of every policy that is compared.
  enum Reports {
    AGREE,
    MISSING,
    DIFFER;

    private Comparison comparison() {
      var cart = new Found(1, List.of("Pod/shop/cart"));
      return new Comparison(
          3, this == MISSING ? cart : Found.NONE, this == DIFFER ? cart : Found.NONE);
    }
  }

  final FakeTime time;
  final DisturbedStore store;
  final FakeRunStateStore memory;
  final FakeSyncLock.SharedRecord lease = new FakeSyncLock.SharedRecord();
  final List<PolicyStatus> told = new ArrayList<>();

  /// Whether the last status of each name was a success.
  final Map<String, Boolean> lastTold = new TreeMap<>();

  String feed = "";

  /// Tells a feed that comes back from an older one that the API has still.
  int edition;

  boolean converting = true;
  boolean convertible = true;
  Reports reports = Reports.AGREE;
  Adoption adoption = Adoption.NEVER;
  EnforceGuard.Mode guard = EnforceGuard.Mode.OFF;
  String cluster = "prod-1";
  String kyverno = "1.19.1";
  Duration between = Duration.ofMinutes(5);
  final Set<PolicyId> refused = new TreeSet<>();

  /// What a list of ValidatingPolicies says instead of what is there.
  Optional<Listing> listing = Optional.empty();

  WriteMode writeMode = WriteMode.LIVE;
  Collection<Rehearsal> compared = List.of();
  Optional<SyncResult.Finished> last = Optional.empty();
  List<String> done = List.of();

  MovingCluster() {
    this(new FakePolicyStore(), new FakeTime());
  }

  private MovingCluster(FakePolicyStore store, FakeTime time) {
    this((DisturbedStore) store, time);
    store.tellTheTimeOf(time.clock());
  }

  /// @param time not behind the API server's
  MovingCluster(DisturbedStore store, FakeTime time) {
    this.store = store;
    this.time = time;
    this.memory = new FakeRunStateStore(time);
  }

  private MovingCluster(MovingCluster from, FakePolicyStore itsStore) {
    time = new FakeTime();
    time.advance(Duration.ofNanos(from.time.nanoTime()));
    store = itsStore;
    itsStore.tellTheTimeOf(time.clock());
    memory = from.memory.copy(time);
    told.addAll(from.told);
    feed = from.feed;
    edition = from.edition;
    converting = from.converting;
    convertible = from.convertible;
    reports = from.reports;
    adoption = from.adoption;
    guard = from.guard;
    cluster = from.cluster;
    kyverno = from.kyverno;
    between = from.between;
    refused.addAll(from.refused);
    listing = from.listing;
    lastTold.putAll(from.lastTold);
  }

  /// Another cluster in memory that is the same now, whatever becomes of this one.
  MovingCluster copy() {
    return new MovingCluster(this, ((FakePolicyStore) store).copy());
  }

  static PolicyId legacy(String name) {
    return PolicyId.of(PolicyKind.CLUSTER_POLICY, name);
  }

  static PolicyId successor(String name) {
    return PolicyId.of(PolicyKind.VALIDATING_POLICY, name);
  }

  /// A ClusterPolicy of these rules.
  static String policy(String name, String action, String... rules) {
    return policy(name, action, 10, rules);
  }

  /// @param version what its content differs in
  static String policy(String name, String action, int version, String... rules) {
    return """
    apiVersion: kyverno.io/v1
    kind: ClusterPolicy
    metadata: {name: %s}
    spec: {validationFailureAction: %s, webhookTimeoutSeconds: %d, rules: [%s]}
    """
        .formatted(
            name,
            action,
            version,
            Stream.of(rules)
                .map(rule ->
                    "{name: %s, match: {any: [{resources: {kinds: [Pod]}}]}, validate: {message: m, pattern: {spec: {x: y}}}}"
                        .formatted(rule))
                .collect(joining(", ")));
  }

  /// A ValidatingPolicy that the feed has itself.
  static String validating(String name, String action) {
    return """
    apiVersion: policies.kyverno.io/v1
    kind: ValidatingPolicy
    metadata: {name: %s}
    spec:
      validationActions: [%s]
      matchConstraints: {resourceRules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}]}
      validations: [{expression: "false", message: m}]
    """
        .formatted(name, action);
  }

  static String exception(String name, String policy) {
    return """
    apiVersion: kyverno.io/v2
    kind: PolicyException
    metadata: {name: %s, namespace: shop}
    spec: {exceptions: [{policyName: "%s", ruleNames: [r1]}], match: {any: [{resources: {kinds: [Pod]}}]}}
    """
        .formatted(name, policy);
  }

  static String feed(String... documents) {
    return String.join("---\n", documents);
  }

  /// What a run did, each change in a word, failures and what it left too.
  List<String> run() {
    time.advance(between);
    last = Optional.empty();
    refused.forEach(id -> store.refuse(id, DENIED));
    listing.ifPresentOrElse(
        instead -> store.list(PolicyKind.VALIDATING_POLICY, instead),
        () -> store.list(PolicyKind.VALIDATING_POLICY));
    var finished = (SyncResult.Finished) synchronizer().run();
    last = Optional.of(finished);
    done =
        finished.outcomes().stream()
            .filter(outcome -> !(outcome instanceof Outcome.Settled))
            .map(MovingCluster::text)
            .sorted()
            .toList();
    return done;
  }

  byte[] bytes() {
    return (feed + "# " + edition + "\n").getBytes(UTF_8);
  }

  Conversions conversions() {
    return converting
        ? new Conversions.Apply(this::convert, this::compare, Duration.ZERO)
        : new Conversions.Off();
  }

  PlannerOptions options() {
    return new PlannerOptions(
        SourceName.of("acme", cluster),
        adoption,
        new RemovalBudget.Count(9),
        new EnforceGuard(guard, 1));
  }

  private static String text(Outcome outcome) {
    var verb =
        switch (outcome.action()) {
          case Action.Create _ -> "create ";
          case Action.Update _ -> "update ";
          case Action.Remove _ -> "remove ";
        };
    return (outcome instanceof Outcome.Done ? "" : "not: ") + verb + outcome.action().id();
  }

  Summary summary() {
    return Summary.of(last.orElseThrow(), writeMode, Duration.ZERO, time.clock().instant());
  }

  private Synchronizer synchronizer() {
    return new Synchronizer(
        new SyncPorts(
            () -> List.of(new Manifest("feed", bytes())),
            store,
            new FakeSyncLock(lease, "run", time),
            memory,
            Optional.of(
                new FakeStatusSink(statuses -> {
                  told.addAll(statuses);
                  statuses.forEach(it -> lastTold.put(it.name(), it.success()));
                  return List.of();
                })),
            EventSink.NONE,
            PolicyLinter.NONE,
            ViolationSource.UNKNOWN,
            execution(),
            conversions()),
        new SyncOptions(
            options(), writeMode, false, 1, Duration.ofSeconds(65), "0.1.0", Optional.empty()),
        new Cancellation(Duration.ofMinutes(4), time::nanoTime),
        time.clock(),
        Progress.NONE);
  }

  /// What `status` would say now, if runs are scheduled and Kyverno runs.
  SyncStatus status() {
    return SyncStatus.of(
        new SyncStatus.Target("test", Optional.empty(), "acme/" + cluster, Optional.empty()),
        synchronizer().inspect(),
        new ClusterFacts(
            Optional.of("v1.36.3"),
            List.of(),
            Optional.of(
                new ClusterFacts.Kyverno("kyverno/kyverno", Optional.of("v" + kyverno), 1, 1)),
            Optional.empty(),
            new Schedule.Unread(),
            List.of(),
            List.of(),
            List.of(),
            List.of()),
        time.clock().instant());
  }

  /// What is said of the last run's policies, other than that they are in sync.
  String said() {
    var summary = summary();
    return Stream.of(
            last.orElseThrow().plan().retained().kept().stream()
                .map(kept -> kept.id() + ": " + kept.reason()),
            summary.writes().failed().stream()
                .map(it -> it.label().orElse("") + ": " + it.reason()),
            summary.pending().withheldNotes().stream().map(it -> it.policy() + ": " + it.reason()),
            summary.pending().waiting().stream().map(it -> it.policy() + ": " + it.reason()),
            summary.untouched().conflicts().stream().map(it -> it.policy() + ": " + it.reason()),
            summary.untouched().notInForce().stream().map(it -> it.policy() + ": " + it.reason()),
            summary.untouched().ignored().stream().map(it -> it.policy() + ": " + it.reason()),
            summary.conversions().stream()
                .flatMap(List::stream)
                .flatMap(conversion ->
                    Stream.concat(
                            conversion.progress().stream()
                                .map(it -> it.stage() + ": " + it.reason()),
                            conversion.refusals().stream().map(Refusal::toString))
                        .map(text -> conversion.policy() + ": " + text)))
        .flatMap(it -> it)
        .collect(joining("\n"));
  }

  boolean exists(PolicyId id) {
    return store.contents().containsKey(id);
  }

  /// Whether the object is there and blocks, whatever Kyverno knows of it.
  boolean blocks(PolicyId id) {
    var object = store.contents().get(id);
    if (object == null) {
      return false;
    }
    var spec = object.mapping("spec");
    return spec.field("validationFailureAction").filter(ENFORCE::equals).isPresent()
        || spec.items("validationActions").contains(new Value.Text("Deny"));
  }

  /// Names and results of the statuses since this was asked last.
  List<String> toldSince() {
    var since =
        told.stream()
            .map(status -> status.name() + " " + status.operation() + " " + status.success())
            .toList();
    told.clear();
    return since;
  }

  void annotate(PolicyId id, String annotation, String value) {
    store.edit(id, "metadata: {annotations: {%s: %s}}".formatted(annotation, value));
  }

  private List<PolicyConversion> convert(Feed feed, List<Policy> inQuestion) {
    return inQuestion.stream().map(this::conversion).toList();
  }

  private PolicyConversion conversion(Policy policy) {
    if (!convertible) {
      var refusal = new Refusal("", policy.position(), "a policy like this", "leave it");
      return new PolicyConversion(policy.id(), List.of(), List.of(refusal));
    }
    var spec = policy.content().mapping("spec");
    if (policy.id().kind() == PolicyKind.KYVERNO_EXCEPTION) {
      return new PolicyConversion(
          policy.id(),
          spec.mappings("exceptions").stream()
              .map((Value.Mapping entry) ->
                  exempting(policy, entry.text("policyName").orElseThrow()))
              .toList(),
          List.of());
    }
    var rules =
        spec.mappings("rules").stream().map(rule -> rule.text("name").orElseThrow()).toList();
    var action = spec.text("validationFailureAction").filter("Enforce"::equals).isPresent();
    return new PolicyConversion(
        policy.id(),
        rules.stream()
            .map(rule -> {
              var name = policy.id().name() + (rules.size() == 1 ? "" : "-" + rule);
              var made =
                  parsed(
                      validating(name, action ? "Deny" : "Audit")
                          .replace("message: m", "message: v" + version(spec)));
              return new Successor(made.id(), rule, made.content());
            })
            .toList(),
        List.of());
  }

  private static Policy parsed(String yaml) {
    return PARSED.computeIfAbsent(yaml, Documents::policy);
  }

  private static String version(Value.Mapping spec) {
    return spec.fields().get("webhookTimeoutSeconds") instanceof Value.Numeric(var literal)
        ? literal
        : "";
  }

  private static Successor exempting(Policy exception, String policy) {
    var made =
        parsed(
            """
            apiVersion: policies.kyverno.io/v1
            kind: PolicyException
            metadata: {name: %s-%2$s, namespace: shop}
            spec: {policyRefs: [{name: %2$s, kind: ValidatingPolicy}, {name: %2$s-r1, kind: ValidatingPolicy}]}
            """
                .formatted(exception.id().name(), policy));
    return new Successor(made.id(), "", made.content());
  }

  private Result compare(Collection<Rehearsal> rehearsals) {
    compared = rehearsals;
    var answers = new HashMap<PolicyId, Comparison>();
    rehearsals.forEach(it -> answers.put(it.policy(), reports.comparison()));
    return new Result.Reported(answers, Optional.of(Instant.MAX));
  }

  private ExecutionSource execution() {
    return new ExecutionSource() {
      @Override
      public Optional<NotReady> notReady(PolicyId id) {
        return Optional.empty();
      }

      @Override
      public Optional<KyvernoVersion> installed() {
        return KyvernoVersion.parse(kyverno);
      }

      @Override
      public KyvernoHealth health() {
        return new KyvernoHealth.Running("kyverno", Duration.ZERO);
      }
    };
  }
}

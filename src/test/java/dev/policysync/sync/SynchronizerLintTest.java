package dev.policysync.sync;

import static dev.policysync.plan.PlanFixtures.RULES;
import static dev.policysync.plan.PlanFixtures.applied;
import static dev.policysync.plan.PlanFixtures.cluster;
import static dev.policysync.plan.PlanFixtures.withOwnership;
import static dev.policysync.policy.PolicyFixtures.clusterPolicy;
import static dev.policysync.policy.PolicyFixtures.policy;
import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.base.yaml.YamlText;
import dev.policysync.plan.EnforceGuard;
import dev.policysync.plan.Guard;
import dev.policysync.plan.PlannerOptions;
import dev.policysync.plan.managedfields.FieldOwnership;
import dev.policysync.policy.Manifest;
import dev.policysync.policy.Policy;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.PolicyKind;
import dev.policysync.sync.analysis.ExecutionSource;
import dev.policysync.sync.analysis.PolicyLinter.PolicyHazard;
import dev.policysync.sync.analysis.PolicyLinter.Weight;
import dev.policysync.sync.analysis.ViolationSource;
import dev.policysync.sync.execution.Cancellation;
import dev.policysync.sync.execution.Progress;
import dev.policysync.sync.execution.ScriptedPolicyStore;
import dev.policysync.sync.execution.WriteMode;
import dev.policysync.sync.succession.Conversions;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/// What a run does about hazards: it asks about new and changed policies only, says what it hears,
/// and writes nothing that it is told to withhold.
class SynchronizerLintTest {
  private static final Policy A = clusterPolicy("a");
  private static final Policy B = clusterPolicy("b");
  private static final Policy BREAKING =
      policy(
          PolicyId.of(PolicyKind.VALIDATING_POLICY, "breaking"),
          """
          {"matchConstraints": {"resourceRules": [{"apiGroups": [""], "apiVersions": ["v1"],
            "operations": ["CREATE"], "resources": [""]}]},
           "validations": [{"expression": "true"}]}
          """);
  private static final String ENFORCE =
      """
      {"rules": [{"name": "r", "match": {"any": [{"resources": {"kinds": ["Pod"]}}]},
        "validate": {"failureAction": "Enforce", "message": "m", "pattern": {"spec": {"x": "y"}}}}]}
      """;

  private final ScriptedPolicyStore store = new ScriptedPolicyStore();
  private final List<Set<PolicyId>> asked = new ArrayList<>();
  private final List<String> told = new ArrayList<>();
  private List<PolicyHazard> known = List.of();
  private ViolationSource failing = ViolationSource.UNKNOWN;
  private PlannerOptions plannerOptions = RULES;

  @Test
  void asksNobodyWhereNothingIsToDo() {
    store.listing(cluster(applied(A), applied(B)));

    run(WriteMode.LIVE, A, B);

    assertThat(asked).isEmpty();
  }

  @Test
  void asksOnceAboutWhatIsNewOrHasChanged() {
    store.listing(cluster(applied(A)), cluster(applied(A)));

    run(WriteMode.LIVE, A, B);

    assertThat(asked).containsExactly(Set.of(B.id()));
  }

  @Test
  void saysWhatItHearsInALineForAllPoliciesThatHaveIt() {
    known = List.of(warning(A), warning(B));
    store.listing(cluster(), cluster());

    var summary = run(WriteMode.LIVE, A, B);

    assertThat(summary.warnings()).containsExactly("ClusterPolicy/a, ClusterPolicy/b: dangerous");
    assertThat(summary.writes().applied()).hasSize(2);
    assertThat(summary.status()).isEqualTo(Summary.RunStatus.DONE);
  }

  @Test
  void writesTheOthersWhereOneIsWithheld() {
    known = List.of(withheld(A));
    store.listing(cluster(), cluster());

    var summary = run(WriteMode.LIVE, A, B);

    assertThat(store.writes).containsExactly("apply ClusterPolicy/b");
    assertThat(summary.pending().withheldNotes())
        .containsExactly(new Summary.Note("ClusterPolicy/a", "lint reports an error: dangerous"));
    assertThat(summary.warnings()).isEmpty();
    assertThat(summary.status()).isEqualTo(Summary.RunStatus.WITHHELD);
    assertThat(told).contains("PolicyWithheld ClusterPolicy/a: lint reports an error: dangerous");
  }

  @Test
  void neverWritesWhatBreaksKyvernosWebhookConfiguration() {
    store.listing(cluster(), cluster());

    var summary = run(WriteMode.LIVE, BREAKING, B);

    assertThat(store.writes).containsExactly("apply ClusterPolicy/b");
    assertThat(summary.pending().withheldNotes())
        .containsExactly(
            new Summary.Note(
                "ValidatingPolicy/breaking",
                Guard.BREAKS_WEBHOOKS
                    + ": spec.matchConstraints.resourceRules[0].resources: a resource is empty"));
    assertThat(summary.status()).isEqualTo(Summary.RunStatus.WITHHELD);
  }

  /// A person may have corrected the live policy, which is drift then.
  @Test
  void doesNotRepairIntoWhatBreaksTheConfiguration() {
    store.listing(cluster(withOwnership(applied(BREAKING), new FieldOwnership(List.of()))));

    run(WriteMode.LIVE, BREAKING);

    assertThat(store.writes).isEmpty();
  }

  @Test
  void failsWhereAPolicyOfTheFeedBreaksTheConfigurationAlready() {
    store.listing(cluster(applied(BREAKING)));

    var summary = run(WriteMode.LIVE, BREAKING);

    assertThat(summary.untouched().notInForce())
        .containsExactly(
            new Summary.Note(
                "ValidatingPolicy/breaking",
                "it breaks Kyverno's webhook configuration:"
                    + " spec.matchConstraints.resourceRules[0].resources: a resource is empty"));
    assertThat(summary.status()).isEqualTo(Summary.RunStatus.FAILED);
  }

  @Test
  void takesNoLockWhereEverythingIsWithheld() {
    known = List.of(withheld(A));
    store.listing(cluster());

    var summary = run(WriteMode.LIVE, A);

    assertThat(store.writes).isEmpty();
    assertThat(summary.status()).isEqualTo(Summary.RunStatus.WITHHELD);
  }

  @Test
  void removesNoNamesakeOfWhatIsWithheld() {
    var old = policy(PolicyId.of(PolicyKind.VALIDATING_POLICY, "a"));
    known = List.of(withheld(A));
    store.listing(cluster(applied(old)));

    var summary = run(WriteMode.LIVE, A);

    assertThat(store.writes).isEmpty();
    assertThat(summary.pending().withheldNotes())
        .contains(new Summary.Note("ValidatingPolicy/a", Guard.SUCCESSOR_STUCK.toString()));
  }

  @Test
  void previewsTheSame() {
    known = List.of(withheld(A), warning(B));
    store.listing(cluster());

    var summary = run(WriteMode.DRY_RUN, A, B);

    assertThat(summary.pending().withheldNotes())
        .extracting(Summary.Note::policy)
        .containsExactly("ClusterPolicy/a");
    assertThat(summary.warnings()).containsExactly("ClusterPolicy/b: dangerous");
  }

  @Test
  void writesWhatDoesNotBlockWhereWhoKnowsWhoFailsBreaks() {
    var blocking = clusterPolicy("blocking", ENFORCE);
    failing =
        _ -> {
          throw new ClassCastException("as by a defect");
        };
    plannerOptions =
        new PlannerOptions(
            RULES.source(),
            RULES.adoption(),
            RULES.removals(),
            new EnforceGuard(EnforceGuard.Mode.HOLD, 1));
    store.listing(cluster(), cluster());

    var summary = run(WriteMode.LIVE, A, blocking);

    assertThat(store.writes).containsExactly("apply ClusterPolicy/a");
    assertThat(summary.pending().withheldNotes())
        .extracting(Summary.Note::policy)
        .containsExactly("ClusterPolicy/blocking");
    assertThat(summary.status()).isEqualTo(Summary.RunStatus.WITHHELD);
  }

  private static PolicyHazard warning(Policy policy) {
    return new PolicyHazard(policy.id(), Weight.WARNING, "dangerous");
  }

  private static PolicyHazard withheld(Policy policy) {
    return new PolicyHazard(policy.id(), Weight.WITHHOLDS, "dangerous");
  }

  private List<PolicyHazard> hazards(List<Policy> all, Set<PolicyId> inQuestion) {
    assertThat(all).extracting(Policy::id).containsAll(inQuestion);
    asked.add(Set.copyOf(inQuestion));
    return known.stream()
        .filter(policyHazard -> inQuestion.contains(policyHazard.policy()))
        .toList();
  }

  private Summary run(WriteMode writeMode, Policy... feed) {
    var yaml =
        Arrays.stream(feed)
            .map(policy -> YamlText.write(policy.content()))
            .collect(Collectors.joining("---\n"));
    var synchronizer =
        new Synchronizer(
            new SyncPorts(
                () -> List.of(new Manifest("feed", yaml.getBytes(StandardCharsets.UTF_8))),
                store,
                new FakeSyncLock(new FakeSyncLock.SharedRecord(), "pod", new FakeTime()),
                new FakeRunStateStore(new FakeTime()),
                Optional.empty(),
                this::tell,
                this::hazards,
                failing,
                ExecutionSource.UNKNOWN,
                new Conversions.Off()),
            new SyncOptions(
                plannerOptions,
                writeMode,
                false,
                1,
                Duration.ofSeconds(65),
                "0.1.0",
                Optional.empty()),
            new Cancellation(Duration.ofMinutes(4), () -> 0),
            Clock.systemUTC(),
            Progress.NONE);
    return Summary.of(synchronizer.run(), writeMode, Duration.ZERO, Instant.EPOCH);
  }

  private Optional<String> tell(List<PolicyEvent> happened) {
    happened.forEach(event -> told.add(event.reason() + " " + event.note()));
    return Optional.empty();
  }
}

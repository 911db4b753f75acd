package dev.policysync.sync;

import static dev.policysync.plan.PlanFixtures.RULES;
import static dev.policysync.plan.PlanFixtures.clusterPolicyId;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.base.Value;
import dev.policysync.policy.Manifest;
import dev.policysync.policy.Policy;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.PolicyKind;
import dev.policysync.policy.feed.Feed;
import dev.policysync.policy.feed.PolicySource;
import dev.policysync.sync.analysis.ExecutionSource;
import dev.policysync.sync.analysis.PolicyConversion;
import dev.policysync.sync.analysis.PolicyConverter;
import dev.policysync.sync.analysis.PolicyLinter;
import dev.policysync.sync.analysis.ViolationSource;
import dev.policysync.sync.execution.Cancellation;
import dev.policysync.sync.execution.FakePolicyStore;
import dev.policysync.sync.execution.Progress;
import dev.policysync.sync.execution.StopReason;
import dev.policysync.sync.execution.WriteMode;
import dev.policysync.sync.succession.Conversions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// When a run asks what would become of the policies of its feed, and that it does nothing else
/// differently.
class SynchronizerConversionTest {
  private static final String NEW =
      """
      apiVersion: policies.kyverno.io/v1
      kind: ValidatingPolicy
      metadata: {name: new}
      spec: {validationActions: [Audit]}
      """;

  private final FakeTime time = new FakeTime();
  private final FakePolicyStore store = new FakePolicyStore();
  private final FakeRunStateStore memory = new FakeRunStateStore(time);
  private final FakeSyncLock.SharedRecord lease = new FakeSyncLock.SharedRecord();
  private final Cancellation stop = new Cancellation(Duration.ofMinutes(4), time::nanoTime);
  private final List<String> asked = new ArrayList<>();
  private PolicyConverter converter = this::converted;
  private Conversions conversions =
      new Conversions.Preview((feed, policies) -> converter.of(feed, policies));

  @ParameterizedTest
  @EnumSource(WriteMode.class)
  void isSaidOfTheLegacyPoliciesOfTheFeed(WriteMode writeMode) {
    var result = run(writeMode, feed("b") + "---\n" + NEW + "---\n" + feed("a"));

    assertThat(conversions(result)).contains(List.of(conversion("a"), conversion("b")));
    assertThat(asked).containsExactly("a, b");
  }

  @Test
  void isSaidWhereTheFeedHasNoLegacyPolicy() {
    assertThat(conversions(run(WriteMode.LIVE, NEW))).contains(List.of());
  }

  @Test
  void isNotAskedByARunThatParsesNothing() {
    run(WriteMode.LIVE, feed("a"));
    asked.clear();

    var result = run(WriteMode.LIVE, feed("a"));

    assertThat(conversions(result)).isEmpty();
    assertThat(asked).isEmpty();
  }

  @Test
  void isSaidByADryRunThatHasNothingToDo() {
    run(WriteMode.LIVE, feed("a"));

    var result = run(WriteMode.DRY_RUN, feed("a"));

    assertThat(result.plan().unchanged()).containsExactly(clusterPolicyId("a"));
    assertThat(conversions(result)).contains(List.of(conversion("a")));
  }

  @Test
  void isSaidOfTheFeedThatWasWritten() {
    var feeds = new ArrayDeque<>(List.of(feed("a"), feed("b")));

    var result = run(WriteMode.LIVE, () -> manifests(feeds.remove()));

    assertThat(result.plan().actions()).extracting(action -> action.id().name()).containsOnly("b");
    assertThat(conversions(result)).contains(List.of(conversion("b")));
  }

  @Test
  void isAskedOnceAllIsWrittenAndTheLeaseIsGivenBack() {
    converter =
        (feed, policies) -> {
          assertThat(store.find(clusterPolicyId("a"))).isPresent();
          assertThat(new FakeSyncLock(lease, "other", time).acquire(Duration.ZERO))
              .isInstanceOf(SyncLock.Attempt.Taken.class);
          return converted(feed, policies);
        };

    assertThat(conversions(run(WriteMode.LIVE, feed("a")))).isPresent();
  }

  @Test
  void asksNobodyToInspect() {
    assertThat(synchronizer(WriteMode.DRY_RUN, () -> manifests(feed("a"))).inspect())
        .isInstanceOf(Inspection.Compared.class);

    assertThat(asked).isEmpty();
  }

  @Test
  void isLeftOutAfterTheSignToStop() {
    converter =
        (_, _) -> {
          stop.raise(StopReason.DEADLINE);
          return List.of();
        };

    var result = run(WriteMode.LIVE, feed("a"));

    assertThat(conversions(result)).isEmpty();
    assertThat(result.remarks())
        .containsExactly("no conversion preview (CONVERT=preview): the run's TIMEOUT was reached");
    assertThat(status(result)).isEqualTo(Summary.RunStatus.DONE);
  }

  @Test
  void isLeftOutWhereItTakesTooMuchMemory() {
    converter =
        (_, _) -> {
          throw new OutOfMemoryError("s3cret");
        };

    var result = run(WriteMode.LIVE, feed("a"));

    assertThat(conversions(result)).isEmpty();
    assertThat(result.remarks())
        .singleElement()
        .asString()
        .startsWith("no conversion preview (CONVERT=preview): out of memory; increase the heap")
        .doesNotContain("s3cret");
    assertThat(status(result)).isEqualTo(Summary.RunStatus.DONE);
  }

  @Test
  void changesNothingElse() {
    var previewing = run(WriteMode.LIVE, feed("a") + "---\n" + NEW);
    var agreement = memory.load().state().agreement();
    var before = store.list();

    var other = new SynchronizerConversionTest();
    other.conversions = new Conversions.Off();
    var plain = other.run(WriteMode.LIVE, feed("a") + "---\n" + NEW);

    assertThat(previewing.plan()).isEqualTo(plain.plan());
    assertThat(previewing.outcomes()).isEqualTo(plain.outcomes());
    assertThat(previewing.remarks()).isEqualTo(plain.remarks());
    assertThat(agreement).isPresent().isEqualTo(other.memory.load().state().agreement());
    assertThat(before).isEqualTo(other.store.list());
    assertThat(conversions(plain)).isEmpty();
  }

  private List<PolicyConversion> converted(Feed feed, List<Policy> policies) {
    assertThat(feed.manifests()).hasSize(1);
    asked.add(String.join(", ", policies.stream().map(policy -> policy.id().name()).toList()));
    return policies.stream().map(policy -> conversion(policy.id().name())).toList();
  }

  private static PolicyConversion conversion(String name) {
    return new PolicyConversion(
        clusterPolicyId(name),
        List.of(
            new PolicyConversion.Successor(
                PolicyId.of(PolicyKind.VALIDATING_POLICY, name), "r", Value.Mapping.EMPTY)),
        List.of());
  }

  private static Optional<List<PolicyConversion>> conversions(SyncResult.Finished result) {
    var summary = Summary.of(result, WriteMode.LIVE, Duration.ZERO, Instant.EPOCH);
    assertThat(summary.conversions()).isEqualTo(result.conversions());
    return summary.conversions();
  }

  private static Summary.RunStatus status(SyncResult.Finished result) {
    return Summary.of(result, WriteMode.LIVE, Duration.ZERO, Instant.EPOCH).status();
  }

  private SyncResult.Finished run(WriteMode writeMode, String feed) {
    return run(writeMode, () -> manifests(feed));
  }

  private SyncResult.Finished run(WriteMode writeMode, PolicySource source) {
    return (SyncResult.Finished) synchronizer(writeMode, source).run();
  }

  private Synchronizer synchronizer(WriteMode writeMode, PolicySource source) {
    return new Synchronizer(
        new SyncPorts(
            source,
            store,
            new FakeSyncLock(lease, "run", time),
            memory,
            Optional.empty(),
            EventSink.NONE,
            PolicyLinter.NONE,
            ViolationSource.UNKNOWN,
            ExecutionSource.UNKNOWN,
            conversions),
        new SyncOptions(
            RULES, writeMode, false, 1, Duration.ofSeconds(65), "0.1.0", Optional.empty()),
        stop,
        time.clock(),
        Progress.NONE);
  }

  private static List<Manifest> manifests(String feed) {
    return List.of(new Manifest("feed", feed.getBytes(UTF_8)));
  }

  private static String feed(String name) {
    return """
    apiVersion: kyverno.io/v1
    kind: ClusterPolicy
    metadata: {name: %s}
    spec: {validationFailureAction: Audit, rules: []}
    """
        .formatted(name);
  }
}

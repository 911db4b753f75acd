package dev.policysync.sync;

import static dev.policysync.plan.PlanFixtures.RULES;
import static dev.policysync.plan.PlanFixtures.absent;
import static dev.policysync.plan.PlanFixtures.clusterPolicyId;
import static dev.policysync.plan.PlanFixtures.forbidden;
import static dev.policysync.plan.PlanFixtures.unlistable;
import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.plan.EnforceGuard;
import dev.policysync.plan.Failure;
import dev.policysync.plan.Guard;
import dev.policysync.plan.Listing;
import dev.policysync.plan.PlannerOptions;
import dev.policysync.plan.RemovalBudget;
import dev.policysync.policy.Manifest;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.PolicyKind;
import dev.policysync.sync.Summary.Note;
import dev.policysync.sync.Summary.RunStatus;
import dev.policysync.sync.analysis.ExecutionSource;
import dev.policysync.sync.analysis.PolicyLinter.PolicyHazard;
import dev.policysync.sync.analysis.PolicyLinter.Weight;
import dev.policysync.sync.analysis.ViolationSource;
import dev.policysync.sync.execution.Cancellation;
import dev.policysync.sync.execution.FakePolicyStore;
import dev.policysync.sync.execution.Progress;
import dev.policysync.sync.execution.StopReason;
import dev.policysync.sync.execution.WriteMode;
import dev.policysync.sync.succession.Conversions;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Promise 6 over whole runs: an exception and a context entry stay as long as a policy that they
/// serve stays as it is, and no policy begins to block while what is to shield from it cannot be
/// applied.
class SynchronizerDependenciesTest {
  private static final Failure DENIED = new Failure(Failure.Cause.DENIED, "denied");
  private static final PolicyId X = clusterPolicyId("x");
  private static final PolicyId X_CEL = PolicyId.of(PolicyKind.VALIDATING_POLICY, "x");
  private static final PolicyId E = PolicyId.of(PolicyKind.KYVERNO_EXCEPTION, "shop", "e");
  private static final PolicyId E_CEL = PolicyId.of(PolicyKind.CEL_EXCEPTION, "shop", "e");
  private static final PolicyId G = PolicyId.of(PolicyKind.GLOBAL_CONTEXT_ENTRY, "g");

  private static final String STAYS = clusterPolicy("stays", "Audit");
  private static final String A = clusterPolicy("a", "Audit");
  private static final String B = clusterPolicy("b", "Audit");
  private static final String EXCEPTION = exception("x");

  private static final String CEL_EXCEPTION =
      """
      apiVersion: policies.kyverno.io/v1
      kind: PolicyException
      metadata: {name: e, namespace: shop}
      spec: {policyRefs: [{name: x, kind: ValidatingPolicy}]}
      """;

  private static final String CONTEXT =
      """
      apiVersion: kyverno.io/v2
      kind: GlobalContextEntry
      metadata: {name: g}
      spec: {kubernetesResource: {version: v1, resource: configmaps}}
      """;

  private static final Duration SETTLED = Duration.ofSeconds(30);

  private final FakeTime time = new FakeTime();
  private final FakePolicyStore store = new FakePolicyStore();
  private final FakeRunStateStore memory = new FakeRunStateStore(time);
  private final FakeSyncLock.SharedRecord lease = new FakeSyncLock.SharedRecord();
  private final Set<PolicyId> hazardous = new HashSet<>();
  private EnforceGuard guard = EnforceGuard.OFF;
  private RemovalBudget budget = new RemovalBudget.Share(100);
  private Runnable beforeTheLease = () -> {};

  @Test
  void appliesWhatBlocksInALaterRunThanItsException() {
    var feed = new String[] {STAYS, clusterPolicy("x", "Enforce"), EXCEPTION};

    var first = run(feed);
    var thereAtOnce = isThere(X);
    var second = run(feed);

    assertThat(first.status()).isEqualTo(RunStatus.DONE);
    assertThat(first.pending().waiting())
        .containsExactly(
            new Note(
                X.toString(),
                "to be applied by a later run, when Kyverno knows"
                    + " PolicyException.kyverno.io/shop/e"));
    assertThat(first.changes()).isTrue();
    assertThat(isThere(E)).isTrue();
    assertThat(thereAtOnce).isFalse();
    assertThat(second.status()).isEqualTo(RunStatus.DONE);
    assertThat(isThere(X)).isTrue();
  }

  @Test
  void removesAnExceptionInALaterRunThanItsPolicy() {
    settle(STAYS, clusterPolicy("x", "Enforce"), EXCEPTION, CONTEXT);

    var first = run(STAYS);
    var thereAtOnce = isThere(E);
    time.advance(SETTLED);
    var second = run(STAYS);

    assertThat(first.status()).isEqualTo(RunStatus.DONE);
    assertThat(first.pending().waiting())
        .containsExactly(
            new Note(
                E.toString(),
                "to be removed by a later run, when Kyverno knows what became of"
                    + " ClusterPolicy/x"));
    assertThat(isThere(X)).isFalse();
    assertThat(thereAtOnce).isTrue();
    assertThat(second.status()).isEqualTo(RunStatus.DONE);
    assertThat(isThere(E)).isFalse();
  }

  @Test
  void removesAPolicyInALaterRunThanTheOneThatReplacesIt() {
    settle(STAYS, clusterPolicy("x", "Enforce"));

    run(STAYS, validatingPolicy("Deny"));
    var thereAtOnce = isThere(X);
    time.advance(SETTLED);
    run(STAYS, validatingPolicy("Deny"));

    assertThat(isThere(X_CEL)).isTrue();
    assertThat(thereAtOnce).isTrue();
    assertThat(isThere(X)).isFalse();
  }

  @Test
  void leavesARemovalToARunThatKyvernoHadTimeBefore() {
    settle(STAYS, clusterPolicy("x", "Enforce"), EXCEPTION);
    run(STAYS);
    var noted = memory.load();
    time.advance(SETTLED.minusSeconds(1));

    var early = run(STAYS);

    assertThat(isThere(E)).isTrue();
    assertThat(early.status()).isEqualTo(RunStatus.DONE);
    assertThat(early.pending().waiting())
        .containsExactly(
            new Note(
                E.toString(),
                "to be removed by a later run, when Kyverno knows what the last run wrote and"
                    + " removed"));
    assertThat(memory.load()).isEqualTo(noted);
  }

  /// In the cluster's own time: the exception was there before the run.
  @Test
  void leavesAWriteToARunThatKyvernoHadTimeBefore() {
    store.tellTheTimeOf(time.clock());
    run(STAYS, EXCEPTION);
    time.advance(SETTLED.minusSeconds(1));

    var early = run(STAYS, clusterPolicy("x", "Enforce"), EXCEPTION);
    var thereTooEarly = isThere(X);
    time.advance(Duration.ofSeconds(1));
    run(STAYS, clusterPolicy("x", "Enforce"), EXCEPTION);

    assertThat(early.pending().waiting()).extracting(Note::policy).containsExactly(X.toString());
    assertThat(thereTooEarly).isFalse();
    assertThat(isThere(X)).isTrue();
  }

  @Test
  void appliesWhatBlocksNoMoreTogetherWithItsException() {
    run(STAYS, clusterPolicy("x", "Audit"), EXCEPTION);

    assertThat(isThere(X)).isTrue();
  }

  @Test
  void letsNoPolicyInForceWaitForAnExceptionThatIsRecreated() {
    settle(STAYS, clusterPolicy("x", "Enforce"), EXCEPTION);
    store.remove(E);

    var summary = run(STAYS, clusterPolicy("x", "Enforce"), EXCEPTION);

    assertThat(summary.pending().waiting()).isEmpty();
    assertThat(isThere(E)).isTrue();
  }

  @Test
  void leavesToTheNextRunWhatBeginsToBlockInTheMiddleOfTheRun() {
    settle(STAYS, clusterPolicy("x", "Enforce"));
    store.beforeEachWrite(action -> {
      if (action.id().equals(X)) {
        store.beforeEachWrite(_ -> {});
        store.edit(X, "spec: {validationFailureAction: Audit}");
      }
    });

    var summary =
        run(STAYS, clusterPolicy("x", "Enforce", "skipBackgroundRequests: false"), EXCEPTION);

    assertThat(summary.writes().notAttempted())
        .containsExactly(new Note(X.toString(), StopReason.UNSHIELDED.toString()));
  }

  @Test
  void keepsAnApprovalForTheExceptionThatWaitsForItsPolicy() {
    settle(STAYS, clusterPolicy("x", "Enforce"), EXCEPTION, A, B);
    budget = new RemovalBudget.Count(1);

    var asked = run(STAYS);
    approve(asked);
    var approved = run(STAYS);
    time.advance(SETTLED);
    var after = run(STAYS);

    assertThat(asked.pending().withheldNotes()).hasSize(4);
    assertThat(approved.writes().removed()).hasSize(3);
    assertThat(approved.pending().waiting()).extracting(Note::policy).containsExactly(E.toString());
    assertThat(after.pending().approval()).isEmpty();
    assertThat(after.status()).isEqualTo(RunStatus.DONE);
    assertThat(isThere(E)).isFalse();
    assertThat(memory.load().state().removals().removed()).isEmpty();
    assertThat(memory.load().state().removals().deferred()).isEmpty();
  }

  @Test
  void keepsAnApprovalOfAnEmptyFeedForTheExceptions() {
    settle(clusterPolicy("x", "Enforce"), EXCEPTION);

    approve(run("# empty"));
    run("# empty");
    time.advance(SETTLED);
    var after = run("# empty");

    assertThat(after.pending().approval()).isEmpty();
    assertThat(isThere(E)).isFalse();
  }

  @Test
  void endsAnApprovalOfWhatWaitsOnceTheFeedIsWholeAgain() {
    settle(STAYS, clusterPolicy("x", "Enforce"), EXCEPTION, A, B);
    budget = new RemovalBudget.Count(0);
    approve(run(STAYS));
    run(STAYS);
    run(STAYS, EXCEPTION);
    time.advance(SETTLED);

    var summary = run(STAYS);

    assertThat(summary.pending().withheldNotes())
        .singleElement()
        .satisfies(note -> {
          assertThat(note.policy()).isEqualTo(E.toString());
          assertThat(note.reason()).startsWith(Guard.OVER_BUDGET + ": 1 requested");
        });
    assertThat(isThere(E)).isTrue();
  }

  @Test
  void endsAnApprovalOfWhatWaitsAfterADay() {
    settle(STAYS, clusterPolicy("x", "Enforce"), EXCEPTION, A, B);
    budget = new RemovalBudget.Count(0);
    approve(run(STAYS));
    run(STAYS);
    time.advance(Duration.ofHours(24));

    var summary = run(STAYS);

    assertThat(summary.pending().withheldNotes())
        .extracting(Note::policy)
        .containsExactly(E.toString());
  }

  @Test
  void keepsAnApprovalOfWhatWaitsWhileTheFeedCannotBeReadToTheEnd() {
    settle(STAYS, clusterPolicy("x", "Enforce"), EXCEPTION, A, B);
    budget = new RemovalBudget.Count(0);
    approve(run(STAYS));
    run(STAYS);
    time.advance(SETTLED);

    var incomplete = run(STAYS, "{kind: Nothing}");
    var complete = run(STAYS);

    assertThat(incomplete.pending().withheldNotes())
        .extracting(Note::policy)
        .containsExactly(E.toString());
    assertThat(complete.writes().removed()).hasSize(1);
    assertThat(isThere(E)).isFalse();
  }

  @Test
  void countsAnExceptionThatWaitsAgainstTheBudgetOnce() {
    settle(STAYS, clusterPolicy("x", "Enforce"), EXCEPTION, A, B);
    budget = new RemovalBudget.Count(2);

    run(STAYS, A, B);
    time.advance(SETTLED);
    run(STAYS, A, B);
    var summary = run(STAYS, A);

    assertThat(isThere(E)).isFalse();
    assertThat(summary.pending().withheldNotes())
        .extracting(Note::policy)
        .containsExactly("ClusterPolicy/b");
  }

  /// One approval is used up by the run that begins: what waits is not asked for yet.
  @Test
  void asksForAnApprovalOfWhatBlocksOnceItsTimeHasCome() {
    guard = new EnforceGuard(EnforceGuard.Mode.HOLD, 1);

    var first = run(STAYS, clusterPolicy("x", "Enforce"), EXCEPTION);
    var second = run(STAYS, clusterPolicy("x", "Enforce"), EXCEPTION);

    assertThat(first.pending().withheld()).isEmpty();
    assertThat(first.pending().waiting()).extracting(Note::policy).containsExactly(X.toString());
    assertThat(second.pending().withheldNotes())
        .extracting(Note::policy)
        .containsExactly(X.toString());
  }

  @Test
  void movesAPolicyWithItsExceptionInAsManyRunsAsItHasSteps() {
    settle(STAYS, clusterPolicy("x", "Enforce"), EXCEPTION);
    var feed = new String[] {STAYS, validatingPolicy("Deny"), CEL_EXCEPTION};
    var steps = new ArrayList<List<Boolean>>();

    for (int i = 0; i < 4; i++) {
      run(feed);
      time.advance(SETTLED);
      steps.add(List.of(isThere(E_CEL), isThere(X_CEL), !isThere(X), !isThere(E)));
    }

    assertThat(steps)
        .containsExactly(
            List.of(true, false, false, false),
            List.of(true, true, false, false),
            List.of(true, true, true, false),
            List.of(true, true, true, true));
  }

  @Test
  void removesAnExceptionOfAPolicyThatTheFeedKeepsAsItIs() {
    settle(clusterPolicy("x", "Enforce"), EXCEPTION);

    var summary = run(clusterPolicy("x", "Enforce"));

    assertThat(summary.status()).isEqualTo(RunStatus.DONE);
    assertThat(isThere(E)).isFalse();
  }

  @Test
  void removesAnExceptionOfAPolicyThatIsNotThereAnyMore() {
    settle(STAYS, clusterPolicy("x", "Enforce"), EXCEPTION);
    store.remove(X);

    var summary = run(STAYS);

    assertThat(summary.status()).isEqualTo(RunStatus.DONE);
    assertThat(isThere(E)).isFalse();
  }

  @Test
  void keepsAnExceptionWhileTheSuccessorOfItsPolicyConflicts() {
    settle(STAYS, clusterPolicy("x", "Enforce"), EXCEPTION);
    store.create(validatingPolicy("Deny"));

    var summary = run(STAYS, validatingPolicy("Deny"));

    assertThat(isThere(X)).isTrue();
    assertThat(isThere(E)).isTrue();
    assertThat(summary.pending().withheldNotes())
        .contains(
            new Note(E.toString(), "a policy that depends on it is not changed: ClusterPolicy/x"));
    assertThat(summary.status()).isEqualTo(RunStatus.WITHHELD);
  }

  @Test
  void keepsAnExceptionWhileTheSuccessorOfItsPolicyIsWithheldByLint() {
    settle(STAYS, clusterPolicy("x", "Enforce"), EXCEPTION);
    hazardous.add(X_CEL);

    var summary = run(STAYS, validatingPolicy("Audit"));

    assertThat(isThere(X)).isTrue();
    assertThat(isThere(E)).isTrue();
    assertThat(summary.status()).isEqualTo(RunStatus.WITHHELD);
  }

  @Test
  void keepsAnExceptionOfAPolicyThatIsNeverToBeRemoved() {
    settle(STAYS, clusterPolicy("x", "Enforce"), EXCEPTION);
    store.edit(X, "metadata: {annotations: {policysync.dev/prune: disabled}}");

    var summary = run(STAYS);

    assertThat(isThere(E)).isTrue();
    assertThat(summary.warnings())
        .contains(E + " is kept: still needed by ClusterPolicy/x, which stays in force");
    assertThat(summary.status()).isEqualTo(RunStatus.DONE);
  }

  @Test
  void keepsAnExceptionOfAPolicyThatWasDetached() {
    settle(STAYS, clusterPolicy("x", "Enforce"), EXCEPTION);
    store.edit(X, "metadata: {annotations: {insights.fairwinds.com/owned-by: null}}");

    var summary = run(STAYS);

    assertThat(isThere(E)).isTrue();
    assertThat(summary.status()).isEqualTo(RunStatus.DONE);
  }

  @Test
  void keepsAnExceptionOfAPolicyThatNeverWasOurs() {
    store.create(clusterPolicy("x", "Enforce"));
    run(STAYS, EXCEPTION);

    run(STAYS);

    assertThat(isThere(E)).isTrue();
  }

  @Test
  void keepsTheExceptionOfACelPolicyThatIsNeverToBeRemoved() {
    settle(STAYS, validatingPolicy("Deny"), CEL_EXCEPTION);
    store.edit(X_CEL, "metadata: {annotations: {policysync.dev/prune: disabled}}");

    run(STAYS);

    assertThat(isThere(E_CEL)).isTrue();
  }

  @Test
  void keepsAnExceptionOfAnExpectedPolicyWhoseNameIsTaken() {
    store.create(clusterPolicy("x", "Enforce"));
    run(STAYS, EXCEPTION);

    var summary = run(STAYS, clusterPolicy("x", "Audit"));

    assertThat(isThere(E)).isTrue();
    assertThat(summary.status()).isEqualTo(RunStatus.WITHHELD);
  }

  @Test
  void keepsAnExceptionWhileTheUpdateOfItsPolicyIsWithheldByLint() {
    settle(STAYS, clusterPolicy("x", "Enforce"), EXCEPTION);
    hazardous.add(X);

    run(STAYS, clusterPolicy("x", "Audit"));

    assertThat(isThere(E)).isTrue();
  }

  @Test
  void keepsAnExceptionWhileTheUpdateOfItsPolicyIsRefused() {
    settle(STAYS, clusterPolicy("x", "Enforce"), EXCEPTION);
    store.refuse(X, DENIED);

    var summary = run(STAYS, clusterPolicy("x", "Audit"));

    assertThat(isThere(E)).isTrue();
    assertThat(summary.pending().waiting()).extracting(Note::policy).containsExactly(E.toString());
  }

  @Test
  void removesAnExceptionThatHasNothingToDoWithTheRefusedPolicy() {
    settle(STAYS, clusterPolicy("other", "Enforce"), EXCEPTION);
    store.refuse(clusterPolicyId("other"), DENIED);

    run(STAYS, clusterPolicy("other", "Audit"));

    assertThat(isThere(E)).isFalse();
  }

  @Test
  void keepsAnExceptionWhileTheRemovalOfItsPolicyIsForbidden() {
    settle(STAYS, clusterPolicy("x", "Enforce"), EXCEPTION);
    store.refuse(X, forbidden());

    run(STAYS);

    assertThat(isThere(E)).isTrue();
  }

  @Test
  void keepsAnExceptionWhileItsPolicyCannotBeListed() {
    settle(STAYS, clusterPolicy("x", "Enforce"), EXCEPTION);
    store.list(PolicyKind.CLUSTER_POLICY, unlistable());

    run(validatingPolicy("Audit"));

    assertThat(isThere(E)).isTrue();
  }

  @Test
  void keepsAnExceptionOfAPolicyThatIsDetachedInTheMiddleOfTheRun() {
    settle(STAYS, clusterPolicy("x", "Enforce"), EXCEPTION);
    store.beforeEachWrite(action -> {
      if (action.id().equals(X)) {
        store.edit(X, "metadata: {annotations: {insights.fairwinds.com/owned-by: null}}");
      }
    });

    run(STAYS);

    assertThat(isThere(X)).isTrue();
    assertThat(isThere(E)).isTrue();
  }

  @Test
  void keepsAnExceptionThatChangesInTheMiddleOfTheRun() {
    store.create(clusterPolicy("another", "Enforce"));
    settle(STAYS, clusterPolicy("x", "Enforce"), EXCEPTION);
    store.beforeEachWrite(action -> {
      if (action.id().equals(E)) {
        store.edit(E, "spec: {exceptions: [{policyName: another, ruleNames: ['*']}]}");
      }
    });

    run(STAYS);
    time.advance(SETTLED);
    var summary = run(STAYS);

    assertThat(isThere(E)).isTrue();
    assertThat(summary.writes().notAttempted())
        .containsExactly(new Note(E.toString(), StopReason.CHANGED_MEANWHILE.toString()));
  }

  @Test
  void keepsAnExceptionThatCannotBeRead() {
    settle(STAYS, clusterPolicy("x", "Enforce"), EXCEPTION);
    store.hide(E, forbidden());

    var summary = run(STAYS);

    assertThat(isThere(X)).isFalse();
    assertThat(summary.pending().withheldNotes())
        .containsExactly(
            new Note(E.toString(), Guard.SERVES_UNKNOWN + ": " + forbidden().reason()));
  }

  @Test
  void keepsAnExceptionThatWasReadInAnotherStateThanItWasListedIn() {
    settle(STAYS, clusterPolicy("x", "Enforce"), EXCEPTION);
    var other = store.copy();
    other.edit(E, "spec: {exceptions: [{policyName: another, ruleNames: ['*']}]}");
    store.edit(X, "metadata: {annotations: {policysync.dev/prune: disabled}}");
    store.show(E, other.read(E));

    var summary = run(STAYS);

    assertThat(isThere(E)).isTrue();
    assertThat(summary.status()).isEqualTo(RunStatus.WITHHELD);
  }

  @Test
  void keepsAnExceptionOfAPolicyThatIsMissingFromTheLastListAlone() {
    settle(STAYS, clusterPolicy("x", "Enforce"), EXCEPTION);
    beforeTheLease =
        () -> store.list(PolicyKind.CLUSTER_POLICY, new Listing.Listed("v1", List.of()));

    run(STAYS);

    assertThat(isThere(X)).isTrue();
    assertThat(isThere(E)).isTrue();
  }

  @Test
  void keepsAnExceptionUntilItsPolicyIsGone() {
    settle(STAYS, clusterPolicy("x", "Enforce"), EXCEPTION);
    store.edit(X, "metadata: {finalizers: [example.com/hold]}");

    var first = run(STAYS);
    var second = run(STAYS);
    var thereWhileItWaits = isThere(E);
    store.edit(X, "metadata: {finalizers: null}");
    var third = run(STAYS);

    assertThat(first.writes().removed()).isEmpty();
    assertThat(first.untouched().terminating())
        .extracting(Note::policy)
        .containsExactly(X.toString());
    assertThat(second.pending().withheldNotes())
        .containsExactly(
            new Note(E.toString(), "a policy that depends on it is not changed: ClusterPolicy/x"));
    assertThat(second.untouched().terminating())
        .extracting(Note::policy)
        .containsExactly(X.toString());
    assertThat(thereWhileItWaits).isTrue();
    assertThat(third.status()).isEqualTo(RunStatus.DONE);
    assertThat(isThere(E)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "context: [{name: c, globalReference: {name: g}}]",
        "validate: {cel: {variables: [{name: c, expression: 'globalContext.Get(\"g\", \"\")'}]}}"
      })
  void keepsAContextEntryThatAPolicyReadsWhichStays(String reads) {
    settle(STAYS, clusterPolicy("x", "Enforce", reads), CONTEXT);
    store.edit(X, "metadata: {annotations: {policysync.dev/prune: disabled}}");

    run(STAYS);

    assertThat(isThere(G)).isTrue();
  }

  @Test
  void removesAContextEntryThatNoPolicyReads() {
    run(
        STAYS,
        clusterPolicy("x", "Enforce", "context: [{name: c, globalReference: {name: other}}]"),
        CONTEXT);
    store.edit(X, "metadata: {annotations: {policysync.dev/prune: disabled}}");

    run(STAYS);

    assertThat(isThere(G)).isFalse();
  }

  @Test
  void keepsAContextEntryWhileAPolicyThatMayReadItCannotBeRead() {
    settle(STAYS, clusterPolicy("x", "Enforce"), CONTEXT);
    store.edit(X, "metadata: {annotations: {policysync.dev/prune: disabled}}");
    store.hide(X, forbidden());

    var summary = run(STAYS);

    assertThat(isThere(G)).isTrue();
    assertThat(summary.status()).isEqualTo(RunStatus.WITHHELD);
  }

  @Test
  void blocksNothingWhileTheExceptionIsRefused() {
    store.refuse(E, DENIED);

    var summary = run(STAYS, clusterPolicy("x", "Enforce"), EXCEPTION);

    assertThat(isThere(X)).isFalse();
    assertThat(summary.pending().waiting()).extracting(Note::policy).containsExactly(X.toString());
    assertThat(summary.writes().applied()).hasSize(1);
    assertThat(summary.status()).isEqualTo(RunStatus.FAILED);
  }

  @Test
  void blocksOnceTheExceptionIsTaken() {
    store.refuse(E, DENIED);
    settle(STAYS, clusterPolicy("x", "Enforce"), EXCEPTION);
    store.allow(E);
    run(STAYS, clusterPolicy("x", "Enforce"), EXCEPTION);
    var thereWithIt = isThere(X);

    var summary = run(STAYS, clusterPolicy("x", "Enforce"), EXCEPTION);

    assertThat(thereWithIt).isFalse();
    assertThat(summary.writes().applied()).hasSize(1);
    assertThat(summary.status()).isEqualTo(RunStatus.DONE);
  }

  @Test
  void tightensNothingWhileTheExceptionIsRefused() {
    run(STAYS, clusterPolicy("x", "Audit"));
    store.refuse(E, DENIED);

    var summary = run(STAYS, clusterPolicy("x", "Enforce"), EXCEPTION);

    assertThat(summary.writes().updated()).isEmpty();
    assertThat(summary.pending().waiting()).extracting(Note::policy).containsExactly(X.toString());
  }

  @Test
  void appliesWhatLoosensOrBlocksNothingAlthoughTheExceptionIsRefused() {
    run(STAYS, clusterPolicy("x", "Enforce"));
    store.refuse(E, DENIED);
    store.refuse(PolicyId.of(PolicyKind.KYVERNO_EXCEPTION, "shop", "f"), DENIED);

    var summary =
        run(
            STAYS,
            clusterPolicy("x", "Audit"),
            clusterPolicy("new", "Audit"),
            EXCEPTION,
            exception("new").replace("name: e", "name: f"));

    assertThat(summary.writes().updated()).hasSize(1);
    assertThat(summary.writes().applied()).hasSize(1);
  }

  @Test
  void goesOnRemovingWhereAPolicyWaitsForItsException() {
    run(STAYS, clusterPolicy("gone", "Audit"));
    store.refuse(E, DENIED);

    settle(STAYS, clusterPolicy("x", "Enforce"), EXCEPTION);

    assertThat(isThere(clusterPolicyId("gone"))).isFalse();
  }

  @Test
  void withholdsWhatBlocksWhileItsExceptionsNameIsTaken() {
    store.create(EXCEPTION);

    var summary = run(STAYS, clusterPolicy("x", "Enforce"), EXCEPTION);

    assertThat(isThere(X)).isFalse();
    assertThat(summary.pending().withheldNotes())
        .singleElement()
        .satisfies(note -> {
          assertThat(note.policy()).isEqualTo(X.toString());
          assertThat(note.reason()).contains(E.toString(), "is not managed by policy-sync");
        });
  }

  @Test
  void withholdsWhatBlocksWhileTheKindOfItsExceptionIsAbsent() {
    store.list(PolicyKind.CEL_EXCEPTION, absent());

    settle(STAYS, validatingPolicy("Deny"), CEL_EXCEPTION);

    assertThat(isThere(X_CEL)).isFalse();
  }

  @Test
  void withholdsWhatBlocksWhileTheKindOfItsExceptionCannotBeListed() {
    store.list(PolicyKind.KYVERNO_EXCEPTION, unlistable());

    settle(STAYS, clusterPolicy("x", "Enforce"), EXCEPTION);

    assertThat(isThere(X)).isFalse();
  }

  @Test
  void withholdsWhatBlocksWhileItsExceptionIsWithheldByLint() {
    hazardous.add(E);

    settle(STAYS, clusterPolicy("x", "Enforce"), EXCEPTION);

    assertThat(isThere(X)).isFalse();
  }

  @Test
  void withholdsOnlyWhatAnUnreadableExceptionNames() {
    run(
        STAYS,
        clusterPolicy("x", "Enforce"),
        clusterPolicy("other", "Enforce"),
        EXCEPTION.replace("namespace: shop", "labels: {quoted: 1}, namespace: shop"));

    assertThat(isThere(X)).isFalse();
    assertThat(isThere(clusterPolicyId("other"))).isTrue();
  }

  @Test
  void withholdsWhatBlocksWhileItsExceptionHasNoNamespace() {
    settle(STAYS, clusterPolicy("x", "Enforce"), EXCEPTION.replace(", namespace: shop", ""));

    assertThat(isThere(X)).isFalse();
  }

  @Test
  void withholdsAllThatAnExceptionMayNameOfWhichNobodyKnowsWhichOneIsMeant() {
    run(
        STAYS,
        clusterPolicy("x", "Enforce"),
        validatingPolicy("Deny"),
        EXCEPTION,
        exception("other"));

    assertThat(isThere(X)).isFalse();
    assertThat(isThere(X_CEL)).isTrue();
  }

  @Test
  void withholdsWhatBlocksWhileTheContextEntryThatItReadsIsRefused() {
    store.refuse(G, DENIED);

    run(
        STAYS,
        clusterPolicy("x", "Enforce", "context: [{name: c, globalReference: {name: g}}]"),
        clusterPolicy("other", "Enforce"),
        CONTEXT);

    assertThat(isThere(X)).isFalse();
    assertThat(isThere(clusterPolicyId("other"))).isTrue();
  }

  @Test
  void keepsAPredecessorAndItsExceptionWhileTheSuccessorLacksItsOwn() {
    settle(STAYS, clusterPolicy("x", "Enforce"), EXCEPTION);
    store.create(CEL_EXCEPTION);

    settle(STAYS, validatingPolicy("Deny"), CEL_EXCEPTION);

    assertThat(isThere(X_CEL)).isFalse();
    assertThat(isThere(X)).isTrue();
    assertThat(isThere(E)).isTrue();
  }

  @Test
  void leavesToTheNextRunWhatBlocksMoreForWhatSomebodyElseDidMeanwhile() {
    run(STAYS, clusterPolicy("x", "Enforce"));
    guard = new EnforceGuard(EnforceGuard.Mode.HOLD, 1);
    store.beforeEachWrite(action -> {
      if (action.id().equals(X)) {
        store.beforeEachWrite(_ -> {});
        store.edit(X, "spec: {validationFailureAction: Audit}");
      }
    });

    var first = run(STAYS, clusterPolicy("x", "Enforce", "skipBackgroundRequests: false"));
    var second = run(STAYS, clusterPolicy("x", "Enforce", "skipBackgroundRequests: false"));

    assertThat(first.writes().notAttempted())
        .containsExactly(new Note(X.toString(), StopReason.CHANGED_MEANWHILE.toString()));
    assertThat(second.pending().withheldNotes())
        .extracting(Note::policy)
        .containsExactly(X.toString());
  }

  @Test
  void writesAgainWhatBlocksNoMoreThanItWasJudgedBy() {
    run(STAYS, clusterPolicy("x", "Enforce"));
    guard = new EnforceGuard(EnforceGuard.Mode.HOLD, 1);
    store.beforeEachWrite(action -> {
      if (action.id().equals(X)) {
        store.beforeEachWrite(_ -> {});
        store.edit(X, "metadata: {labels: {team: shop}}");
      }
    });

    var summary = run(STAYS, clusterPolicy("x", "Enforce", "skipBackgroundRequests: false"));

    assertThat(summary.writes().updated()).hasSize(1);
  }

  @Test
  void holdsBackTheRemovalOfAnExceptionThatNamesPoliciesByAPattern() {
    settle(STAYS, clusterPolicy("x", "Enforce"), exception("'x*'"));
    guard = new EnforceGuard(EnforceGuard.Mode.HOLD, 1);

    var summary = run(STAYS, clusterPolicy("x", "Enforce"));

    assertThat(summary.pending().withheldNotes())
        .extracting(Note::policy)
        .containsExactly(E.toString());
    assertThat(isThere(E)).isTrue();
  }

  @Test
  void asksForNoApprovalOfAnExceptionThatStaysAllTheSame() {
    settle(STAYS, clusterPolicy("x", "Enforce"), EXCEPTION, A, B);
    store.edit(X, "metadata: {annotations: {policysync.dev/prune: disabled}}");
    budget = new RemovalBudget.Count(0);

    var asked = run(STAYS);
    approve(asked);
    var approved = run(STAYS);
    var after = run(STAYS);

    assertThat(asked.pending().withheldNotes())
        .extracting(Note::policy)
        .containsExactly("ClusterPolicy/a", "ClusterPolicy/b");
    assertThat(approved.writes().removed()).hasSize(2);
    assertThat(isThere(E)).isTrue();
    assertThat(after.warnings())
        .contains(E + " is kept: still needed by ClusterPolicy/x, which stays in force");
    assertThat(after.pending().approval()).isEmpty();
    assertThat(after.status()).isEqualTo(RunStatus.DONE);
  }

  @Test
  void asksForNoApprovalOfAPolicyAndItsExceptionWhoseSuccessorConflicts() {
    settle(STAYS, clusterPolicy("x", "Enforce"), EXCEPTION, A, B);
    store.create(validatingPolicy("Deny"));
    budget = new RemovalBudget.Count(0);

    approve(run(STAYS, validatingPolicy("Deny")));
    var approved = run(STAYS, validatingPolicy("Deny"));
    var after = run(STAYS, validatingPolicy("Deny"));

    assertThat(approved.writes().removed()).hasSize(2);
    assertThat(after.pending().approval()).isEmpty();
    assertThat(after.pending().withheldNotes())
        .containsExactly(
            new Note("ClusterPolicy/x", Guard.SUCCESSOR_STUCK.toString()),
            new Note(E.toString(), "a policy that depends on it is not changed: ClusterPolicy/x"));
  }

  @Test
  void takesNoApprovalForOneOfAnExceptionThatBecameFreeSince() {
    settle(STAYS, clusterPolicy("x", "Enforce"), EXCEPTION, A, B);
    store.edit(X, "metadata: {annotations: {policysync.dev/prune: disabled}}");
    budget = new RemovalBudget.Count(0);
    approve(run(STAYS));
    store.remove(X);

    var summary = run(STAYS);

    assertThat(summary.writes().removed()).isEmpty();
    assertThat(summary.pending().withheldNotes())
        .extracting(Note::policy)
        .containsExactly("ClusterPolicy/a", "ClusterPolicy/b", E.toString());
    assertThat(summary.warnings()).contains("the approval on the Lease is for a different list");
  }

  @Test
  void judgesAnExceptionThatBecameFreeByTheBudgetOfItsOwn() {
    settle(STAYS, clusterPolicy("x", "Enforce"), EXCEPTION, A, B);
    store.edit(X, "metadata: {annotations: {policysync.dev/prune: disabled}}");
    budget = new RemovalBudget.Count(0);
    approve(run(STAYS));
    run(STAYS);
    store.remove(X);

    var summary = run(STAYS);

    assertThat(isThere(E)).isTrue();
    assertThat(summary.pending().withheldNotes())
        .singleElement()
        .satisfies(note -> {
          assertThat(note.policy()).isEqualTo(E.toString());
          assertThat(note.reason()).startsWith(Guard.OVER_BUDGET + ": 1 requested");
        });
    assertThat(summary.pending().approval()).isPresent();
  }

  /// Runs until nothing of that feed waits for an earlier run.
  private void settle(String... feed) {
    run(feed);
    time.advance(SETTLED);
    run(feed);
  }

  /// Lets a person approve what that run withheld.
  private void approve(Summary asked) {
    memory.approve(asked.pending().approval().orElseThrow().list().text());
  }

  private boolean isThere(PolicyId id) {
    return store.find(id).isPresent();
  }

  private static String clusterPolicy(String name, String action) {
    return clusterPolicy(name, action, "skipBackgroundRequests: true");
  }

  /// @param also something more in its rule
  private static String clusterPolicy(String name, String action, String also) {
    return """
    apiVersion: kyverno.io/v1
    kind: ClusterPolicy
    metadata: {name: %s}
    spec:
      validationFailureAction: %s
      rules:
        - name: r
          match: {any: [{resources: {kinds: [Pod]}}]}
          %s
          %s
    """
        .formatted(
            name,
            action,
            also.startsWith("validate") ? "" : "validate: {message: m, pattern: {spec: {a: b}}}",
            also);
  }

  private static String validatingPolicy(String action) {
    return """
    apiVersion: policies.kyverno.io/v1
    kind: ValidatingPolicy
    metadata: {name: x}
    spec: {validationActions: [%s], validations: [{expression: 'true'}]}
    """
        .formatted(action);
  }

  private static String exception(String policy) {
    return """
    apiVersion: kyverno.io/v2
    kind: PolicyException
    metadata: {name: e, namespace: shop}
    spec: {exceptions: [{policyName: %s, ruleNames: [r]}]}
    """
        .formatted(policy);
  }

  private Summary run(String... feed) {
    var yaml = String.join("---\n", feed);
    var plannerOptions = new PlannerOptions(RULES.source(), RULES.adoption(), budget, guard);
    var synchronizer =
        new Synchronizer(
            new SyncPorts(
                () -> List.of(new Manifest("feed", yaml.getBytes(StandardCharsets.UTF_8))),
                store,
                wait -> {
                  beforeTheLease.run();
                  return new FakeSyncLock(lease, "pod", time).acquire(wait);
                },
                memory,
                Optional.empty(),
                _ -> Optional.empty(),
                (_, inQuestion) ->
                    inQuestion.stream()
                        .filter(hazardous::contains)
                        .map(id -> new PolicyHazard(id, Weight.WITHHOLDS, "dangerous"))
                        .toList(),
                ViolationSource.UNKNOWN,
                ExecutionSource.UNKNOWN,
                new Conversions.Off()),
            new SyncOptions(
                plannerOptions,
                WriteMode.LIVE,
                false,
                1,
                Duration.ofSeconds(65),
                "0.1.0",
                Optional.empty()),
            new Cancellation(Duration.ofMinutes(4), () -> 0),
            time.clock(),
            Progress.NONE);
    return Summary.of(synchronizer.run(), WriteMode.LIVE, Duration.ZERO, Instant.EPOCH);
  }
}

package dev.policysync.sync;

import static dev.policysync.plan.PlanFixtures.SOURCE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.policysync.plan.Action;
import dev.policysync.plan.Adoption;
import dev.policysync.plan.Failure;
import dev.policysync.plan.Plan;
import dev.policysync.plan.Plan.Withheld;
import dev.policysync.plan.PlannerOptions;
import dev.policysync.plan.RemovalBudget;
import dev.policysync.plan.SourceName;
import dev.policysync.policy.Manifest;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.PolicyKind;
import dev.policysync.policy.Position;
import dev.policysync.policy.Rehearsal;
import dev.policysync.policy.Rehearsal.Comparison;
import dev.policysync.policy.Rehearsal.Found;
import dev.policysync.policy.Succession;
import dev.policysync.policy.feed.Feed;
import dev.policysync.policy.kyverno.KyvernoHealth;
import dev.policysync.policy.kyverno.KyvernoVersion;
import dev.policysync.policy.kyverno.NotReady;
import dev.policysync.sync.analysis.ExecutionSource;
import dev.policysync.sync.analysis.PolicyConversion;
import dev.policysync.sync.analysis.PolicyConversion.Refusal;
import dev.policysync.sync.analysis.PolicyConversion.Successor;
import dev.policysync.sync.analysis.PolicyLinter;
import dev.policysync.sync.analysis.RehearsalSource;
import dev.policysync.sync.analysis.ViolationSource;
import dev.policysync.sync.execution.Cancellation;
import dev.policysync.sync.execution.ClusterUnavailable;
import dev.policysync.sync.execution.FakePolicyStore;
import dev.policysync.sync.execution.Outcome;
import dev.policysync.sync.execution.Progress;
import dev.policysync.sync.execution.WriteMode;
import dev.policysync.sync.succession.Conversions;
import dev.policysync.testcluster.Documents;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Successors in the place of policies that Kyverno 1.20 no longer executes, run by run
/// (`CONVERT=apply`).
class SynchronizerSuccessionTest {
  private static final PolicyId LEGACY = PolicyId.of(PolicyKind.CLUSTER_POLICY, "x");
  private static final PolicyId FIRST = PolicyId.of(PolicyKind.VALIDATING_POLICY, "x-a");
  private static final PolicyId SECOND = PolicyId.of(PolicyKind.VALIDATING_POLICY, "x-b");
  private static final Failure DENIED = new Failure(Failure.Cause.DENIED, "denied");
  private static final Comparison AGREE = new Comparison(3, Found.NONE, Found.NONE);

  private final FakeTime time = new FakeTime();
  private final FakePolicyStore store = new FakePolicyStore();
  private final FakeRunStateStore memory = new FakeRunStateStore(time);
  private final FakeSyncLock.SharedRecord lease = new FakeSyncLock.SharedRecord();
  private final List<PolicyStatus> told = new ArrayList<>();
  private final Map<PolicyId, Comparison> reports = new HashMap<>(Map.of(LEGACY, AGREE));
  private Optional<Instant> latestResult = Optional.empty();
  private List<Rehearsal> asked = List.of();
  private boolean refused;
  private boolean exceptionsRefused = true;
  private int budget = 1;
  private WriteMode writeMode = WriteMode.LIVE;
  private String kyverno = "";
  private Conversions conversions =
      new Conversions.Apply(this::convert, this::compare, Duration.ZERO);

  @Test
  void comeBesideRehearseAndReplace() {
    assertThat(run(legacy("x", "Fail")))
        .containsExactly("create " + LEGACY, "create " + FIRST, "create " + SECOND);
    assertThat(actions(FIRST)).isEqualTo("[Audit]");

    assertThat(run(legacy("x", "Fail")))
        .containsExactly("update " + FIRST + " changed", "update " + SECOND + " changed");
    assertThat(actions(FIRST)).isEqualTo("[Deny]");

    assertThat(run(legacy("x", "Fail"))).containsExactly("remove " + LEGACY + " replaced");
    assertThat(run(legacy("x", "Fail"))).isEmpty();
    assertThat(store.contents().keySet()).containsExactly(FIRST, SECOND);
    assertThat(memory.load().state().agreement()).isPresent();
  }

  @Test
  void areToldOfByTheNameOfTheFeed() {
    replace();

    assertThat(told)
        .extracting(
            PolicyStatus::name, status -> status.operation().toString(), PolicyStatus::success)
        .containsExactly(
            tuple("x", "APPLY", true), tuple("x", "APPLY", true), tuple("x", "APPLY", true));
    assertThat(told.getFirst().output() + told.getFirst().policies()).contains("[" + LEGACY + "]");
    assertThat(memory.load().state().backlog(SOURCE).begun()).isEmpty();
  }

  /// A run leaves a cluster alone that it knows to be in sync.
  @Test
  void areListedByEachDryRun() {
    replace();
    run(legacy("x", "Fail"));
    writeMode = WriteMode.DRY_RUN;

    run(legacy("x", "Fail"));

    assertThat(last.conversions().orElseThrow())
        .extracting(conversion -> conversion.progress().orElseThrow().stage())
        .containsExactly(Succession.Stage.REPLACEMENT);
  }

  @Test
  void areNotToldOfWhileTheyRehearse() {
    store.refuse(FIRST, DENIED);

    run(legacy("x", "Fail"));

    assertThat(told)
        .extracting(PolicyStatus::name, PolicyStatus::success)
        .containsExactly(tuple("x", true));
  }

  @Test
  void stayInAuditWhileVerdictsDiffer() {
    run(legacy("x", "Fail"));
    reports.put(
        LEGACY,
        new Comparison(
            3,
            new Found(12, List.of("Pod/shop/new")),
            new Found(1, List.of("Pod/shop/cart (rule a: fail, its successor: pass)"))));

    assertThat(run(legacy("x", "Fail"))).isEmpty();

    assertThat(actions(FIRST)).isEqualTo("[Audit]");
    assertThat(reason())
        .isEqualTo(
            "verdicts differ for 1 resource: Pod/shop/cart (rule a: fail, its successor: pass)");
    assertThat(last.plan().pending().withheld())
        .extracting(held -> held.id() + ": " + held.reason())
        .containsExactly(
            LEGACY + ": its successors do not judge alike, and only audit: " + reason());
    assertThat(memory.load().state().agreement()).isEmpty();
  }

  @Test
  void goBackToAuditWhereVerdictsTurnOutToDiffer() {
    run(legacy("x", "Fail"));
    run(legacy("x", "Fail"));
    reports.put(LEGACY, new Comparison(3, Found.NONE, new Found(1, List.of("Pod/shop/cart"))));

    assertThat(run(legacy("x", "Fail")))
        .containsExactly("update " + FIRST + " changed", "update " + SECOND + " changed");

    assertThat(actions(FIRST)).isEqualTo("[Audit]");
    assertThat(store.contents()).containsKey(LEGACY);
  }

  @Test
  void waitForReports() {
    run(legacy("x", "Fail"));
    for (var comparison :
        List.of(
            new Comparison(0, Found.NONE, Found.NONE),
            new Comparison(3, new Found(1, List.of("Pod/shop/cart")), Found.NONE))) {
      reports.put(LEGACY, comparison);

      assertThat(run(legacy("x", "Fail"))).as(comparison.toString()).isEmpty();
    }
    assertThat(reason()).isEqualTo("waits for reports on 1 resource: Pod/shop/cart");
  }

  @Test
  void doNotWaitForReportsOnWhatNothingMatches() {
    reports.put(LEGACY, new Comparison(0, Found.NONE, Found.NONE));
    run(legacy("x", "Fail"));
    latestResult = Optional.of(Instant.EPOCH);
    assertThat(run(legacy("x", "Fail"))).isEmpty();
    assertThat(reason()).isEqualTo("no report has a result since its rehearsal began");

    // Of any policy, so reports are made.
    latestResult = Optional.of(Instant.parse("2126-11-23T12:00:00Z"));

    assertThat(run(legacy("x", "Fail")))
        .containsExactly("update " + FIRST + " changed", "update " + SECOND + " changed");
  }

  @Test
  void haveNobodyToCompareWithWhereKyvernoDoesNotExecuteTheLegacyPolicy() {
    kyverno = "1.19.1";
    reports.put(LEGACY, new Comparison(0, Found.NONE, Found.NONE));
    run(legacy("x", "Fail"));
    assertThat(run(legacy("x", "Fail"))).isEmpty();
    assertThat(reason()).isEqualTo("no report has a result since its rehearsal began");

    kyverno = "1.20.0";

    assertThat(run(legacy("x", "Fail")))
        .containsExactly("update " + FIRST + " changed", "update " + SECOND + " changed");
  }

  @Test
  void rehearseForAsLongAsAScanTakes() {
    conversions = new Conversions.Apply(this::convert, this::compare, Duration.ofHours(1));
    run(legacy("x", "Fail"));

    assertThat(run(legacy("x", "Fail"))).isEmpty();

    assertThat(reason()).startsWith("verdicts agree; the rehearsal ends ");
    assertThat(asked)
        .singleElement()
        .satisfies(rehearsal -> {
          assertThat(rehearsal.policy()).isEqualTo(LEGACY);
          assertThat(rehearsal.successors())
              .extracting(Rehearsal.Successor::policy, Rehearsal.Successor::rule)
              .containsExactly(tuple(FIRST, "a"), tuple(SECOND, "b"));
        });
  }

  @Test
  void areNoRemovalsForTheBudget() {
    var feed = legacy("x", "Fail") + "---\n" + legacy("v", "Fail") + "---\n" + legacy("w", "Fail");
    for (var name : List.of("v", "w")) {
      reports.put(PolicyId.of(PolicyKind.CLUSTER_POLICY, name), AGREE);
    }
    run(feed);
    run(feed);

    assertThat(run(feed)).hasSize(3).allMatch(done -> done.endsWith(" replaced"));
    assertThat(memory.load().state().removals().removed()).isEmpty();
  }

  @Test
  void removeNothingWhereNoRemovalIsAllowed() {
    budget = 0;
    for (int i = 0; i < 3; i++) {
      run(legacy("x", "Fail"));
    }

    assertThat(store.contents().keySet()).containsExactly(LEGACY, FIRST, SECOND);
    assertThat(last.plan().pending().withheld()).extracting(Withheld::id).containsExactly(LEGACY);
    assertThat(last.removalApproval()).isPresent();
  }

  @Test
  void countAsOnePolicyWhenTheFeedDropsIt() {
    var feed = legacy("x", "Fail") + "---\n" + legacy("v", "Fail");
    reports.put(PolicyId.of(PolicyKind.CLUSTER_POLICY, "v"), AGREE);
    for (int i = 0; i < 3; i++) {
      run(feed);
    }
    told.clear();

    assertThat(run(legacy("v", "Fail")))
        .containsExactly(
            "remove " + FIRST + " gone from feed", "remove " + SECOND + " gone from feed");
    assertThat(told)
        .extracting(PolicyStatus::name, status -> status.operation().toString())
        .containsExactly(tuple("x", "DELETE"));
    assertThat(memory.load().state().removals().removed())
        .singleElement()
        .satisfies(removed -> assertThat(removed.count()).isEqualTo(1));
  }

  @Test
  void areRemovedLikeAnyPolicyWhenTheFeedIsEmpty() {
    replace();

    assertThat(run("")).isEmpty();
    assertThat(store.contents()).containsKeys(FIRST, SECOND);
  }

  @Test
  void followTheFeedAfterwards() {
    replace();

    assertThat(run(legacy("x", "Ignore")))
        .containsExactly("update " + FIRST + " changed", "update " + SECOND + " changed");
    assertThat(actions(FIRST)).isEqualTo("[Deny]");
    assertThat(run(legacy("x", "Ignore"))).isEmpty();
  }

  @Test
  void giveWayToTheFeedsFormAgain() {
    replace();
    conversions = new Conversions.Off();
    told.clear();

    assertThat(run(legacy("x", "Fail"))).containsExactly("create " + LEGACY);
    assertThat(run(legacy("x", "Fail")))
        .containsExactly("remove " + FIRST + " replaced", "remove " + SECOND + " replaced");
    assertThat(run(legacy("x", "Fail"))).isEmpty();
    assertThat(store.contents().keySet()).containsExactly(LEGACY);
    assertThat(told)
        .extracting(PolicyStatus::name, status -> status.operation().toString())
        .containsOnly(tuple("x", "APPLY"));
  }

  /// The status of a policy stays as it was, ready, where Kyverno no longer executes it.
  @Test
  void giveNoWayToWhatKyvernoDoesNotExecute() {
    replace();
    conversions = new Conversions.Off();
    run(legacy("x", "Fail"));
    for (var closed : List.of("1.20.0", "unknown")) {
      kyverno = closed;

      assertThat(run(legacy("x", "Fail"))).as(closed).isEmpty();
      assertThat(last.plan().retained().kept())
          .extracting(Plan.Kept::id)
          .containsExactly(FIRST, SECOND);
    }
    assertThat(last.plan().retained().kept().getFirst().reason())
        .isEqualTo("Kyverno's release could not be read: denied");

    kyverno = "1.19.1";

    assertThat(run(legacy("x", "Fail"))).hasSize(2);
  }

  @Test
  void areWantedAgainOnceTheyAre() {
    run(legacy("x", "Fail"));
    conversions = new Conversions.Off();

    assertThat(run(legacy("x", "Fail")))
        .containsExactly("remove " + FIRST + " replaced", "remove " + SECOND + " replaced");
  }

  @Test
  void giveWayWhereThePolicyCanNoLongerBeConverted() {
    replace();
    refused = true;

    assertThat(run(legacy("x", "Ignore"))).containsExactly("create " + LEGACY);
    assertThat(run(legacy("x", "Ignore"))).hasSize(2);
  }

  @Test
  void rehearseAgainWhereTheFeedChangesMeanwhile() {
    run(legacy("x", "Fail"));
    run(legacy("x", "Fail"));

    assertThat(run(legacy("x", "Ignore"))).containsExactly("update " + LEGACY + " changed");
    assertThat(actions(FIRST)).as("until the policy is in force as changed").isEqualTo("[Deny]");
    assertThat(run(legacy("x", "Ignore"))).hasSize(2);
    assertThat(actions(FIRST)).isEqualTo("[Audit]");
  }

  @Test
  void restoreThePolicyThatSomebodyRemovedInARehearsal() {
    run(legacy("x", "Fail"));
    store.remove(LEGACY);

    assertThat(run(legacy("x", "Fail"))).containsExactly("create " + LEGACY);
    assertThat(actions(FIRST)).isEqualTo("[Audit]");
  }

  /// One of two is written with the policy's action, and the run is killed.
  @Test
  void goOnWhereARunWasKilled() {
    run(legacy("x", "Fail"));
    store.refuse(SECOND, DENIED);
    run(legacy("x", "Fail"));
    store.allow(SECOND);

    for (int i = 0; i < 4; i++) {
      run(legacy("x", "Fail"));
    }

    assertThat(store.contents().keySet()).containsExactly(FIRST, SECOND);
    assertThat(actions(FIRST) + actions(SECOND)).isEqualTo("[Deny][Deny]");
  }

  /// From no policy to the successors alone, and back: killed before or after each write, and at
  /// every moment something of the policy blocks once anything did.
  @Test
  void leaveNoGapWhereverTheyAreKilled() {
    assertNoGap(legacy("x", "Fail"), 9, List.of(FIRST, SECOND), List.of(LEGACY));
  }

  /// And what is exempted from either form is never blocked by it.
  @Test
  void leaveNoGapWithAnException() {
    assertNoGap(
        EXEMPTION + "---\n" + legacy("x", "Fail"),
        14,
        List.of(EXEMPTING, FIRST, SECOND),
        List.of(EXCEPTION_ID, LEGACY));
  }

  private static void assertNoGap(
      String feed, int writes, List<PolicyId> there, List<PolicyId> back) {
    assertThat(killed(feed, there, back, Integer.MAX_VALUE, false)).isEqualTo(writes);
    for (int write = 1; write <= writes; write++) {
      killed(feed, there, back, write, true);
      killed(feed, there, back, write, false);
    }
  }

  private static int killed(
      String feed, List<PolicyId> there, List<PolicyId> back, int fatal, boolean before) {
    var test = new SynchronizerSuccessionTest();
    test.exceptionsRefused = false;
    return test.thereAndBack(feed, there, back, fatal, before);
  }

  /// @param fatal the number of the write at which the run is killed
  /// @return how many writes it took
  private int thereAndBack(
      String feed, List<PolicyId> there, List<PolicyId> back, int fatal, boolean before) {
    var writes = new AtomicInteger();
    var blocked = new AtomicBoolean();
    store.beforeEachWrite(_ -> {
      assertThat(blocks() || !blocked.get()).as("before write %s", writes).isTrue();
      assertThat(exempts() || !feed.contains(EXEMPTION)).as("before write %s", writes).isTrue();
      blocked.set(blocks());
      var number = writes.incrementAndGet();
      if (number == (before ? fatal : fatal + 1)) {
        throw new IllegalStateException("killed");
      }
    });
    for (var wanted : List.of(conversions, new Conversions.Off())) {
      conversions = wanted;
      for (int i = 0; i < 8; i++) {
        try {
          run(feed);
        } catch (IllegalStateException e) {
          assertThat(e).hasStackTraceContaining("killed");
          lease.seize("");
        }
      }
      assertThat(run(feed)).isEmpty();
      assertThat(store.contents().keySet())
          .containsExactlyInAnyOrderElementsOf(wanted instanceof Conversions.Off ? back : there);
    }
    assertThat(told).extracting(PolicyStatus::name).isSubsetOf("x", "e").contains("x");
    assertThat(told.getLast().operation()).hasToString("APPLY");
    return writes.get();
  }

  /// Whether each form that blocks has its exception.
  private boolean exempts() {
    var there = store.contents().keySet();
    var blocking = there.contains(FIRST) && actions(FIRST).equals("[Deny]");
    return (!there.contains(LEGACY) || there.contains(EXCEPTION_ID))
        && (!blocking || there.contains(EXEMPTING));
  }

  private boolean blocks() {
    return store.contents().containsKey(LEGACY)
        || (store.contents().keySet().containsAll(List.of(FIRST, SECOND))
            && (actions(FIRST) + actions(SECOND)).equals("[Deny][Deny]"));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void doNotComeWhereAnExceptionExempts(boolean inFeed) {
    var feed = legacy("x", "Fail");
    if (!inFeed) {
      store.create(EXCEPTION);
    }

    var done = run(inFeed ? feed + "---\n" + EXCEPTION : feed);

    assertThat(done).contains("create " + LEGACY).doesNotContain("create " + FIRST);
    assertThat(last.conversions().orElseThrow().getFirst().refusals())
        .extracting(Refusal::construct)
        .containsExactly("a policy with an exception");
  }

  /// The preview promises no successor that would not be applied.
  @ParameterizedTest
  @ValueSource(strings = {"feed", "cluster", "other policy", "no scans", "nothing"})
  void areForeseenByThePreview(String obstacle) {
    exceptionsRefused = obstacle.equals("feed");
    var feed = legacy("x", "Fail");
    switch (obstacle) {
      case "feed" -> feed += "---\n" + EXCEPTION;
      case "cluster" -> store.create(EXCEPTION);
      case "other policy" ->
          feed +=
              "---\n"
                  + EXEMPTION.replace("ruleNames: [a]}]", "ruleNames: [a]}, {policyName: v}]")
                  + "---\n"
                  + legacy("v", "Fail").replace("spec: {", "spec: {background: false, ");
      case "no scans" -> feed = feed.replace("spec: {", "spec: {background: false, ");
      default -> feed += "---\n" + EXEMPTION;
    }
    run(feed);
    writeMode = WriteMode.DRY_RUN;
    run(feed);
    var applied = last.conversions().orElseThrow();

    conversions = new Conversions.Preview(this::convert);
    run(feed);

    assertThat(last.conversions().orElseThrow())
        .usingRecursiveFieldByFieldElementComparatorIgnoringFields("progress")
        .isEqualTo(applied);
    assertThat(last.conversions().orElseThrow())
        .allMatch(conversion -> conversion.converted() == obstacle.equals("nothing"));
  }

  @Test
  void bringTheExceptionsAlong() {
    exceptionsRefused = false;
    var feed = EXEMPTION + "---\n" + legacy("x", "Fail");

    assertThat(run(feed))
        .containsExactly(
            "create " + LEGACY,
            "create " + EXCEPTION_ID,
            "create " + EXEMPTING,
            "create " + FIRST,
            "create " + SECOND);
    assertThat(run(feed))
        .containsExactly("update " + FIRST + " changed", "update " + SECOND + " changed");
    assertThat(run(feed)).containsExactly("remove " + LEGACY + " replaced");
    assertThat(run(feed)).containsExactly("remove " + EXCEPTION_ID + " replaced");
    assertThat(run(feed)).isEmpty();
    assertThat(store.contents().keySet()).containsExactlyInAnyOrder(EXEMPTING, FIRST, SECOND);
    assertThat(memory.load().state().agreement()).isPresent();
    assertThat(memory.load().state().removals().removed()).isEmpty();
    assertThat(told).extracting(PolicyStatus::name).containsOnly("x", "e");
    assertThat(told).extracting(status -> status.operation().toString()).containsOnly("APPLY");
  }

  @Test
  void leaveAnExceptionForThePoliciesThatStay() {
    exceptionsRefused = false;
    var both = EXEMPTION.replace("ruleNames: [a]}]", "ruleNames: [a]}, {policyName: v}]");
    var feed = both + "---\n" + legacy("x", "Fail") + "---\n" + legacy("v", "Fail");
    var staying = feed.replace("name: v}\nspec: {", "name: v}\nspec: {background: false, ");

    run(staying);

    assertThat(store.contents().keySet())
        .containsExactlyInAnyOrder(
            EXCEPTION_ID, LEGACY, PolicyId.of(PolicyKind.CLUSTER_POLICY, "v"));
    assertThat(last.conversions().orElseThrow())
        .extracting(conversion -> conversion.refusals().getFirst().construct())
        .containsExactlyInAnyOrder(
            "a policy without background scans",
            "a policy with an exception",
            "an exception that names a policy without a successor");

    reports.put(PolicyId.of(PolicyKind.CLUSTER_POLICY, "v"), AGREE);
    for (int i = 0; i < 4; i++) {
      run(feed);
    }
    assertThat(store.contents().keySet())
        .hasSize(6)
        .contains(EXEMPTING, exempting("v"))
        .doesNotContain(EXCEPTION_ID);
  }

  @Test
  void comeToAnExceptionThatChanges() {
    exceptionsRefused = false;
    var feed = EXEMPTION + "---\n" + legacy("x", "Fail");
    for (int i = 0; i < 4; i++) {
      run(feed);
    }

    assertThat(run(feed.replace("match: {}", "other: {}")))
        .containsExactly("update " + EXEMPTING + " changed");
    // One that can no longer be converted takes its policy back.
    exceptionsRefused = true;
    var refusing = feed.replace("match: {}", "match: {any: []}");
    assertThat(run(refusing)).containsExactly("create " + LEGACY, "create " + EXCEPTION_ID);
    for (int i = 0; i < 2; i++) {
      run(refusing);
    }
    assertThat(store.contents().keySet()).containsExactlyInAnyOrder(LEGACY, EXCEPTION_ID);
  }

  @Test
  void doNotComeWhereTheirNameIsTaken() {
    store.create(
        """
        apiVersion: policies.kyverno.io/v1
        kind: ValidatingPolicy
        metadata: {name: x-b}
        spec: {validationActions: [Audit]}
        """);

    assertThat(run(legacy("x", "Fail"))).containsExactly("create " + LEGACY);
  }

  @Test
  void doNotComeWithoutBackgroundScans() {
    assertThat(run(legacy("x", "Fail").replace("rules:", "background: false, rules:")))
        .containsExactly("create " + LEGACY);
  }

  @Test
  void doNotTakeThePlaceOfSomebodyElses() {
    store.create(legacy("x", "Fail"));

    assertThat(run(legacy("x", "Fail"))).isEmpty();
    assertThat(store.contents().keySet()).containsExactly(LEGACY);
  }

  @Test
  void areRealOnesOnlyWhereTheAgentMadeThem() {
    var own =
        """
        apiVersion: policies.kyverno.io/v1
        kind: ValidatingPolicy
        metadata:
          name: own
          annotations: {policysync.dev/successor-of: ClusterPolicy.kyverno.io/x}
        spec: {validationActions: [Audit]}
        """;

    run(own);

    var there = store.find(PolicyId.of(PolicyKind.VALIDATING_POLICY, "own")).orElseThrow();
    assertThat(there.annotation("policysync.dev/successor-of")).isEmpty();
    assertThat(told).extracting(PolicyStatus::name).containsExactly("own");
  }

  private static final PolicyId EXCEPTION_ID =
      PolicyId.of(PolicyKind.KYVERNO_EXCEPTION, "shop", "e");
  private static final PolicyId EXEMPTING = exempting("x");

  private static final String EXEMPTION =
      """
      apiVersion: kyverno.io/v2
      kind: PolicyException
      metadata: {name: e, namespace: shop}
      spec: {exceptions: [{policyName: x, ruleNames: [a]}], match: {}}
      """;

  private static final String EXCEPTION =
      """
      apiVersion: kyverno.io/v2
      kind: PolicyException
      metadata: {name: e, namespace: shop}
      spec: {exceptions: [{policyName: "x*", ruleNames: [a]}]}
      """;

  private SyncResult.Finished last =
      new SyncResult.Finished(
          new dev.policysync.plan.PlanDraft().plan(),
          List.of(),
          dev.policysync.policy.Digest.of(new byte[0]),
          Map.of(),
          Optional.empty(),
          List.of());

  private void replace() {
    for (int i = 0; i < 3; i++) {
      run(legacy("x", "Fail"));
    }
    assertThat(store.contents().keySet()).containsExactly(FIRST, SECOND);
  }

  private String reason() {
    return last.conversions().orElseThrow().getFirst().progress().orElseThrow().reason();
  }

  private String actions(PolicyId id) {
    return store.read(id).orElseThrow().mapping("spec").items("validationActions").stream()
        .map(action -> ((dev.policysync.base.Value.Text) action).text())
        .collect(joining(", ", "[", "]"));
  }

  private static String legacy(String name, String failurePolicy) {
    return """
    apiVersion: kyverno.io/v1
    kind: ClusterPolicy
    metadata: {name: %s}
    spec: {failurePolicy: %s, rules: []}
    """
        .formatted(name, failurePolicy);
  }

  private List<PolicyConversion> convert(Feed feed, List<dev.policysync.policy.Policy> inQuestion) {
    return inQuestion.stream()
        .map(policy ->
            policy.id().kind() == PolicyKind.KYVERNO_EXCEPTION && !exceptionsRefused && !refused
                ? new PolicyConversion(policy.id(), exempting(policy), List.of())
                : policy.id().kind() != PolicyKind.CLUSTER_POLICY || refused
                    ? new PolicyConversion(
                        policy.id(),
                        List.of(),
                        List.of(new Refusal("", new Position("feed", 1, 1, 1), "this", "that")))
                    : new PolicyConversion(
                        policy.id(),
                        List.of(successor(policy, "a"), successor(policy, "b")),
                        List.of()))
        .toList();
  }

  /// One for each policy that it names.
  private static List<Successor> exempting(dev.policysync.policy.Policy exception) {
    return exception.content().mapping("spec").mappings("exceptions").stream()
        .map((dev.policysync.base.Value.Mapping entry) -> entry.text("policyName").orElseThrow())
        .map(named -> {
          var manifest =
              Documents.yaml(
                  """
                  apiVersion: policies.kyverno.io/v1
                  kind: PolicyException
                  metadata: {name: e-%1$s, namespace: shop}
                  spec:
                    policyRefs: [{name: %1$s-a, kind: ValidatingPolicy}]
                    matchConditions: [{name: of, expression: "%2$s"}]
                  """
                      .formatted(
                          named, exception.content().mapping("spec").field("match").isPresent()));
          return new Successor(exempting(named), "", manifest);
        })
        .toList();
  }

  private static PolicyId exempting(String policy) {
    return PolicyId.of(PolicyKind.CEL_EXCEPTION, "shop", "e-" + policy);
  }

  private static Successor successor(dev.policysync.policy.Policy policy, String rule) {
    var name = policy.id().name() + "-" + rule;
    var manifest =
        Documents.yaml(
            """
            apiVersion: policies.kyverno.io/v1
            kind: ValidatingPolicy
            metadata: {name: %s}
            spec: {validationActions: [Deny], failurePolicy: %s}
            """
                .formatted(
                    name, policy.content().mapping("spec").text("failurePolicy").orElseThrow()));
    return new Successor(PolicyId.of(PolicyKind.VALIDATING_POLICY, name), rule, manifest);
  }

  private RehearsalSource.Result compare(java.util.Collection<Rehearsal> rehearsals) {
    asked = List.copyOf(rehearsals);
    var answers = new HashMap<PolicyId, Comparison>();
    for (var rehearsal : rehearsals) {
      answers.put(rehearsal.policy(), reports.get(rehearsal.policy()));
    }
    return new RehearsalSource.Result.Reported(answers, latestResult);
  }

  private PlannerOptions rules() {
    return new PlannerOptions(
        SourceName.of("acme", "prod-1"), Adoption.NEVER, new RemovalBudget.Count(budget));
  }

  private List<String> run(String feed) {
    time.advance(Duration.ofMinutes(5));
    var result =
        new Synchronizer(
                new SyncPorts(
                    () -> List.of(new Manifest("feed", feed.getBytes(UTF_8))),
                    store,
                    new FakeSyncLock(lease, "run", time),
                    memory,
                    Optional.of(
                        new FakeStatusSink(statuses -> {
                          told.addAll(statuses);
                          return List.of();
                        })),
                    EventSink.NONE,
                    PolicyLinter.NONE,
                    ViolationSource.UNKNOWN,
                    execution(),
                    conversions),
                new SyncOptions(
                    rules(),
                    writeMode,
                    false,
                    1,
                    Duration.ofSeconds(65),
                    "0.1.0",
                    Optional.empty()),
                new Cancellation(Duration.ofMinutes(4), time::nanoTime),
                time.clock(),
                Progress.NONE)
            .run();
    last = (SyncResult.Finished) result;
    var done = new TreeSet<String>();
    for (var outcome : last.outcomes()) {
      if (outcome instanceof Outcome.Done(var action, _)) {
        done.add(
            switch (action) {
              case Action.Create create -> "create " + create.id();
              case Action.Update update -> "update " + update.id() + " " + update.cause();
              case Action.Remove removal -> "remove " + removal.id() + " " + removal.cause();
            });
      }
    }
    return List.copyOf(done);
  }

  private ExecutionSource execution() {
    return new ExecutionSource() {
      @Override
      public Optional<NotReady> notReady(PolicyId id) {
        return Optional.empty();
      }

      @Override
      public Optional<KyvernoVersion> installed() {
        if (kyverno.equals("unknown")) {
          throw new ClusterUnavailable(DENIED);
        }
        return KyvernoVersion.parse(kyverno);
      }

      @Override
      public KyvernoHealth health() {
        return new KyvernoHealth.Running("kyverno", Duration.ZERO);
      }
    };
  }
}

package dev.policysync.sync;

import static dev.policysync.sync.MovingCluster.DENIED;
import static dev.policysync.sync.MovingCluster.exception;
import static dev.policysync.sync.MovingCluster.feed;
import static dev.policysync.sync.MovingCluster.legacy;
import static dev.policysync.sync.MovingCluster.policy;
import static dev.policysync.sync.MovingCluster.successor;
import static dev.policysync.sync.MovingCluster.validating;
import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.plan.Adoption;
import dev.policysync.plan.EnforceGuard;
import dev.policysync.plan.Listing;
import dev.policysync.policy.OwnershipAnnotations;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.PolicyKind;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Moves to successors (`CONVERT=apply`) that feeds, people and refusals disturb.
class SynchronizerMovingTest {
  private static final PolicyId TEAM = legacy("team");
  private static final PolicyId NEW_TEAM = successor("team");
  private static final PolicyId TWO = legacy("two");
  private static final PolicyId R1 = successor("two-r1");
  private static final PolicyId R2 = successor("two-r2");
  private static final PolicyId EXCEPTION = PolicyId.of(PolicyKind.KYVERNO_EXCEPTION, "shop", "e");
  private static final PolicyId EXEMPTING = PolicyId.of(PolicyKind.CEL_EXCEPTION, "shop", "e-team");
  private static final String RECONCILE = "policysync.dev/reconcile";
  private static final String OTHER = policy("other", "Audit", "r1");

  private final MovingCluster cluster = new MovingCluster();

  /// The feed moves it to another kind, and the new policy cannot be applied.
  @ParameterizedTest
  @ValueSource(strings = {"withheld", "refused"})
  void stayUntilThePolicyOfAnotherKindThatTakesTheirPlaceIsInForce(String obstacle) {
    move(feed(policy("two", "Enforce", "r1", "r2"), OTHER));
    if (obstacle.equals("withheld")) {
      cluster.guard = EnforceGuard.Mode.HOLD;
    } else {
      cluster.store.refuse(successor("two"), DENIED);
    }
    cluster.feed = feed(validating("two", "Deny"), OTHER);

    for (int i = 0; i < 3; i++) {
      cluster.run();
      assertThat(cluster.blocks(R1) && cluster.blocks(R2)).isTrue();
    }
    assertThat(cluster.toldSince()).doesNotContain("two DELETE true");

    cluster.guard = EnforceGuard.Mode.OFF;
    cluster.store.allow(successor("two"));
    settle();
    assertThat(cluster.blocks(successor("two"))).isTrue();
    assertThat(cluster.exists(R1) || cluster.exists(R2)).isFalse();
    assertThat(cluster.toldSince()).containsOnly("two APPLY true");
  }

  /// Kyverno cannot execute the new policy: what enforces the old one stays, in either form.
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void stayWhileKyvernoReportsThePolicyOfAnotherKindAsNotReady(boolean converting) {
    cluster.converting = converting;
    cluster.feed = feed(policy("two", "Enforce", "r1", "r2"), OTHER);
    settle();
    var enforcing = converting ? R1 : TWO;
    assertThat(cluster.blocks(enforcing)).isTrue();
    cluster.store.create(validating("two", "Deny"));
    cluster.store.report(successor("two"), "conditionStatus: {ready: false}");
    cluster.adoption = Adoption.ALWAYS;
    cluster.feed = feed(validating("two", "Deny"), OTHER);

    for (int i = 0; i < 3; i++) {
      cluster.run();
      assertThat(cluster.blocks(enforcing)).isTrue();
    }
    assertThat(cluster.said())
        .contains(enforcing + ": stays until ValidatingPolicy/two is in force");

    cluster.store.report(successor("two"), "conditionStatus: {ready: true}");
    settle();
    assertThat(cluster.exists(enforcing)).isFalse();
  }

  @Test
  void stayUntilThePolicyInANamespaceThatTakesTheirPlaceIsInForce() {
    move(feed(policy("two", "Enforce", "r1", "r2"), OTHER));
    var there = PolicyId.of(PolicyKind.NAMESPACED_POLICY, "shop", "two");
    cluster.store.refuse(there, DENIED);
    cluster.converting = false;
    cluster.feed =
        feed(
            policy("two", "Enforce", "r1", "r2")
                .replace("kind: ClusterPolicy", "kind: Policy")
                .replace("name: two", "name: two, namespace: shop"),
            OTHER);

    for (int i = 0; i < 3; i++) {
      cluster.run();
      assertThat(cluster.blocks(R1) && cluster.blocks(R2)).isTrue();
    }
    assertThat(cluster.toldSince()).doesNotContain("two DELETE true");
  }

  /// The feed adds a policy of its own with a successor's name.
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void areNotOverwrittenUntilTheirPolicyIsBack(boolean converting) {
    move(feed(policy("team", "Enforce", "r1"), OTHER));
    cluster.guard = EnforceGuard.Mode.HOLD;
    cluster.converting = converting;
    cluster.feed = feed(policy("team", "Enforce", "r1"), validating("team", "Audit"), OTHER);

    for (int i = 0; i < 3; i++) {
      cluster.run();
      assertThat(cluster.blocks(NEW_TEAM)).isTrue();
    }
    assertThat(cluster.said()).contains("ValidatingPolicy/team: to be updated by a later run");

    cluster.guard = EnforceGuard.Mode.OFF;
    settle();
    assertThat(cluster.blocks(TEAM)).isTrue();
    assertThat(cluster.blocks(NEW_TEAM)).isFalse();
    assertThat(cluster.exists(NEW_TEAM)).isTrue();
  }

  @Test
  void stayInAuditWhileTheirPolicyIsPaused() {
    cluster.feed = policy("team", "Enforce", "r1");
    cluster.run();
    cluster.store.edit(TEAM, "spec: {validationFailureAction: Audit}");
    cluster.annotate(TEAM, RECONCILE, "disabled");

    for (int i = 0; i < 4; i++) {
      cluster.run();
      assertThat(cluster.blocks(TEAM) || cluster.blocks(NEW_TEAM)).isFalse();
    }
    assertThat(cluster.summary().status()).isEqualTo(Summary.RunStatus.DONE);
    assertThat(cluster.said()).contains("ClusterPolicy/team", "a policy that is left alone");
  }

  /// One that a person paused, or detached, in Audit.
  @ParameterizedTest
  @ValueSource(strings = {"off", "refused", "detached, off", "detached, refused"})
  void bringNoPolicyBackThatWouldBlockWhatIsPaused(String how) {
    move(feed(policy("team", "Enforce", "r1"), OTHER));
    if (how.startsWith("detached")) {
      cluster.annotate(NEW_TEAM, OwnershipAnnotations.OWNED_BY, "null");
    } else {
      cluster.annotate(NEW_TEAM, RECONCILE, "disabled");
    }
    cluster.store.edit(NEW_TEAM, "spec: {validationActions: [Audit]}");
    cluster.converting = how.endsWith("refused");
    cluster.convertible = cluster.converting ? false : cluster.convertible;

    for (int i = 0; i < 3; i++) {
      cluster.run();
      assertThat(cluster.exists(TEAM)).isFalse();
      assertThat(cluster.blocks(NEW_TEAM)).isFalse();
    }
    assertThat(cluster.said()).contains("ValidatingPolicy/team");
    assertThat(cluster.summary().status())
        .isEqualTo(
            how.startsWith("detached") ? Summary.RunStatus.WITHHELD : Summary.RunStatus.DONE);
  }

  @Test
  void areNotComparedWithAPolicyThatIsNotAsTheFeedRequires() {
    cluster.feed = policy("team", "Audit", 10, "r1");
    cluster.run();
    cluster.store.refuse(TEAM, DENIED);
    cluster.feed = policy("team", "Enforce", 20, "r1");

    for (int i = 0; i < 3; i++) {
      cluster.run();
      assertThat(cluster.blocks(NEW_TEAM)).isFalse();
    }
    assertThat(cluster.exists(TEAM)).isTrue();
    assertThat(cluster.summary().status()).isEqualTo(Summary.RunStatus.FAILED);
  }

  /// Somebody else's object has the successor's name; the person follows the advice.
  @Test
  void comeOnceTheNameIsFree() {
    cluster.store.create(validating("team", "Audit"));
    cluster.feed = policy("team", "Enforce", "r1");
    settle();
    assertThat(cluster.exists(TEAM)).isTrue();

    cluster.store.remove(NEW_TEAM);

    assertThat(cluster.run()).containsExactly("create " + NEW_TEAM);
  }

  @Test
  void giveWayOnceAPersonsExceptionIsThere() {
    move(feed(policy("team", "Enforce", "r1"), OTHER));
    settle();
    assertThat(cluster.memory.load().state().agreement()).isPresent();

    cluster.store.create(exception("mine", "team"));

    assertThat(cluster.run()).contains("create " + TEAM);
  }

  @Test
  void comeOnceAPersonsExceptionIsGone() {
    cluster.store.create(exception("mine", "team"));
    cluster.feed = policy("team", "Enforce", "r1");
    settle();
    cluster.store.remove(PolicyId.of(PolicyKind.KYVERNO_EXCEPTION, "shop", "mine"));

    assertThat(cluster.run()).containsExactly("create " + NEW_TEAM);
  }

  /// The run that removes the exception still sees it, and must not record that all is in sync.
  @Test
  void comeOnceTheFeedsExceptionIsGone() {
    cluster.feed = feed(exception("e", "team"), policy("team", "Enforce", "r1"));
    cluster.run();
    cluster.feed = policy("team", "Enforce", "r1");

    settle();

    assertThat(cluster.store.contents().keySet()).containsExactly(NEW_TEAM);
  }

  @Test
  void doNotCountAsDoneWhileOneRehearses() {
    cluster.feed = policy("two", "Enforce", "r1", "r2");
    cluster.run();
    cluster.store.refuse(R2, DENIED);
    cluster.run();
    assertThat(cluster.blocks(R1)).isTrue();
    cluster.store.remove(TWO);

    cluster.run();

    assertThat(cluster.blocks(TWO)).isTrue();
    assertThat(cluster.blocks(R1)).as("until the policy is back").isTrue();
  }

  @Test
  void areConflictsOfARenamedSource() {
    move(feed(policy("team", "Enforce", "r1"), OTHER));
    cluster.cluster = "renamed";

    cluster.run();

    assertThat(cluster.exists(TEAM)).isFalse();
    assertThat(cluster.summary().status()).isEqualTo(Summary.RunStatus.WITHHELD);
    assertThat(cluster.said()).contains("applied by another source, acme/prod-1; set ADOPT=always");
    assertThat(cluster.toldSince()).contains("team APPLY false");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void areTakenOverFromARenamedSource(boolean converting) {
    move(feed(policy("team", "Enforce", "r1"), OTHER));
    cluster.cluster = "renamed";
    cluster.adoption = Adoption.ALWAYS;
    cluster.converting = converting;

    settle();

    assertThat(cluster.exists(NEW_TEAM)).isEqualTo(converting);
    assertThat(cluster.exists(TEAM)).isEqualTo(!converting);
    cluster.feed = OTHER;
    settle();
    assertThat(cluster.exists(TEAM) || cluster.exists(NEW_TEAM)).isFalse();
  }

  @Test
  void giveNoWayToAPolicyWhileTheyAreAnotherSources() {
    move(feed(policy("team", "Enforce", "r1"), OTHER));
    cluster.cluster = "renamed";
    cluster.converting = false;

    cluster.run();

    assertThat(cluster.exists(TEAM)).isFalse();
    assertThat(cluster.summary().status()).isEqualTo(Summary.RunStatus.WITHHELD);
    assertThat(cluster.said()).contains("ClusterPolicy/team: ", "acme/prod-1", "set ADOPT=always");
  }

  @Test
  void rehearseAnExceptionThatComesLate() {
    cluster.feed = policy("team", "Enforce", "r1");
    cluster.run();
    cluster.feed = feed(exception("e", "team"), policy("team", "Enforce", "r1"));

    cluster.run();

    assertThat(cluster.exists(EXCEPTION) && cluster.exists(EXEMPTING)).isTrue();
    assertThat(cluster.blocks(NEW_TEAM)).isFalse();
    var written = cluster.time.clock().instant().truncatedTo(ChronoUnit.SECONDS);
    cluster.run();
    assertThat(cluster.compared.iterator().next().successors().getFirst().since())
        .isAfterOrEqualTo(written);
    assertThat(cluster.blocks(NEW_TEAM)).isTrue();
  }

  @Test
  void stayAsTheyAreWhereOneCannotBlock() {
    cluster.feed = policy("two", "Enforce", "r1", "r2");
    cluster.run();
    cluster.store.refuse(R2, DENIED);
    cluster.toldSince();

    for (int i = 0; i < 4; i++) {
      cluster.run();
      assertThat(cluster.blocks(R1)).isTrue();
      assertThat(cluster.said()).contains("ValidatingPolicy/two-r2: denied by a webhook");
    }
    assertThat(cluster.toldSince()).containsOnly("two APPLY false");
    cluster.store.allow(R2);
    settle();
    assertThat(cluster.exists(TWO)).isFalse();
  }

  /// The kind is in EXCLUDE_KINDS, or the agent may not list it.
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void failNoPolicyThatIsAppliedAsTheFeedRequires(boolean excluded) {
    cluster.feed = policy("team", "Enforce", "r1");
    cluster.run();
    cluster.toldSince();
    cluster.listing = Optional.of(excluded ? new Listing.Excluded() : MovingCluster.FORBIDDEN);

    cluster.run();

    assertThat(cluster.toldSince()).isEmpty();
    assertThat(cluster.said()).doesNotContain("ValidatingPolicy/team: ");
    assertThat(cluster.summary().status())
        .isEqualTo(excluded ? Summary.RunStatus.DONE : Summary.RunStatus.FAILED);
  }

  @Test
  void failUnderTheNameOfTheFeedWhereNobodyKnowsWhetherTheyAreThere() {
    move(feed(policy("two", "Enforce", "r1", "r2"), OTHER));
    cluster.toldSince();
    cluster.listing = Optional.of(MovingCluster.FORBIDDEN);

    cluster.run();

    assertThat(cluster.exists(TWO)).isFalse();
    assertThat(cluster.said()).contains("ClusterPolicy/two: ").doesNotContain("two-r1: ");
    assertThat(cluster.toldSince()).contains("two APPLY false");
  }

  @ParameterizedTest
  @ValueSource(strings = {OwnershipAnnotations.SUCCESSOR_OF, OwnershipAnnotations.APPLIED})
  void areKnownWithoutOneOfTheirAnnotations(String annotation) {
    move(feed(policy("two", "Enforce", "r1", "r2"), OTHER));
    cluster.toldSince();
    cluster.annotate(R1, annotation, "null");
    cluster.annotate(R2, annotation, "null");
    var away = cluster.copy();
    away.converting = false;

    settle();
    for (int i = 0; i < 4; i++) {
      away.run();
      assertThat(away.blocks(TWO) || (away.blocks(R1) && away.blocks(R2))).isTrue();
    }

    assertThat(cluster.exists(TWO)).isFalse();
    assertThat(cluster.blocks(R1) && cluster.blocks(R2)).isTrue();
    assertThat(away.store.contents()).containsKey(TWO).doesNotContainKeys(R1, R2);
    assertThat(away.told).extracting(PolicyStatus::name).containsOnly("two", "other");
  }

  /// A status from before the successor blocked says nothing of one that does.
  @ParameterizedTest
  @EnumSource(StaleStatus.class)
  void leaveThePolicyUntilTheirWrittenFormIsReady(StaleStatus stale) {
    cluster.between = Duration.ofSeconds(5);
    cluster.feed = policy("team", "Enforce", "r1");
    cluster.run();
    cluster.store.report(NEW_TEAM, stale.status);
    cluster.time.advance(Duration.ofMinutes(1));
    cluster.run();
    assertThat(cluster.blocks(NEW_TEAM)).isTrue();

    cluster.run();
    assertThat(cluster.exists(TEAM)).isTrue();
    cluster.time.advance(Duration.ofMinutes(1));
    cluster.run();
    assertThat(cluster.exists(TEAM)).isEqualTo(stale == StaleStatus.GENERATION);
  }

  enum StaleStatus {
    GENERATION(
        "conditionStatus: {ready: true, conditions: [{type: Ready, status: 'True',"
            + " observedGeneration: 1}]}"),
    /// As Kyverno 1.19 writes it.
    NO_GENERATION("conditionStatus: {ready: true, conditions: [{type: Ready, status: 'True'}]}");

    private final String status;

    StaleStatus(String status) {
      this.status = status;
    }
  }

  /// An earlier agent did not name the policy in the signature of its successor.
  @Test
  void areKnownByTheSignatureOfAnEarlierRelease() {
    move(feed(policy("team", "Enforce", "r1"), OTHER));
    var signature =
        cluster.store.find(NEW_TEAM).orElseThrow().annotation(OwnershipAnnotations.APPLIED);
    cluster.annotate(
        NEW_TEAM, OwnershipAnnotations.APPLIED, signature.orElseThrow().replaceFirst(" .*", ""));

    cluster.run();
    assertThat(cluster.blocks(NEW_TEAM)).isTrue();
    settle();

    assertThat(cluster.blocks(NEW_TEAM)).isTrue();
    assertThat(cluster.exists(TEAM)).isFalse();
    assertThat(cluster.store.find(NEW_TEAM).orElseThrow().annotation(OwnershipAnnotations.APPLIED))
        .isEqualTo(signature);
  }

  @Test
  void replaceAPolicyThatWasAdopted() {
    cluster.store.create(policy("team", "Enforce", "r1"));
    cluster.adoption = Adoption.ALWAYS;

    move(feed(policy("team", "Enforce", "r1"), validating("other", "Audit")));

    assertThat(cluster.blocks(NEW_TEAM)).isTrue();
  }

  @Test
  void areNoReasonToOverlookThatSomebodyAppliesTheirPolicyByHand() {
    move(feed(policy("team", "Enforce", "r1"), OTHER));
    cluster.store.create(policy("team", "Enforce", "r1"));

    cluster.run();

    assertThat(cluster.said()).contains("ClusterPolicy/team: an object of this name exists");
    assertThat(cluster.toldSince()).contains("team APPLY false");
  }

  private void move(String feed) {
    cluster.feed = feed;
    settle();
    assertThat(cluster.store.contents().keySet())
        .extracting(PolicyId::kind)
        .containsOnly(PolicyKind.VALIDATING_POLICY);
  }

  private void settle() {
    for (int i = 0; i < 6; i++) {
      cluster.run();
    }
    assertThat(cluster.run()).isEmpty();
  }
}

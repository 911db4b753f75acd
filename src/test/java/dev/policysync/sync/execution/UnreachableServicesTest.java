package dev.policysync.sync.execution;

import static dev.policysync.plan.PlanFixtures.version;
import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.plan.Action;
import dev.policysync.plan.Failure;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.PolicyKind;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// Which kinds may still be written when something that writes need is gone (promise 10).
class UnreachableServicesTest {
  private static final PolicyKind CLEANUP = PolicyKind.CLUSTER_CLEANUP_POLICY;
  private static final PolicyKind CLUSTER = PolicyKind.CLUSTER_POLICY;
  private static final PolicyKind CEL = PolicyKind.VALIDATING_POLICY;
  private static final Failure NO_ANSWER = new Failure(Failure.Cause.UNREACHABLE, "no answer");
  private static final Failure DENIED = new Failure(Failure.Cause.DENIED, "denied");
  private static final Failure INVALID = new Failure(Failure.Cause.INVALID, "no such field");

  private final UnreachableServices unreachableServices = new UnreachableServices();

  @Test
  void triesEverythingWhileNothingFails() {
    unreachableServices.done(CLUSTER);

    assertThat(objection(CLUSTER)).isEmpty();
  }

  @Test
  void sparesTheKindThatAWebhookFailedThreeTimesAndNoOther() {
    fails(CLEANUP, down("validate-cleanup.kyverno.svc"), 2);
    assertThat(objection(CLEANUP)).isEmpty();

    fails(CLEANUP, down("validate-cleanup.kyverno.svc"), 1);

    assertThat(objection(CLEANUP))
        .contains("an admission webhook cannot be reached: validate-cleanup.kyverno.svc");
    assertThat(objection(CLUSTER)).isEmpty();
  }

  @Test
  void sparesEveryKindThatMetAWebhookOnceItIsDown() {
    fails(CLUSTER, down("w.example.com"), 1);
    fails(CEL, down("w.example.com"), 1);
    assertThat(objection(CLUSTER)).isEmpty();

    fails(CEL, down("w.example.com"), 1);

    assertThat(objection(CLUSTER)).isPresent();
    assertThat(objection(CEL)).isPresent();
  }

  @Test
  void triesAKindOnceThatMeetsAWebhookThatIsDown() {
    fails(CLUSTER, down("w.example.com"), 3);
    assertThat(objection(CEL)).isEmpty();

    fails(CEL, down("w.example.com"), 1);

    assertThat(objection(CEL)).isPresent();
  }

  @Test
  void countsEachWebhookByItself() {
    fails(CLUSTER, down("a.example.com"), 2);
    fails(CLUSTER, down("b.example.com"), 2);
    fails(CLUSTER, down("c.example.com"), 2);

    assertThat(objection(CLUSTER)).isEmpty();
  }

  @Test
  void takesWebhooksWithoutANameForOne() {
    fails(CLUSTER, new Failure(Failure.Cause.WEBHOOK_UNREACHABLE, "somebody"), 3);

    assertThat(objection(CLUSTER)).contains("an admission webhook cannot be reached");
  }

  @Test
  void trustsAWebhookAgainThatAnsweredAKindThatMetIt() {
    fails(CLUSTER, down("w.example.com"), 2);
    unreachableServices.done(CLUSTER);
    fails(CLUSTER, down("w.example.com"), 2);
    unreachableServices.failed(CLUSTER, DENIED, unreachableServices.begin());
    fails(CLUSTER, down("w.example.com"), 2);

    assertThat(objection(CLUSTER)).isEmpty();
  }

  @Test
  void doesNotTrustAWebhookBecauseItLetsOtherKindsPass() {
    fails(CLEANUP, down("w.example.com"), 2);
    unreachableServices.done(CLUSTER);
    unreachableServices.failed(CEL, DENIED, unreachableServices.begin());
    fails(CLEANUP, down("w.example.com"), 1);

    assertThat(objection(CLEANUP)).isPresent();
  }

  @Test
  void triesNothingMoreAfterThreeWritesInARowWithoutAnAnswer() {
    fails(CLEANUP, NO_ANSWER, 1);
    fails(CLUSTER, NO_ANSWER, 2);

    for (var kind : List.of(CLEANUP, CLUSTER, CEL)) {
      assertThat(objection(kind)).contains("the API server cannot be reached");
    }
  }

  @Test
  void takesAnyAnswerForASignOfTheApiServer() {
    for (var answer : new Failure[] {DENIED, INVALID, down("w.example.com")}) {
      fails(CLUSTER, NO_ANSWER, 2);
      unreachableServices.failed(CEL, answer, unreachableServices.begin());
    }
    fails(CLUSTER, NO_ANSWER, 2);

    assertThat(objection(CLUSTER)).isEmpty();
  }

  @Test
  void trustsTheApiServerAgainOnceAWriteIsDone() {
    fails(CLUSTER, NO_ANSWER, 2);
    unreachableServices.done(CEL);
    fails(CLUSTER, NO_ANSWER, 2);

    assertThat(objection(CLUSTER)).isEmpty();
  }

  @Test
  void namesOneOfTheWebhooksThatAreDown() {
    fails(CLUSTER, down("b.example.com"), 3);
    fails(CLUSTER, down("a.example.com"), 3);
    fails(CLUSTER, down("c.example.com"), 1);

    assertThat(objection(CLUSTER))
        .contains("an admission webhook cannot be reached: a.example.com");
  }

  private void fails(PolicyKind kind, Failure failure, int times) {
    for (int i = 0; i < times; i++) {
      unreachableServices.failed(kind, failure, unreachableServices.begin());
    }
  }

  private Optional<String> objection(PolicyKind kind) {
    var id = PolicyId.of(kind, "p");
    return unreachableServices
        .objection(new Action.Remove(id, version(id), Set.of()))
        .map(Outcome.NotAttempted::reason);
  }

  private static Failure down(String webhook) {
    return new Failure(Failure.Cause.WEBHOOK_UNREACHABLE, "no webhook", Optional.of(webhook));
  }
}

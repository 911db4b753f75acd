package dev.policysync.sync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.ownership.ManagedFields;
import dev.policysync.plan.Action;
import dev.policysync.plan.Adoption;
import dev.policysync.plan.Desired;
import dev.policysync.plan.Failure;
import dev.policysync.plan.Judgement;
import dev.policysync.plan.Listing;
import dev.policysync.plan.LivePolicy;
import dev.policysync.plan.Planner;
import dev.policysync.plan.RemovalBudget;
import dev.policysync.plan.Rules;
import dev.policysync.plan.SourceName;
import dev.policysync.plan.Verdict;
import dev.policysync.plan.Version;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.PolicyKind;
import dev.policysync.sync.PolicyStore.Written;
import dev.policysync.testcluster.Documents;
import dev.policysync.yaml.Value;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// What every [PolicyStore] does, the real one and the fake: so the fake cannot drift from the API
/// server.
public abstract class PolicyStoreContract {
  private static final SourceName SOURCE = SourceName.of("acme", "prod-1");
  private static final Written DONE = new Written.Done(List.of());
  private static final List<String> SERVERS_OWN =
      List.of("creationTimestamp", "generation", "managedFields", "resourceVersion", "uid");

  private static final String LABELLED =
      ForeignEdit.CLUSTER_POLICY.replace(
          "  annotations:", "  labels: {team: shop}\n  annotations:");

  /// What a program applies that wants that label, too.
  private static final String CO_OWNER =
      """
      apiVersion: kyverno.io/v1
      kind: ClusterPolicy
      metadata: {name: require-team-label, labels: {team: shop}}
      """;

  private final Planner planner =
      new Planner(new Rules(SOURCE, Adoption.NEVER, RemovalBudget.DEFAULT));

  /// The store, without any policies in it and listed once.
  protected abstract PolicyStore store();

  /// The others who write to it.
  protected abstract OtherWriters others();

  @Test
  void createsAPolicyThatIsInSyncFromThenOn() {
    var desired = desired(ForeignEdit.CLUSTER_POLICY);

    var written = store().apply(new Action.Create(desired), Mode.LIVE);

    assertThat(written).isEqualTo(DONE);
    assertThat(verdict(desired)).isEqualTo(new Verdict.InSync(desired.id()));
    assertThat(text(desired, "spec", "validationFailureAction")).isEqualTo("Enforce");
  }

  @Test
  void listsWhatItFindsOneByOne() {
    var desired = applied(ForeignEdit.VALIDATING_POLICY);

    var listing = store().list().of(PolicyKind.VALIDATING_POLICY);

    var found = store().find(desired.id()).orElseThrow();
    assertThat(listing).isInstanceOf(Listing.Listed.class);
    var listed = ((Listing.Listed) listing).policies();
    assertThat(listed).hasSize(1);
    var one = listed.getFirst();
    assertThat(facts(one)).isEqualTo(facts(found));
    assertThat(one.ownership().matches(desired.manifest())).isTrue();
    assertThat(one.ownership().entries())
        .isSubsetOf(found.ownership().entries())
        .containsAll(withoutStatus(found));
  }

  private static List<Object> facts(LivePolicy live) {
    return List.of(
        live.id(),
        live.version(),
        live.generation(),
        live.controlled(),
        live.terminating(),
        live.annotations());
  }

  private static List<ManagedFields> withoutStatus(LivePolicy live) {
    return live.ownership().entries().stream()
        .filter(entry -> entry.subresource().isEmpty())
        .toList();
  }

  @Test
  void findsNothingWhereNothingIs() {
    assertThat(store().find(PolicyId.of(PolicyKind.CLUSTER_POLICY, "absent"))).isEmpty();
  }

  @Test
  void dropsAFieldThatTheNewManifestDoesNotName() {
    applied(ForeignEdit.CLUSTER_POLICY);
    var shorter = desired(ForeignEdit.CLUSTER_POLICY.replace("  failurePolicy: Ignore\n", ""));

    var written = store().apply(update(shorter), Mode.LIVE);

    assertThat(written).isEqualTo(DONE);
    assertThat(verdict(shorter)).isEqualTo(new Verdict.InSync(shorter.id()));
    assertThat(spec(shorter).fields()).doesNotContainKey("failurePolicy");
  }

  @Test
  void removesAPolicy() {
    var desired = applied(ForeignEdit.CLUSTER_POLICY);

    var written = store().remove(removal(desired, version(desired)), Mode.LIVE);

    assertThat(written).isEqualTo(DONE);
    assertThat(others().read(desired.id())).isEmpty();
  }

  @Test
  void isNotDoneWithARemovalThatWaitsForAFinalizer() {
    var desired = applied(ForeignEdit.CLUSTER_POLICY);
    others().edit(desired.id(), "metadata: {finalizers: [example.com/hold]}");

    var written = store().remove(removal(desired, version(desired)), Mode.LIVE);
    var there = store().find(desired.id());
    others().edit(desired.id(), "metadata: {finalizers: null}");

    assertThat(written)
        .isInstanceOfSatisfying(
            Written.Refused.class,
            refused -> assertThat(refused.failure().cause()).isEqualTo(Failure.Cause.TERMINATING));
    assertThat(there.map(LivePolicy::terminating)).contains(true);
    assertThat(others().read(desired.id())).isEmpty();
  }

  @Test
  void isDoneWithARemovalWhereNothingIsLeft() {
    var desired = applied(ForeignEdit.CLUSTER_POLICY);
    var seen = version(desired);
    others().remove(desired.id());

    var written = store().remove(removal(desired, seen), Mode.LIVE);

    assertThat(written).isEqualTo(DONE);
  }

  @Test
  void doesNotRemoveWhatChangedSinceItWasJudged() {
    var desired = applied(ForeignEdit.CLUSTER_POLICY);
    var seen = version(desired);
    others().edit(desired.id(), "metadata: {annotations: {policysync.dev/prune: disabled}}");

    var written = store().remove(removal(desired, seen), Mode.LIVE);

    assertThat(written).isEqualTo(new Written.Stale());
    assertThat(others().read(desired.id())).isPresent();
  }

  @Test
  void doesNotRemoveAnotherObjectOfThatName() {
    var desired = applied(ForeignEdit.CLUSTER_POLICY);
    var seen = version(desired);
    others().remove(desired.id());
    others().create(ForeignEdit.CLUSTER_POLICY);

    var written = store().remove(removal(desired, seen), Mode.LIVE);

    assertThat(written).isEqualTo(new Written.Stale());
    assertThat(others().read(desired.id())).isPresent();
  }

  @Test
  void doesNotUpdateWhatChangedSinceItWasJudged() {
    var desired = applied(ForeignEdit.CLUSTER_POLICY);
    var update = update(desired);
    others().edit(desired.id(), "spec: {validationFailureAction: Audit}");

    var written = store().apply(update, Mode.LIVE);

    assertThat(written).isEqualTo(new Written.Stale());
    assertThat(text(desired, "spec", "validationFailureAction")).isEqualTo("Audit");
  }

  /// By that it is known whether a list and a look at one object tell of the same.
  @Test
  void readsAnObjectInTheGenerationInWhichItIsListed() {
    var desired = applied(ForeignEdit.CLUSTER_POLICY);
    var live = store().list().byId().get(desired.id());

    assertThat(live).isNotNull();
    assertThat(store().read(desired.id()))
        .hasValueSatisfying(object -> {
          var metadata = object.mapping("metadata");
          assertThat(metadata.text("uid")).contains(live.version().uid());
          assertThat(metadata.fields().get("generation"))
              .isEqualTo(new Value.Numeric(Long.toString(live.generation())));
        });
  }

  @Test
  void doesNotUpdateAnotherObjectOfThatName() {
    var desired = applied(ForeignEdit.CLUSTER_POLICY);
    var update = update(desired);
    others().remove(desired.id());
    others().create(ForeignEdit.CLUSTER_POLICY.replace("Enforce", "Audit"));

    var written = store().apply(update, Mode.LIVE);

    assertThat(written).isEqualTo(new Written.Stale());
    assertThat(text(desired, "spec", "validationFailureAction")).isEqualTo("Audit");
  }

  @Test
  void doesNotBringBackWhatIsGoneSinceItWasJudged() {
    var desired = applied(ForeignEdit.CLUSTER_POLICY);
    var update = update(desired);
    others().remove(desired.id());

    var written = store().apply(update, Mode.LIVE);

    assertThat(written).isEqualTo(new Written.Stale());
    assertThat(others().read(desired.id())).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void neverCreatesOverWhatIsThere(Mode mode) {
    others().create(ForeignEdit.CLUSTER_POLICY.replace("Enforce", "Audit"));
    var desired = desired(ForeignEdit.CLUSTER_POLICY);
    var before = others().read(desired.id());

    var written = store().apply(new Action.Create(desired), mode);

    assertThat(written).isEqualTo(new Written.Stale());
    assertThat(others().read(desired.id())).isEqualTo(before);
  }

  @ParameterizedTest
  @EnumSource
  void neverCreatesOverWhatIsThereEvenIfItIsTheSame(Mode mode) {
    others().create(ForeignEdit.VALIDATING_POLICY);
    var desired = desired(ForeignEdit.VALIDATING_POLICY);
    var before = others().read(desired.id());

    var written = store().apply(new Action.Create(desired), mode);

    assertThat(written).isEqualTo(new Written.Stale());
    assertThat(others().read(desired.id())).isEqualTo(before);
  }

  @Test
  void createsNothingInADryRun() {
    var desired = desired(ForeignEdit.CLUSTER_POLICY);

    var written = store().apply(new Action.Create(desired), Mode.DRY_RUN);

    assertThat(written).isEqualTo(DONE);
    assertThat(others().read(desired.id())).isEmpty();
  }

  @Test
  void updatesNothingInADryRun() {
    var desired = applied(ForeignEdit.CLUSTER_POLICY);
    others().edit(desired.id(), "spec: {schemaValidation: true}");
    var before = others().read(desired.id());

    var written = store().apply(update(desired), Mode.DRY_RUN);

    assertThat(written).isEqualTo(DONE);
    assertThat(others().read(desired.id())).isEqualTo(before);
  }

  @Test
  void removesNothingInADryRun() {
    var desired = applied(ForeignEdit.CLUSTER_POLICY);
    var before = others().read(desired.id());

    var written = store().remove(removal(desired, version(desired)), Mode.DRY_RUN);

    assertThat(written).isEqualTo(DONE);
    assertThat(others().read(desired.id())).isEqualTo(before);
  }

  @ParameterizedTest
  @EnumSource
  void refusesAFieldThatTheSchemaDoesNotKnow(Mode mode) {
    var desired = desired(ForeignEdit.CLUSTER_POLICY.replace("failurePolicy", "noSuchField"));

    var written = store().apply(new Action.Create(desired), mode);

    assertThat(written)
        .isInstanceOfSatisfying(
            Written.Refused.class,
            refused -> {
              assertThat(refused.failure().cause()).isEqualTo(Failure.Cause.INVALID);
              assertThat(refused.failure().retryable()).isFalse();
              assertThat(refused.failure().reason())
                  .startsWith("apply ClusterPolicy/require-team-label: ")
                  .contains("noSuchField");
            });
    assertThat(others().read(desired.id())).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void findsAForeignEditAndUndoesItWithOneApply(ForeignEdit edit) {
    var desired = applied(edit.policy());
    var before = visible(desired);
    edit.by(others(), desired.id());
    var drifted = new Action.Update(desired, version(desired), Action.Cause.DRIFTED);

    var found = verdict(desired);
    var written = store().apply(drifted, Mode.LIVE);

    assertThat(found)
        .isInstanceOfSatisfying(
            Verdict.Act.class,
            act -> assertThat(act.action().cause()).isEqualTo(Action.Cause.DRIFTED));
    assertThat(written).isEqualTo(DONE);
    assertThat(verdict(desired)).isEqualTo(new Verdict.InSync(desired.id()));
    assertThat(visible(desired)).isEqualTo(before);
  }

  @ParameterizedTest
  @EnumSource
  void namesWhoMadeAForeignEditThatLeavesATrace(ForeignEdit edit) {
    var desired = applied(edit.policy());

    edit.by(others(), desired.id());

    var ownership = store().find(desired.id()).orElseThrow().ownership();
    assertThat(ownership.takers(desired.manifest())).isEqualTo(edit.leavesTraceOf());
  }

  @Test
  void writesNothingWhenEverythingIsAsItShouldBe() {
    var desired = applied(ForeignEdit.VALIDATING_POLICY);
    var before = others().read(desired.id());

    var written = store().apply(update(desired), Mode.LIVE);

    assertThat(written).isEqualTo(DONE);
    assertThat(others().read(desired.id())).isEqualTo(before);
  }

  @Test
  void takesAStatusForNoDriftAndLeavesItAlone() {
    var desired = applied(ForeignEdit.CLUSTER_POLICY);
    var status = "{rulecount: {validate: 1, mutate: 0, generate: 0, verifyimages: 0}}";
    others().report(desired.id(), status);
    var inSync = verdict(desired);
    others().edit(desired.id(), "spec: {schemaValidation: true}");

    var written = store().apply(update(desired), Mode.LIVE);

    assertThat(inSync).isEqualTo(new Verdict.InSync(desired.id()));
    assertThat(written).isEqualTo(DONE);
    assertThat(verdict(desired)).isEqualTo(new Verdict.InSync(desired.id()));
    assertThat(others().read(desired.id()).orElseThrow().mapping("status").mapping("rulecount"))
        .isEqualTo(Documents.yaml(status).mapping("rulecount"));
  }

  @Test
  void leavesLabelsAndAnnotationsOfOthersAlone() {
    var desired = applied(ForeignEdit.CLUSTER_POLICY);
    others().edit(desired.id(), "metadata: {labels: {team: shop}, annotations: {note: hello}}");
    var inSync = verdict(desired);
    others().edit(desired.id(), "spec: {schemaValidation: true}");

    var written = store().apply(update(desired), Mode.LIVE);

    assertThat(inSync).isEqualTo(new Verdict.InSync(desired.id()));
    assertThat(written).isEqualTo(DONE);
    assertThat(text(desired, "metadata", "labels", "team")).isEqualTo("shop");
    assertThat(text(desired, "metadata", "annotations", "note")).isEqualTo("hello");
  }

  @Test
  void takesAnUnownedPolicyOverWhole() {
    others()
        .create(
            ForeignEdit.CLUSTER_POLICY.replace(
                "  failurePolicy: Ignore\n",
                "  failurePolicy: Ignore\n  schemaValidation: true\n"));
    var desired = desired(ForeignEdit.CLUSTER_POLICY.replace("  failurePolicy: Ignore\n", ""));

    var written = store().apply(update(desired), Mode.LIVE);

    assertThat(written).isEqualTo(DONE);
    assertThat(verdict(desired)).isEqualTo(new Verdict.InSync(desired.id()));
    assertThat(spec(desired).fields()).doesNotContainKeys("failurePolicy", "schemaValidation");
  }

  @Test
  void isTheOnlyOwnerOfALabelAndAnAnnotationThatItTookOver() {
    others().create(LABELLED);
    store().apply(update(desired(LABELLED)), Mode.LIVE);
    var bare =
        desired(
            ForeignEdit.CLUSTER_POLICY.replace(
                "  annotations: {policies.kyverno.io/title: Require a team label}\n", ""));

    var written = store().apply(update(bare), Mode.LIVE);

    assertThat(written).isEqualTo(DONE);
    assertThat(metadata(bare, "labels").fields()).doesNotContainKey("team");
    assertThat(metadata(bare, "annotations").fields())
        .doesNotContainKey("policies.kyverno.io/title");
  }

  @Test
  void isTheOnlyOwnerOfALabelAfterAnyWrite() {
    applied(LABELLED);
    others().apply(CO_OWNER);
    store().apply(update(desired(LABELLED.replace("Ignore", "Fail"))), Mode.LIVE);
    var bare = desired(ForeignEdit.CLUSTER_POLICY);

    var written = store().apply(update(bare), Mode.LIVE);

    assertThat(written).isEqualTo(DONE);
    assertThat(metadata(bare, "labels").fields()).doesNotContainKey("team");
  }

  @Test
  void leavesALabelToAnotherManagerThatOwnsItToo() {
    applied(LABELLED);
    others().apply(CO_OWNER);
    var bare = desired(ForeignEdit.CLUSTER_POLICY);

    var written = store().apply(update(bare), Mode.LIVE);

    assertThat(written).isEqualTo(DONE);
    assertThat(text(bare, "metadata", "labels", "team")).isEqualTo("shop");
  }

  @Test
  void takesALabelThatAnotherManagerOwnsTooForNoDrift() {
    var desired = applied(LABELLED);

    others().apply(CO_OWNER);

    assertThat(verdict(desired)).isEqualTo(new Verdict.InSync(desired.id()));
  }

  @Test
  void removesWhatClientSideApplyLeavesBehind() {
    others()
        .create(
            ForeignEdit.CLUSTER_POLICY.replace(
                "annotations: {",
                "annotations: {kubectl.kubernetes.io/last-applied-configuration: '{}', "));
    var desired = desired(ForeignEdit.CLUSTER_POLICY);

    var written = store().apply(update(desired), Mode.LIVE);

    assertThat(written).isEqualTo(DONE);
    assertThat(metadata(desired, "annotations").fields())
        .containsKey("policies.kyverno.io/title")
        .doesNotContainKey("kubectl.kubernetes.io/last-applied-configuration");
  }

  @Test
  void previewsThatALabelGoesWithTheManifest() {
    applied(LABELLED);
    var bare = desired(ForeignEdit.CLUSTER_POLICY);

    var preview = store().preview(update(bare));

    store().apply(update(bare), Mode.LIVE);
    assertThat(preview.after()).isEqualTo(visible(bare));
    assertThat(metadata(bare, "labels").fields()).containsOnlyKeys("policysync.dev/managed");
  }

  @Test
  void previewsANewPolicyWithItsDefaults() {
    var desired = desired(ForeignEdit.CLUSTER_POLICY);

    var preview = store().preview(new Action.Create(desired));

    assertThat(preview.before()).isEqualTo(Value.Mapping.EMPTY);
    assertThat(preview.after().mapping("spec").field("background")).contains(new Value.Bool(true));
    assertThat(others().read(desired.id())).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void previewsWhatUndoingAForeignEditChanges(ForeignEdit edit) {
    var desired = applied(edit.policy());
    var before = visible(desired);
    edit.by(others(), desired.id());
    var after = visible(desired);

    var preview = store().preview(update(desired));

    assertThat(preview.before()).isEqualTo(after);
    assertThat(preview.after()).isEqualTo(before);
  }

  private Desired desired(String policy) {
    return Judgement.desired(policy);
  }

  /// The policy, in force.
  private Desired applied(String policy) {
    var desired = desired(policy);
    var written = store().apply(new Action.Create(desired), Mode.LIVE);
    if (!written.equals(DONE)) {
      throw new IllegalStateException("the test's own policy is not taken: " + written);
    }
    return desired;
  }

  private Verdict verdict(Desired desired) {
    return planner.judge(desired, store().find(desired.id()));
  }

  private Version version(Desired desired) {
    return store().find(desired.id()).orElseThrow().version();
  }

  private Action.Update update(Desired desired) {
    return new Action.Update(desired, version(desired), Action.Cause.CHANGED);
  }

  private static Action.Remove removal(Desired desired, Version seen) {
    return new Action.Remove(desired.id(), seen, Set.of());
  }

  private Value.Mapping metadata(Desired desired, String part) {
    return others().read(desired.id()).orElseThrow().mapping("metadata").mapping(part);
  }

  private Value.Mapping spec(Desired desired) {
    return others().read(desired.id()).orElseThrow().mapping("spec");
  }

  /// What a preview shows of the object.
  private Value.Mapping visible(Desired desired) {
    var object = others().read(desired.id()).orElseThrow();
    var metadata = object.mapping("metadata");
    for (var name : SERVERS_OWN) {
      metadata = metadata.without(name);
    }
    return object.without("status").with("metadata", metadata);
  }

  private String text(Desired desired, String... path) {
    var at = others().read(desired.id()).orElseThrow();
    for (int i = 0; i < path.length - 1; i++) {
      at = at.mapping(path[i]);
    }
    return at.text(path[path.length - 1]).orElse("");
  }
}

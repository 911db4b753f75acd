package dev.policysync.sync.execution;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.base.CanonicalJson;
import dev.policysync.base.Value;
import dev.policysync.plan.Action;
import dev.policysync.plan.Adoption;
import dev.policysync.plan.DesiredPolicy;
import dev.policysync.plan.Failure;
import dev.policysync.plan.Listing;
import dev.policysync.plan.LivePolicy;
import dev.policysync.plan.ObjectVersion;
import dev.policysync.plan.PlannedPolicy;
import dev.policysync.plan.PlannerOptions;
import dev.policysync.plan.PolicyDecider;
import dev.policysync.plan.PolicyDecision;
import dev.policysync.plan.RemovalBudget;
import dev.policysync.plan.SourceName;
import dev.policysync.plan.managedfields.ManagedFields;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.PolicyKind;
import dev.policysync.sync.execution.PolicyStore.Written;
import dev.policysync.testcluster.Documents;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
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

  private final PolicyDecider policyDecider =
      new PolicyDecider(new PlannerOptions(SOURCE, Adoption.NEVER, RemovalBudget.DEFAULT));

  /// The store, without any policies in it and listed once.
  protected abstract PolicyStore store();

  /// The others who write to it.
  protected abstract OtherWriters others();

  @Test
  void createsAPolicyThatIsInSyncFromThenOn() {
    var desiredPolicy = desired(ForeignEdit.CLUSTER_POLICY);

    var written = store().apply(new Action.Create(desiredPolicy), WriteMode.LIVE);

    assertThat(written).isEqualTo(DONE);
    assertThat(verdict(desiredPolicy)).isEqualTo(new PolicyDecision.InSync(desiredPolicy.id()));
    assertThat(text(desiredPolicy, "spec", "validationFailureAction")).isEqualTo("Enforce");
  }

  @Test
  void listsTheKindsThatWereServedWithoutAskingForOthers() {
    var desiredPolicy = applied(ForeignEdit.VALIDATING_POLICY);
    applied(ForeignEdit.CLUSTER_POLICY);
    var version = ((Listing.Listed) store().list().of(PolicyKind.VALIDATING_POLICY)).version();

    var listed = store().listServed(Map.of(PolicyKind.VALIDATING_POLICY, version));

    assertThat(listed.byId().keySet()).containsExactly(desiredPolicy.id());
    assertThat(listed.of(PolicyKind.CLUSTER_POLICY)).isInstanceOf(Listing.Absent.class);
    assertThat(listed.complete()).isTrue();
  }

  @Test
  void doesNotListAKindAtAVersionThatIsNoLongerServed() {
    var listed = store().listServed(Map.of(PolicyKind.VALIDATING_POLICY, "v0"));

    assertThat(listed.of(PolicyKind.VALIDATING_POLICY)).isInstanceOf(Listing.Unlistable.class);
    assertThat(listed.complete()).isFalse();
  }

  @Test
  void listsWhatItFindsOneByOne() {
    var desiredPolicy = applied(ForeignEdit.VALIDATING_POLICY);

    var listing = store().list().of(PolicyKind.VALIDATING_POLICY);

    var found = store().find(desiredPolicy.id()).orElseThrow();
    assertThat(listing).isInstanceOf(Listing.Listed.class);
    var listed = ((Listing.Listed) listing).policies();
    assertThat(listed).hasSize(1);
    var one = listed.getFirst();
    assertThat(facts(one)).isEqualTo(facts(found));
    assertThat(one.ownership().matches(desiredPolicy.manifest())).isTrue();
    assertThat(one.ownership().entries())
        .isSubsetOf(found.ownership().entries())
        .containsAll(withoutStatus(found));
  }

  @Test
  void listsOnlyTheKindsOfWhichNothingIsKnown() {
    var known = store().list();
    var one = applied(ForeignEdit.VALIDATING_POLICY);
    applied(ForeignEdit.CLUSTER_POLICY);
    var untouched = new EnumMap<PolicyKind, Listing>(known.kinds());
    untouched.remove(PolicyKind.VALIDATING_POLICY);

    var actual = store().list(untouched);

    assertThat(actual.byId()).containsOnlyKeys(one.id());
    assertThat(actual.of(PolicyKind.CLUSTER_POLICY)).isEqualTo(known.of(PolicyKind.CLUSTER_POLICY));
  }

  private static List<Object> facts(LivePolicy live) {
    return List.of(
        live.id(),
        live.objectVersion(),
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

    var written = store().apply(update(shorter), WriteMode.LIVE);

    assertThat(written).isEqualTo(DONE);
    assertThat(verdict(shorter)).isEqualTo(new PolicyDecision.InSync(shorter.id()));
    assertThat(spec(shorter).fields()).doesNotContainKey("failurePolicy");
  }

  @Test
  void removesAPolicy() {
    var desiredPolicy = applied(ForeignEdit.CLUSTER_POLICY);

    var written = store().remove(removal(desiredPolicy, version(desiredPolicy)), WriteMode.LIVE);

    assertThat(written).isEqualTo(DONE);
    assertThat(others().read(desiredPolicy.id())).isEmpty();
  }

  @Test
  void isNotDoneWithARemovalThatWaitsForAFinalizer() {
    var desiredPolicy = applied(ForeignEdit.CLUSTER_POLICY);
    others().edit(desiredPolicy.id(), "metadata: {finalizers: [example.com/hold]}");

    var written = store().remove(removal(desiredPolicy, version(desiredPolicy)), WriteMode.LIVE);
    var there = store().find(desiredPolicy.id());
    others().edit(desiredPolicy.id(), "metadata: {finalizers: null}");

    assertThat(written)
        .isInstanceOfSatisfying(
            Written.Refused.class,
            refused -> assertThat(refused.failure().cause()).isEqualTo(Failure.Cause.TERMINATING));
    assertThat(there.map(LivePolicy::terminating)).contains(true);
    assertThat(others().read(desiredPolicy.id())).isEmpty();
  }

  @Test
  void isDoneWithARemovalWhereNothingIsLeft() {
    var desiredPolicy = applied(ForeignEdit.CLUSTER_POLICY);
    var seen = version(desiredPolicy);
    others().remove(desiredPolicy.id());

    var written = store().remove(removal(desiredPolicy, seen), WriteMode.LIVE);

    assertThat(written).isEqualTo(DONE);
  }

  @Test
  void doesNotRemoveWhatChangedSinceItWasJudged() {
    var desiredPolicy = applied(ForeignEdit.CLUSTER_POLICY);
    var seen = version(desiredPolicy);
    others().edit(desiredPolicy.id(), "metadata: {annotations: {policysync.dev/prune: disabled}}");

    var written = store().remove(removal(desiredPolicy, seen), WriteMode.LIVE);

    assertThat(written).isEqualTo(new Written.Stale());
    assertThat(others().read(desiredPolicy.id())).isPresent();
  }

  @Test
  void doesNotRemoveAnotherObjectOfThatName() {
    var desiredPolicy = applied(ForeignEdit.CLUSTER_POLICY);
    var seen = version(desiredPolicy);
    others().remove(desiredPolicy.id());
    others().create(ForeignEdit.CLUSTER_POLICY);

    var written = store().remove(removal(desiredPolicy, seen), WriteMode.LIVE);

    assertThat(written).isEqualTo(new Written.Stale());
    assertThat(others().read(desiredPolicy.id())).isPresent();
  }

  @Test
  void doesNotUpdateWhatChangedSinceItWasJudged() {
    var desiredPolicy = applied(ForeignEdit.CLUSTER_POLICY);
    var update = update(desiredPolicy);
    others().edit(desiredPolicy.id(), "spec: {validationFailureAction: Audit}");

    var written = store().apply(update, WriteMode.LIVE);

    assertThat(written).isEqualTo(new Written.Stale());
    assertThat(text(desiredPolicy, "spec", "validationFailureAction")).isEqualTo("Audit");
  }

  /// By that it is known whether a list and a look at one object tell of the same.
  @Test
  void readsAnObjectInTheGenerationInWhichItIsListed() {
    var desiredPolicy = applied(ForeignEdit.CLUSTER_POLICY);
    var listed = store().list().byId();

    assertThat(listed).containsKey(desiredPolicy.id());
    assertThat(store().read(desiredPolicy.id()))
        .hasValueSatisfying(object -> {
          var live = requireNonNull(listed.get(desiredPolicy.id()));
          var metadata = object.mapping("metadata");
          assertThat(metadata.text("uid")).contains(live.objectVersion().uid());
          assertThat(metadata.fields().get("generation"))
              .isEqualTo(new Value.Numeric(Long.toString(live.generation())));
        });
  }

  @Test
  void doesNotUpdateAnotherObjectOfThatName() {
    var desiredPolicy = applied(ForeignEdit.CLUSTER_POLICY);
    var update = update(desiredPolicy);
    others().remove(desiredPolicy.id());
    others().create(ForeignEdit.CLUSTER_POLICY.replace("Enforce", "Audit"));

    var written = store().apply(update, WriteMode.LIVE);

    assertThat(written).isEqualTo(new Written.Stale());
    assertThat(text(desiredPolicy, "spec", "validationFailureAction")).isEqualTo("Audit");
  }

  @Test
  void doesNotBringBackWhatIsGoneSinceItWasJudged() {
    var desiredPolicy = applied(ForeignEdit.CLUSTER_POLICY);
    var update = update(desiredPolicy);
    others().remove(desiredPolicy.id());

    var written = store().apply(update, WriteMode.LIVE);

    assertThat(written).isEqualTo(new Written.Stale());
    assertThat(others().read(desiredPolicy.id())).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void neverCreatesOverWhatIsThere(WriteMode writeMode) {
    others().create(ForeignEdit.CLUSTER_POLICY.replace("Enforce", "Audit"));
    var desiredPolicy = desired(ForeignEdit.CLUSTER_POLICY);
    var before = others().read(desiredPolicy.id());

    var written = store().apply(new Action.Create(desiredPolicy), writeMode);

    assertThat(written).isEqualTo(new Written.Stale());
    assertThat(others().read(desiredPolicy.id())).isEqualTo(before);
  }

  @ParameterizedTest
  @EnumSource
  void neverCreatesOverWhatIsThereEvenIfItIsTheSame(WriteMode writeMode) {
    others().create(ForeignEdit.VALIDATING_POLICY);
    var desiredPolicy = desired(ForeignEdit.VALIDATING_POLICY);
    var before = others().read(desiredPolicy.id());

    var written = store().apply(new Action.Create(desiredPolicy), writeMode);

    assertThat(written).isEqualTo(new Written.Stale());
    assertThat(others().read(desiredPolicy.id())).isEqualTo(before);
  }

  @Test
  void createsNothingInADryRun() {
    var desiredPolicy = desired(ForeignEdit.CLUSTER_POLICY);

    var written = store().apply(new Action.Create(desiredPolicy), WriteMode.DRY_RUN);

    assertThat(written).isEqualTo(DONE);
    assertThat(others().read(desiredPolicy.id())).isEmpty();
  }

  @Test
  void updatesNothingInADryRun() {
    var desiredPolicy = applied(ForeignEdit.CLUSTER_POLICY);
    others().edit(desiredPolicy.id(), "spec: {schemaValidation: true}");
    var before = others().read(desiredPolicy.id());

    var written = store().apply(update(desiredPolicy), WriteMode.DRY_RUN);

    assertThat(written).isEqualTo(DONE);
    assertThat(others().read(desiredPolicy.id())).isEqualTo(before);
  }

  @Test
  void removesNothingInADryRun() {
    var desiredPolicy = applied(ForeignEdit.CLUSTER_POLICY);
    var before = others().read(desiredPolicy.id());

    var written = store().remove(removal(desiredPolicy, version(desiredPolicy)), WriteMode.DRY_RUN);

    assertThat(written).isEqualTo(DONE);
    assertThat(others().read(desiredPolicy.id())).isEqualTo(before);
  }

  @ParameterizedTest
  @EnumSource
  void refusesAFieldThatTheSchemaDoesNotKnow(WriteMode writeMode) {
    var desiredPolicy = desired(ForeignEdit.CLUSTER_POLICY.replace("failurePolicy", "noSuchField"));

    var written = store().apply(new Action.Create(desiredPolicy), writeMode);

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
    assertThat(others().read(desiredPolicy.id())).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void findsAForeignEditAndUndoesItWithOneApply(ForeignEdit edit) {
    var desiredPolicy = applied(edit.policy());
    var before = visible(desiredPolicy);
    edit.by(others(), desiredPolicy.id());
    var drifted = new Action.Update(desiredPolicy, version(desiredPolicy), Action.Cause.DRIFTED);

    var found = verdict(desiredPolicy);
    var written = store().apply(drifted, WriteMode.LIVE);

    assertThat(found)
        .isInstanceOfSatisfying(
            PolicyDecision.Act.class,
            act -> assertThat(act.action().cause()).isEqualTo(Action.Cause.DRIFTED));
    assertThat(written).isEqualTo(DONE);
    assertThat(verdict(desiredPolicy)).isEqualTo(new PolicyDecision.InSync(desiredPolicy.id()));
    assertThat(visible(desiredPolicy)).isEqualTo(before);
  }

  @ParameterizedTest
  @EnumSource
  void namesWhoMadeAForeignEditThatLeavesATrace(ForeignEdit edit) {
    var desiredPolicy = applied(edit.policy());

    edit.by(others(), desiredPolicy.id());

    var ownership = store().find(desiredPolicy.id()).orElseThrow().ownership();
    assertThat(ownership.takers(desiredPolicy.manifest())).isEqualTo(edit.leavesTraceOf());
  }

  @Test
  void showsAndUndoesAnApplyUnderOurNameThatNoManagedFieldShows() {
    var desiredPolicy = applied(ForeignEdit.CLUSTER_POLICY);
    var before = visible(desiredPolicy);
    var manifest = desiredPolicy.manifest();
    var other = manifest.mapping("spec").with("validationFailureAction", "Audit");
    others().applyAsUs(CanonicalJson.write(manifest.with("spec", other)));

    assertUndone(desiredPolicy, before);
  }

  @Test
  void showsAndUndoesAFieldThatNobodyOwns() {
    var desiredPolicy = applied(ForeignEdit.CLUSTER_POLICY);
    var before = visible(desiredPolicy);
    others().edit(desiredPolicy.id(), "spec: {schemaValidation: true, background: false}");
    others().cutOutOthers(desiredPolicy.id());

    assertUndone(desiredPolicy, before);
  }

  @Test
  void showsAndUndoesAnItemOfAKeyedListThatNobodyOwns() {
    var desiredPolicy = applied(ForeignEdit.VALIDATING_POLICY);
    var before = visible(desiredPolicy);
    var never = "{name: never, expression: 'false'}";
    others().edit(desiredPolicy.id(), "spec: {matchConditions: [" + never + "]}");
    others().cutOutOthers(desiredPolicy.id());

    var found = verdict(desiredPolicy);
    var drifted = new Action.Update(desiredPolicy, version(desiredPolicy), Action.Cause.DRIFTED);
    assertThat(store().preview(drifted).changesNothing()).isFalse();
    assertThat(store().apply(drifted, WriteMode.LIVE)).isEqualTo(DONE);

    assertThat(found).isNotNull();
    assertThat(visible(desiredPolicy)).isEqualTo(before);
    assertThat(verdict(desiredPolicy)).isEqualTo(new PolicyDecision.InSync(desiredPolicy.id()));
  }

  private void assertUndone(DesiredPolicy desiredPolicy, Value.Mapping before) {
    var drifted = new Action.Update(desiredPolicy, version(desiredPolicy), Action.Cause.DRIFTED);
    assertThat(verdict(desiredPolicy))
        .as("by its managed fields")
        .isEqualTo(new PolicyDecision.InSync(desiredPolicy.id()));

    var preview = store().preview(drifted);
    var written = store().apply(drifted, WriteMode.LIVE);

    assertThat(preview.changesNothing()).isFalse();
    assertThat(written).isEqualTo(DONE);
    assertThat(visible(desiredPolicy)).isEqualTo(before);
    assertThat(verdict(desiredPolicy)).isEqualTo(new PolicyDecision.InSync(desiredPolicy.id()));
  }

  @Test
  void writesNothingWhenEverythingIsAsItShouldBe() {
    var desiredPolicy = applied(ForeignEdit.VALIDATING_POLICY);
    var before = others().read(desiredPolicy.id());

    var written = store().apply(update(desiredPolicy), WriteMode.LIVE);

    assertThat(written).isEqualTo(DONE);
    assertThat(others().read(desiredPolicy.id())).isEqualTo(before);
  }

  @Test
  void takesAStatusForNoDriftAndLeavesItAlone() {
    var desiredPolicy = applied(ForeignEdit.CLUSTER_POLICY);
    var status = "{rulecount: {validate: 1, mutate: 0, generate: 0, verifyimages: 0}}";
    others().report(desiredPolicy.id(), status);
    var inSync = verdict(desiredPolicy);
    others().edit(desiredPolicy.id(), "spec: {schemaValidation: true}");

    var written = store().apply(update(desiredPolicy), WriteMode.LIVE);

    assertThat(inSync).isEqualTo(new PolicyDecision.InSync(desiredPolicy.id()));
    assertThat(written).isEqualTo(DONE);
    assertThat(verdict(desiredPolicy)).isEqualTo(new PolicyDecision.InSync(desiredPolicy.id()));
    assertThat(
            others().read(desiredPolicy.id()).orElseThrow().mapping("status").mapping("rulecount"))
        .isEqualTo(Documents.yaml(status).mapping("rulecount"));
  }

  @Test
  void leavesLabelsAndAnnotationsOfOthersAlone() {
    var desiredPolicy = applied(ForeignEdit.CLUSTER_POLICY);
    others()
        .edit(desiredPolicy.id(), "metadata: {labels: {team: shop}, annotations: {note: hello}}");
    var inSync = verdict(desiredPolicy);
    others().edit(desiredPolicy.id(), "spec: {schemaValidation: true}");

    var written = store().apply(update(desiredPolicy), WriteMode.LIVE);

    assertThat(inSync).isEqualTo(new PolicyDecision.InSync(desiredPolicy.id()));
    assertThat(written).isEqualTo(DONE);
    assertThat(text(desiredPolicy, "metadata", "labels", "team")).isEqualTo("shop");
    assertThat(text(desiredPolicy, "metadata", "annotations", "note")).isEqualTo("hello");
  }

  @Test
  void knowsWhatIsPaused() {
    var desiredPolicy = applied(ForeignEdit.CLUSTER_POLICY);
    var before = store().find(desiredPolicy.id());
    others()
        .edit(desiredPolicy.id(), "metadata: {annotations: {policysync.dev/reconcile: disabled}}");

    assertThat(before.flatMap(live -> live.liveStatus().pause())).isEmpty();
    assertThat(store().find(desiredPolicy.id()).flatMap(live -> live.liveStatus().pause()))
        .isPresent();
    assertThat(verdict(desiredPolicy)).isInstanceOf(PolicyDecision.Ignore.class);
  }

  @Test
  void takesAnUnownedPolicyOverWhole() {
    others()
        .create(
            ForeignEdit.CLUSTER_POLICY.replace(
                "  failurePolicy: Ignore\n",
                "  failurePolicy: Ignore\n  schemaValidation: true\n"));
    var desiredPolicy =
        desired(ForeignEdit.CLUSTER_POLICY.replace("  failurePolicy: Ignore\n", ""));

    var written = store().apply(update(desiredPolicy), WriteMode.LIVE);

    assertThat(written).isEqualTo(DONE);
    assertThat(verdict(desiredPolicy)).isEqualTo(new PolicyDecision.InSync(desiredPolicy.id()));
    assertThat(spec(desiredPolicy).fields())
        .doesNotContainKeys("failurePolicy", "schemaValidation");
  }

  @Test
  void isTheOnlyOwnerOfALabelAndAnAnnotationThatItTookOver() {
    others().create(LABELLED);
    store().apply(update(desired(LABELLED)), WriteMode.LIVE);
    var bare =
        desired(
            ForeignEdit.CLUSTER_POLICY.replace(
                "  annotations: {policies.kyverno.io/title: Require a team label}\n", ""));

    var written = store().apply(update(bare), WriteMode.LIVE);

    assertThat(written).isEqualTo(DONE);
    assertThat(metadata(bare, "labels").fields()).doesNotContainKey("team");
    assertThat(metadata(bare, "annotations").fields())
        .doesNotContainKey("policies.kyverno.io/title");
  }

  @Test
  void isTheOnlyOwnerOfALabelAfterAnyWrite() {
    applied(LABELLED);
    others().apply(CO_OWNER);
    store().apply(update(desired(LABELLED.replace("Ignore", "Fail"))), WriteMode.LIVE);
    var bare = desired(ForeignEdit.CLUSTER_POLICY);

    var written = store().apply(update(bare), WriteMode.LIVE);

    assertThat(written).isEqualTo(DONE);
    assertThat(metadata(bare, "labels").fields()).doesNotContainKey("team");
  }

  @Test
  void leavesALabelToAnotherManagerThatOwnsItToo() {
    applied(LABELLED);
    others().apply(CO_OWNER);
    var bare = desired(ForeignEdit.CLUSTER_POLICY);

    var written = store().apply(update(bare), WriteMode.LIVE);

    assertThat(written).isEqualTo(DONE);
    assertThat(text(bare, "metadata", "labels", "team")).isEqualTo("shop");
  }

  @Test
  void takesALabelThatAnotherManagerOwnsTooForNoDrift() {
    var desiredPolicy = applied(LABELLED);

    others().apply(CO_OWNER);

    assertThat(verdict(desiredPolicy)).isEqualTo(new PolicyDecision.InSync(desiredPolicy.id()));
  }

  @Test
  void removesWhatClientSideApplyLeavesBehind() {
    others()
        .create(
            ForeignEdit.CLUSTER_POLICY.replace(
                "annotations: {",
                "annotations: {kubectl.kubernetes.io/last-applied-configuration: '{}', "));
    var desiredPolicy = desired(ForeignEdit.CLUSTER_POLICY);

    var written = store().apply(update(desiredPolicy), WriteMode.LIVE);

    assertThat(written).isEqualTo(DONE);
    assertThat(metadata(desiredPolicy, "annotations").fields())
        .containsKey("policies.kyverno.io/title")
        .doesNotContainKey("kubectl.kubernetes.io/last-applied-configuration");
  }

  @Test
  void previewsThatALabelGoesWithTheManifest() {
    applied(LABELLED);
    var bare = desired(ForeignEdit.CLUSTER_POLICY);

    var preview = store().preview(update(bare));

    store().apply(update(bare), WriteMode.LIVE);
    assertThat(preview.after()).isEqualTo(visible(bare));
    assertThat(metadata(bare, "labels").fields()).containsOnlyKeys("policysync.dev/managed");
  }

  @Test
  void previewsANewPolicyWithItsDefaults() {
    var desiredPolicy = desired(ForeignEdit.CLUSTER_POLICY);

    var preview = store().preview(new Action.Create(desiredPolicy));

    assertThat(preview.before()).isEqualTo(Value.Mapping.EMPTY);
    assertThat(preview.after().mapping("spec").field("background")).contains(new Value.Bool(true));
    assertThat(others().read(desiredPolicy.id())).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void previewsWhatUndoingAForeignEditChanges(ForeignEdit edit) {
    var desiredPolicy = applied(edit.policy());
    var before = visible(desiredPolicy);
    edit.by(others(), desiredPolicy.id());
    var after = visible(desiredPolicy);

    var preview = store().preview(update(desiredPolicy));

    assertThat(preview.before()).isEqualTo(after);
    assertThat(preview.after()).isEqualTo(before);
  }

  private DesiredPolicy desired(String policy) {
    return PlannedPolicy.desired(policy);
  }

  /// The policy, in force.
  protected final DesiredPolicy applied(String policy) {
    var desiredPolicy = desired(policy);
    var written = store().apply(new Action.Create(desiredPolicy), WriteMode.LIVE);
    if (!written.equals(DONE)) {
      throw new IllegalStateException("the test's own policy is not taken: " + written);
    }
    return desiredPolicy;
  }

  private PolicyDecision verdict(DesiredPolicy desiredPolicy) {
    return policyDecider.decide(desiredPolicy, store().find(desiredPolicy.id()));
  }

  protected final ObjectVersion version(DesiredPolicy desiredPolicy) {
    return store().find(desiredPolicy.id()).orElseThrow().objectVersion();
  }

  private Action.Update update(DesiredPolicy desiredPolicy) {
    return new Action.Update(desiredPolicy, version(desiredPolicy), Action.Cause.CHANGED);
  }

  private static Action.Remove removal(DesiredPolicy desiredPolicy, ObjectVersion seen) {
    return new Action.Remove(desiredPolicy.id(), seen, Set.of());
  }

  private Value.Mapping metadata(DesiredPolicy desiredPolicy, String part) {
    return others().read(desiredPolicy.id()).orElseThrow().mapping("metadata").mapping(part);
  }

  private Value.Mapping spec(DesiredPolicy desiredPolicy) {
    return others().read(desiredPolicy.id()).orElseThrow().mapping("spec");
  }

  /// What a preview shows of the object.
  private Value.Mapping visible(DesiredPolicy desiredPolicy) {
    var object = others().read(desiredPolicy.id()).orElseThrow();
    var metadata = object.mapping("metadata");
    for (var name : SERVERS_OWN) {
      metadata = metadata.without(name);
    }
    return object.without("status").with("metadata", metadata);
  }

  private String text(DesiredPolicy desiredPolicy, String... path) {
    var at = others().read(desiredPolicy.id()).orElseThrow();
    for (int i = 0; i < path.length - 1; i++) {
      at = at.mapping(path[i]);
    }
    return at.text(path[path.length - 1]).orElse("");
  }
}

package dev.policysync.remote.cluster.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.policysync.base.CanonicalJson;
import dev.policysync.base.Value;
import dev.policysync.plan.Action;
import dev.policysync.plan.DesiredPolicy;
import dev.policysync.plan.PlannedPolicy;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.PolicyKind;
import dev.policysync.sync.execution.ClusterUnavailable;
import dev.policysync.sync.execution.PolicyStore.Written;
import dev.policysync.sync.execution.WriteMode;
import dev.policysync.testcluster.Documents;
import dev.policysync.testcluster.RawApi;
import dev.policysync.testcluster.RealCluster;
import dev.policysync.testcluster.Sandbox;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Policies whose field ownership says nothing of use: what came before this agent, and what lost
/// its managed fields. One apply makes the spec wholly ours, and a field that the manifest does not
/// name is gone afterwards.
@RealCluster
class TakeOverIT {
  private static final PolicyId ID = PolicyId.of(PolicyKind.CLUSTER_POLICY, "require-team-label");

  /// As an earlier agent had it; the two fields after `name` differ in what is wanted now.
  private static final String BEFORE =
      """
      apiVersion: kyverno.io/v1
      kind: ClusterPolicy
      metadata:
        name: require-team-label
        annotations: {insights.fairwinds.com/owned-by: Fairwinds Insights, note: kept}
      spec:
        validationFailureAction: Enforce
        failurePolicy: Ignore
        rules:
          - name: team
            match: {any: [{resources: {kinds: [Deployment]}}]}
            validate: {message: A Deployment names its team., pattern: {metadata: {labels: {team: "?*"}}}}
      """;

  private static final String WANTED =
      """
      apiVersion: kyverno.io/v1
      kind: ClusterPolicy
      metadata: {name: require-team-label}
      spec:
        rules:
          - name: team
            match: {any: [{resources: {kinds: [Deployment]}}]}
            validate: {message: A Deployment names its team., pattern: {metadata: {labels: {team: "?*"}}}}
      """;

  private final DesiredPolicy wanted = PlannedPolicy.desired(WANTED);
  private RawApi admin;
  private ClusterPolicies policies;

  @BeforeEach
  void listOnce(Sandbox sandbox) {
    admin = sandbox.admin();
    policies = new ClusterPolicies(sandbox.cluster().connect(sandbox.cluster().adminToken()));
    policies.list();
  }

  @Test
  void takesOverWhatKubectlAppliedOnTheClientsSide() {
    appliedByKubectl();

    var cause = PlannedPolicy.cause(wanted, policies.find(ID));
    var written = policies.apply(update(), WriteMode.LIVE);

    assertThat(cause).contains(Action.Cause.ADOPTED);
    assertThat(written).isInstanceOf(Written.Done.class);
    requireWhollyOurs();
    assertThat(annotations().fields())
        .doesNotContainKey("kubectl.kubernetes.io/last-applied-configuration")
        .containsEntry("note", new Value.Text("kept"));
  }

  /// Each of its writes asks for the Lease again; what is left to do is seen by the next run.
  @Test
  void stopsBetweenTwoOfItsWritesOnceTheLeaseIsLost(Sandbox sandbox) {
    appliedByKubectl();
    var asked = new AtomicInteger();
    var losing =
        new ClusterPolicies(
            sandbox.cluster().connect(sandbox.cluster().adminToken()),
            Set.of(),
            () -> asked.incrementAndGet() == 1);
    losing.list();

    assertThatThrownBy(() -> losing.apply(update(), WriteMode.LIVE))
        .isInstanceOf(ClusterUnavailable.class)
        .hasMessageContaining("the Lease was lost; the request was not sent");
    assertThat(asked).hasValue(2);
    assertThat(PlannedPolicy.cause(wanted, policies.find(ID))).isPresent();

    assertThat(policies.apply(update(), WriteMode.LIVE)).isInstanceOf(Written.Done.class);
    requireWhollyOurs();
  }

  @Test
  void previewsTheTakeOverOfWhatKubectlApplied() {
    appliedByKubectl();

    var preview = policies.preview(update());

    policies.apply(update(), WriteMode.LIVE);
    assertThat(preview.after()).isEqualTo(policies.preview(update()).before());
    assertThat(preview.before().mapping("spec").text("failurePolicy")).hasValue("Ignore");
  }

  @Test
  void takesOverWhatWasAppliedAtAVersionThatTheServerCannotConvert() {
    appliedAtV2beta1(BEFORE, "argocd-controller");

    var written = policies.apply(update(), WriteMode.LIVE);

    assertThat(written).isInstanceOf(Written.Done.class);
    requireWhollyOurs();
    assertThat(annotations().fields()).containsEntry("note", new Value.Text("kept"));
  }

  @Test
  void takesOverWhatHasMoreThanOneFieldThatTheServerCannotConvert() {
    var rules = BEFORE.substring(BEFORE.indexOf("    - name: team"));
    appliedAtV2beta1(BEFORE + rules.replace("name: team", "name: again"), "argocd-controller");

    var written = policies.apply(update(), WriteMode.LIVE);

    assertThat(written).isInstanceOf(Written.Done.class);
    requireWhollyOurs();
  }

  @ParameterizedTest
  @EnumSource
  void takesNothingOverForWhatIsInvalidByItself(WriteMode writeMode) {
    appliedByKubectl();
    var before = read();
    var seen = policies.find(ID).orElseThrow().objectVersion();
    var invalid =
        PlannedPolicy.desired(WANTED.replace("spec:", "spec:\n  failurePolicy: Sometimes"));

    var written = policies.apply(new Action.Update(invalid, seen, Action.Cause.ADOPTED), writeMode);

    assertThat(written).isInstanceOf(Written.Refused.class);
    assertThat(read()).isEqualTo(before);
  }

  @Test
  void takesOverWhatItAppliedItselfAtSuchAVersion() {
    appliedAtV2beta1(BEFORE, "kyverno-policy-sync");

    var written = policies.apply(update(), WriteMode.LIVE);

    assertThat(written).isInstanceOf(Written.Done.class);
    requireWhollyOurs();
    assertThat(annotations().fields()).doesNotContainKey("note");
  }

  @Test
  void takesOverWhatWasAppliedSoWithoutOurMark() {
    appliedAtV2beta1(
        BEFORE.replace("insights.fairwinds.com/owned-by: Fairwinds Insights, ", ""),
        "argocd-controller");

    var written = policies.apply(update(), WriteMode.LIVE);

    assertThat(written).isInstanceOf(Written.Done.class);
    requireWhollyOurs();
  }

  @ParameterizedTest
  @ValueSource(strings = {"argocd-controller", "kyverno-policy-sync"})
  void takesOverWhatLostItsManagedFieldsToKyvernosStatus(String manager) {
    appliedAtV2beta1(BEFORE, manager);
    var status =
        Documents.yaml(
            "{status: {rulecount: {validate: 1, mutate: 0, generate: 0, verifyimages: 0}}}");
    admin.merge(RawApi.path(ID, "v1") + "/status?fieldManager=kyverno", status).ok();

    var written = policies.apply(update(), WriteMode.LIVE);

    assertThat(written).isInstanceOf(Written.Done.class);
    requireWhollyOurs();
    assertThat(read().mapping("status").fields()).containsKey("rulecount");
  }

  @ParameterizedTest
  @EnumSource
  void neverCreatesOverWhatTheServerCannotConvert(WriteMode writeMode) {
    appliedAtV2beta1(BEFORE, "argocd-controller");
    var before = read();

    var written = policies.apply(new Action.Create(wanted), writeMode);

    assertThat(written).isEqualTo(new Written.Stale());
    assertThat(read()).isEqualTo(before);
  }

  @ParameterizedTest
  @EnumSource
  void doesNotTakeOverWhatChangedSinceItWasJudged(WriteMode writeMode) {
    appliedAtV2beta1(BEFORE, "argocd-controller");
    var update = update();
    appliedAtV2beta1(BEFORE.replace("kept", "changed"), "argocd-controller");
    var before = read();

    var written = policies.apply(update, writeMode);

    assertThat(written).isEqualTo(new Written.Stale());
    assertThat(read()).isEqualTo(before);
  }

  @Test
  void previewsTheTakeOverOfWhatTheServerCannotConvert() {
    appliedAtV2beta1(BEFORE, "argocd-controller");

    var preview = policies.preview(update());

    policies.apply(update(), WriteMode.LIVE);
    assertThat(preview.after().mapping("spec")).isEqualTo(read().mapping("spec"));
    assertThat(preview.before().mapping("spec").text("failurePolicy")).hasValue("Ignore");
  }

  @Test
  void leavesItAloneInADryRunThatTheServerCannotJudge() {
    appliedAtV2beta1(BEFORE, "argocd-controller");
    var before = read();

    var written = policies.apply(update(), WriteMode.DRY_RUN);

    assertThat(written)
        .isInstanceOfSatisfying(
            Written.Done.class,
            done -> assertThat(done.warnings()).anyMatch(text -> text.contains("repair")));
    assertThat(read()).isEqualTo(before);
  }

  @Test
  void appliesAManifestOfV2beta1AtV1() {
    var manifest = WANTED.replace("kyverno.io/v1", "kyverno.io/v2beta1");
    var desiredPolicy = PlannedPolicy.desired(manifest);

    var written = policies.apply(new Action.Create(desiredPolicy), WriteMode.LIVE);

    assertThat(written).isInstanceOf(Written.Done.class);
    assertThat(PlannedPolicy.inSync(desiredPolicy, policies.find(ID))).isTrue();
  }

  private void appliedByKubectl() {
    var object = Documents.yaml(BEFORE);
    var metadata = object.mapping("metadata");
    var annotations =
        metadata
            .mapping("annotations")
            .with("kubectl.kubernetes.io/last-applied-configuration", CanonicalJson.write(object));
    admin
        .post(
            RawApi.collection(ID, "v1") + "?fieldManager=kubectl-client-side-apply",
            object.with("metadata", metadata.with("annotations", annotations)))
        .ok();
  }

  private void appliedAtV2beta1(String manifest, String manager) {
    var path = RawApi.path(ID, "v2beta1") + "?fieldManager=" + manager;
    admin.apply(path, manifest.replace("kyverno.io/v1", "kyverno.io/v2beta1")).ok();
  }

  private Action.Update update() {
    var seen = policies.find(ID).orElseThrow().objectVersion();
    return new Action.Update(wanted, seen, Action.Cause.ADOPTED);
  }

  private void requireWhollyOurs() {
    var live = policies.find(ID);
    assertThat(PlannedPolicy.inSync(wanted, live)).isTrue();
    assertThat(read().mapping("spec").fields())
        .doesNotContainKey("failurePolicy")
        .containsEntry("validationFailureAction", new Value.Text("Audit"));
  }

  private Value.Mapping read() {
    return admin.get(RawApi.path(ID, "v1")).ok();
  }

  private Value.Mapping annotations() {
    return read().mapping("metadata").mapping("annotations");
  }
}

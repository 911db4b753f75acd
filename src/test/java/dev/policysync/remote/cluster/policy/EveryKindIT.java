package dev.policysync.remote.cluster.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.base.Value;
import dev.policysync.plan.Action;
import dev.policysync.plan.DesiredPolicy;
import dev.policysync.plan.Failure;
import dev.policysync.plan.Listing;
import dev.policysync.plan.LivePolicy;
import dev.policysync.plan.PlannedPolicy;
import dev.policysync.policy.PolicyKind;
import dev.policysync.sync.execution.PolicyStore.Written;
import dev.policysync.sync.execution.WriteMode;
import dev.policysync.testcluster.Documents;
import dev.policysync.testcluster.KindExamples;
import dev.policysync.testcluster.RawApi;
import dev.policysync.testcluster.RealCluster;
import dev.policysync.testcluster.Sandbox;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Each kind of the table, with the example of it in `src/test/resources/kinds`.
@RealCluster
class EveryKindIT {
  private Sandbox sandbox;
  private ClusterPolicies policies;

  @BeforeEach
  void listOnce(Sandbox sandbox) {
    this.sandbox = sandbox;
    this.policies = new ClusterPolicies(sandbox.cluster().connect(sandbox.cluster().adminToken()));
    policies.list();
  }

  @ParameterizedTest
  @EnumSource
  void isServedAndListedAtItsBestVersion(PolicyKind kind) {
    var desiredPolicy = applied(kind);

    var listing = policies.list().of(kind);

    assertThat(listing)
        .isInstanceOfSatisfying(
            Listing.Listed.class,
            listed -> {
              assertThat(listed.version()).isEqualTo(kind.versions().getFirst());
              assertThat(listed.policies())
                  .singleElement()
                  .satisfies(live -> {
                    assertThat(live.id()).isEqualTo(desiredPolicy.id());
                    assertThat(PlannedPolicy.inSync(desiredPolicy, Optional.of(live))).isTrue();
                  });
            });
  }

  @ParameterizedTest
  @EnumSource
  void everyKindIsWrittenOnlyOnce(PolicyKind kind) {
    var desiredPolicy = applied(kind);
    var before = read(desiredPolicy);

    var written = policies.apply(update(desiredPolicy), WriteMode.LIVE);

    assertThat(written).isInstanceOf(Written.Done.class);
    assertThat(read(desiredPolicy)).isEqualTo(before);
  }

  @ParameterizedTest
  @EnumSource
  void everyKindIsUpdated(PolicyKind kind) {
    applied(kind);
    var desiredPolicy = withAnnotation(desired(kind), "note");

    var written = policies.apply(update(desiredPolicy), WriteMode.LIVE);

    assertThat(written).isInstanceOf(Written.Done.class);
    assertThat(PlannedPolicy.inSync(desiredPolicy, policies.find(desiredPolicy.id()))).isTrue();
    assertThat(read(desiredPolicy).mapping("metadata").mapping("annotations").text("note"))
        .contains("changed");
  }

  @ParameterizedTest
  @EnumSource
  void everyKindIsRemoved(PolicyKind kind) {
    var desiredPolicy = applied(kind);
    var removal =
        new Action.Remove(desiredPolicy.id(), live(desiredPolicy).objectVersion(), Set.of());

    var written = policies.remove(removal, WriteMode.LIVE);

    assertThat(written).isInstanceOf(Written.Done.class);
    assertThat(policies.find(desiredPolicy.id())).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void isRefusedWithAFieldThatItsSchemaDoesNotKnow(PolicyKind kind) {
    var example = KindExamples.of(kind, sandbox.namespace("shop")).content();
    var spec = example.mapping("spec").with("noSuchField", new Value.Bool(true));
    var desiredPolicy = PlannedPolicy.desired(Documents.policy(example.with("spec", spec)));

    var written = policies.apply(new Action.Create(desiredPolicy), WriteMode.LIVE);

    assertThat(written)
        .isInstanceOfSatisfying(
            Written.Refused.class,
            refused -> assertThat(refused.failure().cause()).isEqualTo(Failure.Cause.INVALID));
    assertThat(policies.find(desiredPolicy.id())).isEmpty();
  }

  private DesiredPolicy desired(PolicyKind kind) {
    return PlannedPolicy.desired(KindExamples.of(kind, sandbox.namespace("shop")));
  }

  private DesiredPolicy applied(PolicyKind kind) {
    var desiredPolicy = desired(kind);
    var written = policies.apply(new Action.Create(desiredPolicy), WriteMode.LIVE);
    if (!(written instanceof Written.Done)) {
      throw new IllegalStateException("the example of " + kind + " is not taken: " + written);
    }
    return desiredPolicy;
  }

  private static DesiredPolicy withAnnotation(DesiredPolicy desiredPolicy, String name) {
    var metadata = desiredPolicy.manifest().mapping("metadata");
    var annotations = metadata.mapping("annotations").with(name, "changed");
    return PlannedPolicy.desired(
        Documents.policy(
            desiredPolicy.manifest().with("metadata", metadata.with("annotations", annotations))));
  }

  private Action.Update update(DesiredPolicy desiredPolicy) {
    return new Action.Update(
        desiredPolicy, live(desiredPolicy).objectVersion(), Action.Cause.CHANGED);
  }

  private LivePolicy live(DesiredPolicy desiredPolicy) {
    return policies.find(desiredPolicy.id()).orElseThrow();
  }

  private Value.Mapping read(DesiredPolicy desiredPolicy) {
    var version = desiredPolicy.id().kind().versions().getFirst();
    return sandbox.admin().get(RawApi.path(desiredPolicy.id(), version)).ok();
  }
}

package dev.policysync.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.plan.Action;
import dev.policysync.plan.Desired;
import dev.policysync.plan.Failure;
import dev.policysync.plan.Judgement;
import dev.policysync.plan.Listing;
import dev.policysync.plan.LivePolicy;
import dev.policysync.policy.PolicyKind;
import dev.policysync.sync.Mode;
import dev.policysync.sync.PolicyStore.Written;
import dev.policysync.testcluster.Documents;
import dev.policysync.testcluster.KindExamples;
import dev.policysync.testcluster.RawApi;
import dev.policysync.testcluster.RealCluster;
import dev.policysync.testcluster.Sandbox;
import dev.policysync.yaml.Value;
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
    var desired = applied(kind);

    var listing = policies.list().of(kind);

    assertThat(listing)
        .isInstanceOfSatisfying(
            Listing.Listed.class,
            listed -> {
              assertThat(listed.version()).isEqualTo(kind.versions().getFirst());
              assertThat(listed.policies())
                  .singleElement()
                  .satisfies(live -> {
                    assertThat(live.id()).isEqualTo(desired.id());
                    assertThat(Judgement.inSync(desired, Optional.of(live))).isTrue();
                  });
            });
  }

  @ParameterizedTest
  @EnumSource
  void isWrittenOnceOnly(PolicyKind kind) {
    var desired = applied(kind);
    var before = read(desired);

    var written = policies.apply(update(desired), Mode.LIVE);

    assertThat(written).isInstanceOf(Written.Done.class);
    assertThat(read(desired)).isEqualTo(before);
  }

  @ParameterizedTest
  @EnumSource
  void isUpdated(PolicyKind kind) {
    applied(kind);
    var desired = withAnnotation(desired(kind), "note");

    var written = policies.apply(update(desired), Mode.LIVE);

    assertThat(written).isInstanceOf(Written.Done.class);
    assertThat(Judgement.inSync(desired, policies.find(desired.id()))).isTrue();
    assertThat(read(desired).mapping("metadata").mapping("annotations").text("note"))
        .contains("changed");
  }

  @ParameterizedTest
  @EnumSource
  void isRemoved(PolicyKind kind) {
    var desired = applied(kind);
    var removal = new Action.Remove(desired.id(), live(desired).version(), Set.of());

    var written = policies.remove(removal, Mode.LIVE);

    assertThat(written).isInstanceOf(Written.Done.class);
    assertThat(policies.find(desired.id())).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void isRefusedWithAFieldThatItsSchemaDoesNotKnow(PolicyKind kind) {
    var example = KindExamples.of(kind, sandbox.namespace("shop")).content();
    var spec = example.mapping("spec").with("noSuchField", new Value.Bool(true));
    var desired = Judgement.desired(Documents.policy(example.with("spec", spec)));

    var written = policies.apply(new Action.Create(desired), Mode.LIVE);

    assertThat(written)
        .isInstanceOfSatisfying(
            Written.Refused.class,
            refused -> assertThat(refused.failure().cause()).isEqualTo(Failure.Cause.INVALID));
    assertThat(policies.find(desired.id())).isEmpty();
  }

  private Desired desired(PolicyKind kind) {
    return Judgement.desired(KindExamples.of(kind, sandbox.namespace("shop")));
  }

  private Desired applied(PolicyKind kind) {
    var desired = desired(kind);
    var written = policies.apply(new Action.Create(desired), Mode.LIVE);
    if (!(written instanceof Written.Done)) {
      throw new IllegalStateException("the example of " + kind + " is not taken: " + written);
    }
    return desired;
  }

  private static Desired withAnnotation(Desired desired, String name) {
    var metadata = desired.manifest().mapping("metadata");
    var annotations = metadata.mapping("annotations").with(name, new Value.Text("changed"));
    return Judgement.desired(
        Documents.policy(
            desired.manifest().with("metadata", metadata.with("annotations", annotations))));
  }

  private Action.Update update(Desired desired) {
    return new Action.Update(desired, live(desired).version(), Action.Cause.CHANGED);
  }

  private LivePolicy live(Desired desired) {
    return policies.find(desired.id()).orElseThrow();
  }

  private Value.Mapping read(Desired desired) {
    var version = desired.id().kind().versions().getFirst();
    return sandbox.admin().get(RawApi.path(desired.id(), version)).ok();
  }
}

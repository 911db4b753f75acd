package dev.policysync.plan;

import static dev.policysync.plan.PlanFixtures.SOURCE;
import static dev.policysync.plan.PlanFixtures.clusterPolicyId;
import static dev.policysync.policy.PolicyFixtures.clusterPolicy;
import static dev.policysync.policy.PolicyFixtures.json;
import static dev.policysync.policy.PolicyFixtures.policy;
import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.policy.Policy;
import dev.policysync.policy.PolicyId;
import dev.policysync.policy.PolicyKind;
import dev.policysync.policy.Position;
import java.util.List;
import org.junit.jupiter.api.Test;

class DesiredPolicyTest {
  @Test
  void carriesItsMarksWhereTheFeedForgotThem() {
    var desiredPolicy = DesiredPolicy.of(clusterPolicy("team", "{'rules': []}"), "v1", SOURCE);

    assertThat(desiredPolicy.id()).isEqualTo(clusterPolicyId("team"));
    assertThat(desiredPolicy.manifest())
        .isEqualTo(
            json(
                """
                {'apiVersion': 'kyverno.io/v1', 'kind': 'ClusterPolicy',
                 'metadata': {
                   'name': 'team',
                   'labels': {'policysync.dev/managed': 'true'},
                   'annotations': {
                     'insights.fairwinds.com/owned-by': 'Fairwinds Insights',
                     'policysync.dev/source': 'acme/prod-1',
                     'policysync.dev/applied': 'ClusterPolicy.kyverno.io/team@%s'}},
                 'spec': {'rules': []}}
                """
                    .formatted(desiredPolicy.digest())));
  }

  @Test
  void isTheSameHoweverItIsKept() {
    var one = DesiredPolicy.of(clusterPolicy("team", "{'rules': []}"), "v1", SOURCE);

    assertThat(DesiredPolicy.of(clusterPolicy("team", "{'rules': [{}]}"), "v1", SOURCE))
        .isNotEqualTo(one);
  }

  @Test
  void keepsWhatTheFeedSaysAndCorrectsItsMarks() {
    var desiredPolicy =
        DesiredPolicy.of(
            content(
                """
                {'apiVersion': 'kyverno.io/v2beta1', 'kind': 'ClusterPolicy',
                 'metadata': {
                   'name': 'team',
                   'labels': {'team': 'a', 'policysync.dev/managed': 'no'},
                   'annotations': {
                     'policies.kyverno.io/title': 'Team',
                     'insights.fairwinds.com/owned-by': 'me',
                     'policysync.dev/source': 'acme/staging',
                     'policysync.dev/applied': 'something',
                     'policysync.dev/prune': 'disabled'}},
                 'spec': {}}
                """),
            "v1",
            SOURCE);

    assertThat(desiredPolicy.manifest())
        .isEqualTo(
            json(
                """
                {'apiVersion': 'kyverno.io/v1', 'kind': 'ClusterPolicy',
                 'metadata': {
                   'name': 'team',
                   'labels': {'team': 'a', 'policysync.dev/managed': 'true'},
                   'annotations': {
                     'policies.kyverno.io/title': 'Team',
                     'insights.fairwinds.com/owned-by': 'Fairwinds Insights',
                     'policysync.dev/source': 'acme/prod-1',
                     'policysync.dev/applied': 'ClusterPolicy.kyverno.io/team@%s',
                     'policysync.dev/prune': 'disabled'}},
                 'spec': {}}
                """
                    .formatted(desiredPolicy.digest())));
  }

  @Test
  void signsWithGroupAndNamespace() {
    var exception = policy(PolicyId.of(PolicyKind.CEL_EXCEPTION, "shop", "legacy"));

    var desiredPolicy = DesiredPolicy.of(exception, "v1", SOURCE);

    assertThat(desiredPolicy.signature())
        .isEqualTo("PolicyException.policies.kyverno.io/shop/legacy@" + desiredPolicy.digest());
  }

  @Test
  void hasOneDigestInWhateverOrderTheKeysAreWritten() {
    var one =
        content(
            """
            {'apiVersion': 'kyverno.io/v1', 'kind': 'ClusterPolicy',
             'metadata': {'name': 'team', 'labels': {'a': '1', 'b': '2'}},
             'spec': {'background': true, 'rules': [{'name': 'x', 'match': {}}]}}
            """);
    var other =
        content(
            """
            {'spec': {'rules': [{'match': {}, 'name': 'x'}], 'background': true},
             'metadata': {'labels': {'b': '2', 'a': '1'}, 'name': 'team'},
             'kind': 'ClusterPolicy', 'apiVersion': 'kyverno.io/v1'}
            """);

    assertThat(DesiredPolicy.of(one, "v1", SOURCE).digest())
        .isEqualTo(DesiredPolicy.of(other, "v1", SOURCE).digest());
  }

  @Test
  void hasAnotherDigestForEveryOtherContentVersionAndSource() {
    var digests =
        List.of(
            DesiredPolicy.of(clusterPolicy("team", "{'rules': [1, 2]}"), "v1", SOURCE).digest(),
            DesiredPolicy.of(clusterPolicy("team", "{'rules': [2, 1]}"), "v1", SOURCE).digest(),
            DesiredPolicy.of(clusterPolicy("team", "{'rules': ['1', 2]}"), "v1", SOURCE).digest(),
            DesiredPolicy.of(clusterPolicy("team", "{'rules': null}"), "v1", SOURCE).digest(),
            DesiredPolicy.of(clusterPolicy("team", "{}"), "v1", SOURCE).digest(),
            DesiredPolicy.of(clusterPolicy("team", "{'rules': [1, 2]}"), "v2", SOURCE).digest(),
            DesiredPolicy.of(
                    clusterPolicy("team", "{'rules': [1, 2]}"),
                    "v1",
                    SourceName.of("acme", "prod-2"))
                .digest());

    assertThat(digests).doesNotHaveDuplicates();
  }

  @Test
  void hasTheSameDigestWhateverSignatureTheFeedBrings() {
    var signed =
        content(
            """
            {'apiVersion': 'kyverno.io/v1', 'kind': 'ClusterPolicy',
             'metadata': {'name': 'team', 'annotations': {'policysync.dev/applied': 'old'}},
             'spec': {'rules': []}}
            """);

    assertThat(DesiredPolicy.of(signed, "v1", SOURCE))
        .isEqualTo(DesiredPolicy.of(clusterPolicy("team", "{'rules': []}"), "v1", SOURCE));
  }

  private static Policy content(String json) {
    return new Policy(clusterPolicyId("team"), json(json), new Position("feed", 1, 1, 1));
  }
}

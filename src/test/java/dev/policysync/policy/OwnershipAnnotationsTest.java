package dev.policysync.policy;

import static dev.policysync.policy.PolicyFixtures.clusterPolicy;
import static dev.policysync.policy.PolicyFixtures.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.plan.PlanFixtures;
import org.junit.jupiter.api.Test;

class OwnershipAnnotationsTest {
  @Test
  void leavesOfAnAppliedPolicyWhatTheFeedSaid() {
    var policy = clusterPolicy("team");

    assertThat(OwnershipAnnotations.removeFrom(PlanFixtures.desired(policy).manifest()))
        .isEqualTo(policy.content());
  }

  @Test
  void leavesWhatOthersAnnotatedAndLabelled() {
    var live =
        json(
            """
            {'kind': 'ClusterPolicy',
             'metadata': {
               'name': 'team',
               'labels': {'team': 'a', 'policysync.dev/managed': 'true'},
               'annotations': {
                 'note': 'seen',
                 'policysync.dev/prune': 'disabled',
                 'insights.fairwinds.com/owned-by': 'Fairwinds Insights',
                 'policysync.dev/source': 'acme/prod-1',
                 'policysync.dev/applied': 'ClusterPolicy.kyverno.io/team@sha256:0',
                 'kubectl.kubernetes.io/last-applied-configuration': '{}'}}}
            """);

    assertThat(OwnershipAnnotations.removeFrom(live))
        .isEqualTo(
            json(
                """
                {'kind': 'ClusterPolicy',
                 'metadata': {
                   'name': 'team',
                   'labels': {'team': 'a'},
                   'annotations': {'note': 'seen', 'policysync.dev/prune': 'disabled'}}}
                """));
    assertThat(OwnershipAnnotations.removeBookkeepingFrom(live))
        .isEqualTo(
            json(
                """
                {'kind': 'ClusterPolicy',
                 'metadata': {
                   'name': 'team',
                   'labels': {'team': 'a'},
                   'annotations': {
                     'note': 'seen',
                     'policysync.dev/prune': 'disabled',
                     'insights.fairwinds.com/owned-by': 'Fairwinds Insights'}}}
                """));
  }
}

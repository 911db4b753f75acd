package dev.policysync.convert;

import static dev.policysync.policy.PolicyFixtures.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.base.yaml.NodeLocations;
import dev.policysync.policy.PolicyFixtures;
import dev.policysync.policy.feed.LocatedPolicy;
import java.util.List;
import org.junit.jupiter.api.Test;

class WebhookLimitTest {
  @Test
  void refusesThePolicyBeyondTheLimit() {
    var limit = new WebhookLimit();
    for (int i = 0; i < WebhookLimit.MOST; i++) {
      assertThat(limit.admit(conversion("p" + i, "{'matchConditions': [{}]}")).converted())
          .isTrue();
    }

    var beyond = limit.admit(conversion("beyond", "{'matchConditions': [{}]}"));

    assertThat(beyond.successors()).isEmpty();
    assertThat(beyond.refusals())
        .singleElement()
        .extracting(Refusal::policy, Refusal::construct)
        .containsExactly(
            "ClusterPolicy/beyond",
            "a policy beyond the 500 for which Kyverno's webhook configuration has room");
  }

  @Test
  void admitsAnyNumberWithoutWebhooksOfTheirOwn() {
    var limit = new WebhookLimit();

    for (int i = 0; i < 2 * WebhookLimit.MOST; i++) {
      assertThat(limit.admit(conversion("p" + i, "{}")).converted()).isTrue();
    }
  }

  private static Conversion conversion(String name, String spec) {
    var policy = PolicyFixtures.clusterPolicy(name);
    return new Conversion(
        new LocatedPolicy(policy.id(), policy.content(), policy.position(), new NodeLocations()),
        List.of(new Conversion.Successor("", List.of(), json("{}").with("spec", json(spec)))),
        List.of());
  }
}

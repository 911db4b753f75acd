package dev.policysync.plan.managedfields;

import static dev.policysync.policy.PolicyFixtures.json;
import static dev.policysync.policy.PolicyFixtures.value;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PathElementTest {
  @Test
  void readsAsFieldsV1WritesIt() {
    assertThat(new PathElement.Field("spec")).hasToString("f:spec");
    assertThat(new PathElement.Key(json("{'port': 80, 'name': 'web'}")))
        .hasToString("k:{\"name\":\"web\",\"port\":80}");
    assertThat(new PathElement.Item(value("'Audit'"))).hasToString("v:\"Audit\"");
    assertThat(new PathElement.Index(2)).hasToString("i:2");
    assertThat(new PathElement.Unknown("x:2")).hasToString("x:2");
  }

  @Test
  void leadsNowhereWhereItsFormIsNotKnown() {
    assertThat(new PathElement.Unknown("x:2").in(json("{'x:2': 1}"))).isEmpty();
  }
}

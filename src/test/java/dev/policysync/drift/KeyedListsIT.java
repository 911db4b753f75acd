package dev.policysync.drift;

import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.ownership.FieldSet;
import dev.policysync.policy.PolicyKind;
import dev.policysync.testcluster.RealCluster;
import dev.policysync.testcluster.Sandbox;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/// Of which lists an empty one leaves no path in managed fields, by the schemas that the API server
/// publishes.
@RealCluster
class KeyedListsIT {
  private final TreeSet<String> keyed = new TreeSet<>();
  private final TreeSet<String> atomic = new TreeSet<>();

  @Test
  void areThoseThatTheSchemasName(Sandbox sandbox) {
    for (var kind : PolicyKind.all()) {
      collect(Schema.of(sandbox.admin(), kind).property("spec"));
    }

    assertThat(keyed).isEqualTo(new TreeSet<>(FieldSet.KEYED_LISTS));
    assertThat(atomic).contains("controllers", "rules").doesNotContainAnyElementsOf(keyed);
  }

  /// What is below an atomic list is recorded with it.
  private void collect(Schema schema) {
    for (var name : schema.properties()) {
      var property = schema.property(name);
      if (property.unordered()) {
        keyed.add(name);
        collect(property.items());
      } else if (property.node().text("type").orElse("").equals("array")) {
        atomic.add(name);
      } else {
        collect(property);
      }
    }
  }
}

package dev.policysync.drift;

import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.plan.managedfields.KeyedLists;
import dev.policysync.policy.PolicyKind;
import dev.policysync.testcluster.RealCluster;
import dev.policysync.testcluster.Sandbox;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Of which lists an empty one leaves no path in managed fields, by the schemas that the API server
/// publishes.
@RealCluster
class KeyedListsIT {
  private final Set<String> keyed = new TreeSet<>();
  private final Set<String> atomic = new TreeSet<>();

  @ParameterizedTest
  @EnumSource
  void areThoseThatTheSchemaNames(PolicyKind kind, Sandbox sandbox) {
    collect(Schema.of(sandbox.admin(), kind).property("spec"));

    assertThat(KeyedLists.of(kind)).isEqualTo(keyed);
    assertThat(atomic).as("atomic and keyed under one name").noneMatch(keyed::contains);
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
    if (schema.node().field("additionalProperties").isPresent()) {
      collect(schema.property("any"));
    }
  }
}

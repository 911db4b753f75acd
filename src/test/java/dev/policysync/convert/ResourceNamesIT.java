package dev.policysync.convert;

import static org.assertj.core.api.Assertions.assertThat;

import dev.policysync.base.Value;
import dev.policysync.testcluster.RealCluster;
import dev.policysync.testcluster.Sandbox;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// A wrong name would be a successor that judges nothing, and Kyverno's command line cannot see
/// that: it guesses names itself.
@RealCluster
class ResourceNamesIT {
  @Test
  void areThoseThatTheApiServerServes(Sandbox sandbox) {
    var admin = sandbox.admin();
    var served = new HashMap<String, String>();
    add(served, admin.get("/api/v1").ok());
    for (var group : admin.get("/apis").ok().mappings("groups")) {
      for (var version : group.mappings("versions")) {
        var path = "/apis/" + version.text("groupVersion").orElseThrow();
        if (!path.contains("metrics")) {
          add(served, admin.get(path).ok());
        }
      }
    }

    assertThat(served).hasSizeGreaterThan(40).containsEntry("NetworkPolicy", "networkpolicies");
    served.forEach((kind, resources) ->
        assertThat(ResourceNames.of(kind).orElse(List.of(resources))).as(kind).contains(resources));
  }

  @Test
  void ofCustomResourcesAreThoseOfTheirDefinitions() {
    assertThat(ResourceNames.of("Gateway")).contains(List.of("gateways", "gatewaies"));
    assertThat(ResourceNames.of("Mesh")).contains(List.of("meshs", "meshes"));
    assertThat(ResourceNames.of("ServiceEntry")).contains(List.of("serviceentries"));
    assertThat(ResourceNames.of("Unknown")).isEqualTo(Optional.empty());
  }

  private static void add(Map<String, String> served, Value.Mapping list) {
    for (var resource : list.mappings("resources")) {
      var name = resource.text("name").orElseThrow();
      if (!name.contains("/")) {
        served.put(resource.text("kind").orElseThrow(), name);
      }
    }
  }
}

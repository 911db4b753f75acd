package dev.policysync.convert.verification;

import dev.policysync.base.Value;
import dev.policysync.base.yaml.DocumentLimit;
import dev.policysync.base.yaml.YamlDocument;
import dev.policysync.base.yaml.YamlStream;
import dev.policysync.policy.Manifest;
import java.util.ArrayList;
import java.util.List;

/// Reads the objects in manifests on which a user has both forms compared.
public final class GivenResources {
  private static final long LIMIT = 64L << 20;

  private GivenResources() {}

  /// Returns all objects of a manifest that have an apiVersion, a kind and a name.
  ///
  /// @throws IllegalArgumentException if a document cannot be read
  public static List<Value.Mapping> of(Manifest manifest) {
    var objects = new ArrayList<Value.Mapping>();
    YamlStream.read(
        manifest.bytes(),
        DocumentLimit.of(LIMIT),
        document -> {
          switch (document) {
            case YamlDocument.WellFormed sound -> {
              if (sound.value() instanceof Value.Mapping object && isResource(object)) {
                objects.add(object);
              }
            }
            default ->
                throw new IllegalArgumentException(
                    "--resources: " + manifest.name() + " has a document that cannot be read");
          }
        });
    return objects;
  }

  private static boolean isResource(Value.Mapping object) {
    return object.text("kind").isPresent()
        && object.text("apiVersion").isPresent()
        && object.mapping("metadata").text("name").isPresent();
  }
}

package dev.policysync.judge;

import dev.policysync.base.Value;
import dev.policysync.base.yaml.DocumentLimit;
import dev.policysync.base.yaml.YamlDocument;
import dev.policysync.base.yaml.YamlStream;
import dev.policysync.policy.kyverno.StringLists;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// The resources that the authors of a policy judge it by, for `kyverno test`.
public final class TestResources {
  private static final Set<String> OTHERS = Set.of("Test", "Values", "UserInfo", "Context");
  private static final long LIMIT = 256L << 20;

  private TestResources() {}

  /// Those in the folder `.kyverno-test` beside a policy, and those elsewhere that its tests name;
  /// none if there is no such folder.
  public static List<Value.Mapping> beside(Path policy) {
    var folder = policy.resolveSibling(".kyverno-test");
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (var found = Files.walk(folder)) {
      var files =
          new LinkedHashSet<>(
              found.filter(path -> path.toString().endsWith(".yaml")).sorted().toList());
      for (var file : List.copyOf(files)) {
        for (var object : objects(Files.readAllBytes(file))) {
          for (var named : StringLists.of(object.items("resources"))) {
            files.add(file.resolveSibling(named).normalize());
          }
        }
      }
      var resources = new ArrayList<Value.Mapping>();
      for (var file : files) {
        if (Files.exists(file)) {
          objects(Files.readAllBytes(file)).stream()
              .filter(TestResources::isResource)
              .forEach(resources::add);
        }
      }
      return resources;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<Value.Mapping> objects(byte[] bytes) {
    var objects = new ArrayList<Value.Mapping>();
    YamlStream.read(
        bytes,
        DocumentLimit.of(LIMIT),
        document -> {
          if (document instanceof YamlDocument.WellFormed sound
              && sound.value() instanceof Value.Mapping object) {
            objects.add(object);
          }
        });
    return objects;
  }

  private static boolean isResource(Value.Mapping object) {
    return object.text("kind").filter(kind -> !OTHERS.contains(kind)).isPresent()
        && !object.text("apiVersion").orElse("").contains("kyverno.io")
        && object.mapping("metadata").text("name").isPresent();
  }
}

package dev.policysync.judge;

import dev.policysync.json.Value;
import dev.policysync.yaml.DocumentLimit;
import dev.policysync.yaml.YamlDocument;
import dev.policysync.yaml.YamlStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// The resources that the authors of a policy judge it by, for `kyverno test`.
public final class TestResources {
  private static final Set<String> OTHERS = Set.of("Test", "Values", "UserInfo", "Context");
  private static final long LIMIT = 256L << 20;

  private TestResources() {}

  /// Those in the folder `.kyverno-test` beside a policy; none if there is no such folder.
  public static List<Value.Mapping> beside(Path policy) {
    var folder = policy.resolveSibling(".kyverno-test");
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (var files = Files.walk(folder)) {
      var resources = new ArrayList<Value.Mapping>();
      for (var file : files.filter(path -> path.toString().endsWith(".yaml")).sorted().toList()) {
        resources.addAll(in(Files.readAllBytes(file)));
      }
      return resources;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// The objects of a stream, apart from what is for the test itself.
  public static List<Value.Mapping> in(byte[] bytes) {
    var resources = new ArrayList<Value.Mapping>();
    YamlStream.read(bytes, DocumentLimit.of(LIMIT), document -> add(document, resources));
    return resources;
  }

  private static void add(YamlDocument document, List<Value.Mapping> resources) {
    if (document instanceof YamlDocument.Sound read
        && read.value() instanceof Value.Mapping object
        && object.text("kind").filter(kind -> !OTHERS.contains(kind)).isPresent()
        && !object.text("apiVersion").orElse("").contains("kyverno.io")
        && object.mapping("metadata").text("name").isPresent()) {
      resources.add(object);
    }
  }
}
